import { printableLine } from '../../../src/core/base/bounds.ts';
import { toAppError } from '../../../src/core/base/errors.ts';
import type { HostSoftware } from '../deps/vcenter.ts';
import { createGate } from '../ssh/gate.ts';
import type { Core } from './core.ts';
import { type EsxcliRow, openEsxcli } from './esxcli.ts';
import { hostSettings } from './settings.ts';
import { isNotAuthenticated } from './soap.ts';

/** vCenter passes each question on to its host: so many under way at once. */
const hostsAtOnce = 8;
/** An ESXi has some 130 packages and changes a few dozen settings; more is not kept. */
const mostEntries = 400;
const mostChars = 200;
const mostNote = 1_000;
/**
 * Branches of settings that change what a run measures. Left out is what names people, places or
 * secrets of a lab: users' settings, log hosts, banners.
 */
const branches: ReadonlySet<string> = new Set([
  'BufferCache',
  'COW',
  'Cpu',
  'DataMover',
  'Digest',
  'Disk',
  'FSS',
  'ISCSI',
  'Irq',
  'LPage',
  'LSOM',
  'LowLatency',
  'Mem',
  'Migrate',
  'NFS',
  'NFS41',
  'Net',
  'Nmp',
  'Numa',
  'Power',
  'RdmFilter',
  'ScsiDevice',
  'SunRPC',
  'User',
  'VMFS',
  'VMFS3',
  'VSAN',
  'Virsto',
  'XvMotion',
]);

/**
 * Packages and changed settings of hosts, by their own command lines. A host that refuses, is away
 * or answers with what cannot be read costs nobody else's: it has a note of why.
 */
export async function readHostSoftware(
  core: Core,
  hostRefs: readonly string[],
  signal?: AbortSignal,
): Promise<HostSoftware[]> {
  const gate = createGate(hostsAtOnce);
  return Promise.all(hostRefs.map((ref) => gate.run(() => softwareOf(core, ref, signal), signal)));
}

async function softwareOf(
  core: Core,
  hostRef: string,
  signal?: AbortSignal,
): Promise<HostSoftware> {
  const notes: string[] = [];
  const tell = async <T>(read: () => Promise<T>): Promise<T | null> => {
    try {
      return await read();
    } catch (error) {
      if (signal?.aborted || isNotAuthenticated(error)) throw error;
      const { message } = toAppError(error);
      if (!notes.includes(message)) notes.push(message);
      return null;
    }
  };
  const cli = await tell(() => openEsxcli(core, hostRef, signal));
  const packages =
    cli && (await tell(async () => packagesOf(await cli.list(['software', 'vib', 'list']))));
  const settings =
    cli &&
    (await tell(async () =>
      changedSettings(
        await cli.list(['system', 'settings', 'advanced', 'list'], { delta: 'true' }),
      ),
    ));
  return {
    hostRef,
    packages,
    settings,
    note: notes.length === 0 ? null : printableLine(notes.join(' ')).slice(0, mostNote),
  };
}

const bounded = (text: string): string => printableLine(text).slice(0, mostChars);
const entries = (found: readonly (readonly [string, string])[]): Record<string, string> =>
  Object.fromEntries(
    found.slice(0, mostEntries).map(([key, value]) => [bounded(key), bounded(value)]),
  );

/** Installed packages, drivers among them, with their versions. */
const packagesOf = (rows: readonly EsxcliRow[]): Record<string, string> =>
  entries(
    rows.flatMap(({ Name: name, Version: version }) =>
      name !== undefined && name !== '' && version !== undefined && version !== ''
        ? [[name, version] as const]
        : [],
    ),
  );

/**
 * Settings that are not as they were shipped, but for those of the host itself and those that are
 * read of every host anyway. A host that does not know `delta` tells all: what is at its default is
 * left out here.
 */
const changedSettings = (rows: readonly EsxcliRow[]): Record<string, string> =>
  entries(
    rows.flatMap((row) => {
      const name = (row['Path'] ?? '').replace(/^\//, '').replaceAll('/', '.');
      const isText = row['Type'] === 'string';
      const value = row[isText ? 'StringValue' : 'IntValue'];
      const byDefault = row[isText ? 'DefaultStringValue' : 'DefaultIntValue'];
      const isKept =
        branches.has(name.slice(0, name.indexOf('.'))) &&
        !hostSettings.has(name) &&
        row['HostSpecific'] !== 'true';
      return isKept && value !== undefined && value !== byDefault ? [[name, value] as const] : [];
    }),
  );
