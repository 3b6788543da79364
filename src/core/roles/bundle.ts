import * as z from 'zod';

import { fail } from '../base/errors.ts';
import { field } from '../base/field.ts';

/** A release that packages can be bundled for. */
export interface BundleRelease {
  /** `ID-VERSION_ID` of its /etc/os-release. */
  id: string;
  codename: string;
  /** What it takes from a mirror; one line of sources.list each. */
  sources: (mirror: string) => readonly string[];
}
const debian = (id: string, codename: string): BundleRelease => ({
  id,
  codename,
  sources: (mirror) => [`${mirror} ${codename} main`],
});
const ubuntu = (id: string, codename: string): BundleRelease => ({
  id,
  codename,
  sources: (mirror) =>
    ['', '-updates', '-security'].map((pocket) => `${mirror} ${codename}${pocket} main universe`),
});
export const bundleReleases: readonly BundleRelease[] = [
  debian('debian-12', 'bookworm'),
  debian('debian-13', 'trixie'),
  ubuntu('ubuntu-22.04', 'jammy'),
  ubuntu('ubuntu-24.04', 'noble'),
];

export const bundleDigest = field.hash().regex(/^[0-9a-f]{64}$/, { error: 'a SHA-256 in hex' });

/** The first entry of a bundle: what it is for. */
export const bundleHead = z.object({
  tilebenchBundle: z.literal(1),
  release: field.word().regex(/^[a-z]+-[0-9.]+$/),
  architecture: field.word().regex(/^[a-z0-9]+$/),
  roles: field.list(field.word().max(40), 100),
  madeAtMs: field.timeMs(),
});
export type BundleHead = z.infer<typeof bundleHead>;

/** A bundle that this app has: packages of roles for machines without a mirror. */
export const guestBundleSchema = z.object({
  /** Of the whole file. */
  sha256: bundleDigest,
  bytes: field.count(),
  release: field.word(),
  architecture: field.word(),
  roles: field.list(field.word()),
  packages: field.count(),
  madeAtMs: field.timeMs(),
});
export type GuestBundle = z.infer<typeof guestBundleSchema>;

/** `debian-12 amd64`, as a machine says it of itself. */
export const bundleFor = ({ release, architecture }: GuestBundle): string =>
  `${release} ${architecture}`;

export const bundleHeadName = 'tilebench-bundle.json';
export const bundleIndexName = 'Packages';
/** Packages in one bundle; the roles together have about two hundred. */
export const mostBundlePackages = 2_000;

/** One package of a bundle, as its index says it. */
export interface BundlePackage {
  name: string;
  architecture: string;
  file: string;
  bytes: number;
  sha256: string;
}

/** A name without a folder, and nothing that a shell or a tar program reads as something else. */
const plainFile = /^[a-z0-9][A-Za-z0-9+.~_-]{0,200}\.deb$/;

/**
 * The packages of an index in Debian's own form, as APT reads it. Throws invalidInput, with the name
 * of the package, for one that has no digest, lies elsewhere or stands twice.
 */
export function readBundleIndex(text: string): BundlePackage[] {
  const seen = new Set<string>();
  const packages = text
    .split(/\n\n+/)
    .filter((stanza) => stanza.trim() !== '')
    .map((stanza): BundlePackage => {
      const value = (name: string): string =>
        new RegExp(`^${name}: (.*)$`, 'm').exec(stanza)?.[1]?.trim() ?? '';
      const name = value('Package').slice(0, 200);
      const file = value('Filename').replace(/^\.\//, '');
      const sha256 = value('SHA256');
      const bytes = Number(value('Size'));
      const refuse = (why: string): never => {
        throw fail('invalidInput', `Package ${name || 'without a name'} of the bundle ${why}.`);
      };
      if (!plainFile.test(file)) refuse(`lies at ${JSON.stringify(file.slice(0, 200))}`);
      if (!/^[0-9a-f]{64}$/.test(sha256)) refuse('has no SHA-256');
      if (!Number.isSafeInteger(bytes) || bytes <= 0) refuse('has no size');
      if (seen.has(file)) refuse('stands twice');
      seen.add(file);
      return { name, architecture: value('Architecture'), file, bytes, sha256 };
    });
  if (packages.length === 0 || packages.length > mostBundlePackages)
    throw fail(
      'invalidInput',
      `The bundle has ${packages.length} packages; one has 1 to ${mostBundlePackages}.`,
    );
  return packages;
}

/** The stanza of a package: what its own control file says, and where it lies. */
export const indexStanza = (
  control: string,
  { file, bytes, sha256 }: Omit<BundlePackage, 'name' | 'architecture'>,
): string =>
  `${control.trim().replaceAll(/^(Filename|Size|SHA256):.*\n?/gm, '')}\n` +
  `Filename: ./${file}\nSize: ${bytes}\nSHA256: ${sha256}\n`;
