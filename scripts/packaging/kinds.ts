import { spawnSync } from 'node:child_process';

import { whyNoRpm } from './rpm.ts';
import type { Platform, Target } from './target.ts';
import { whyNoSetup } from './windowsSetup.ts';

/** What can be asked for. */
export const kinds = ['deb', 'tar', 'rpm', 'zip', 'setup'] as const;
export type Kind = (typeof kinds)[number];
const kindsOf: Readonly<Record<Platform, readonly Kind[]>> = {
  linux: ['deb', 'tar', 'rpm'],
  win32: ['zip', 'setup'],
  darwin: ['zip'],
};

/**
 * Which of the asked kinds can be made here, why each of the others cannot, and what is to be known of
 * what is made: a line each.
 */
export function sortKinds(
  { platform, arch }: Pick<Target, 'platform' | 'arch'>,
  asked: readonly Kind[],
): { made: Kind[]; left: string[]; notes: string[] } {
  const own = kindsOf[platform];
  const whyNot: Partial<Record<Kind, string | null>> = {
    deb: whyMissing('dpkg-deb', 'No Debian package is made'),
    rpm: whyNoRpm(),
    setup: whyNoSetup(),
  };
  const wanted = asked.length > 0 ? asked : own;
  const left = wanted.flatMap((kind) => {
    if (!own.includes(kind)) return [`No ${kind} is made from an Electron for ${platform}.`];
    return whyNot[kind] ?? [];
  });
  const note: Readonly<Record<Platform, string | null>> = {
    win32: 'What is made for Windows is not signed: Windows warns of it at the first start.',
    darwin: 'What is made for macOS is not signed: macOS opens it only after its owner allows it.',
    linux:
      asked.length > 0
        ? null
        : `Nothing is made for Linux on ${arch === 'x64' ? 'arm64' : 'x64'}, Windows and macOS: ` +
          'each needs its own zip of Electron and its own Node (--electron, --node).',
  };
  return {
    made: wanted.filter((kind) => own.includes(kind) && !whyNot[kind]),
    left,
    notes: note[platform] === null ? [] : [note[platform]],
  };
}

const whyMissing = (program: string, what: string): string | null =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0
    ? null
    : `${what}: ${program} is missing.`;
