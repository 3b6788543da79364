import type { Case } from './diagnosisEvidence.ts';

/** What could not be read. */
interface Gap {
  what: string;
  why: string;
  /** Nothing of it was read: what needs it can neither be blamed nor cleared. */
  whole: boolean;
}

const noSamples = 'No samples from vCenter in the steady state.';

/** A gap over all things of a list, or over those that were not read, the first five by name. */
function gapIn<T extends { name: string }>(
  what: string,
  things: readonly T[],
  missing: (thing: T) => boolean,
  why: string,
): Gap | null {
  const without = things.filter(missing);
  if (without.length === things.length) return { what, why, whole: true };
  if (without.length === 0) return null;
  const named = without.slice(0, 5).map((one) => one.name);
  const more = without.length > 5 ? ` and ${without.length - 5} more` : '';
  return { what: `${what}: ${named.join(', ')}${more}`, why, whole: false };
}

type HostOf = Case['after']['hosts'][number];
/** A counter of the hosts. A run without any host lacks the hosts, not their counters. */
const hostGap =
  (what: string, missing: (host: HostOf) => boolean) =>
  ({ after }: Case): Gap | null =>
    after.hosts.length === 0 ? null : gapIn(what, after.hosts, missing, noSamples);

/**
 * Everything the rules need and do not always get, in the order it is told: the gap that a run has,
 * or null.
 */
export const measured = {
  hosts: ({ after }) =>
    after.hosts.length === 0 ? { what: 'Hosts', why: noSamples, whole: true } : null,
  hostCpu: hostGap('CPU of the hosts', (host) => host.cpuPct === null && host.busyPct === null),
  ready: hostGap('Ready time of the vCPUs', (host) => host.readyPct === null),
  hostMemory: hostGap(
    'Swapped and ballooned memory',
    (host) => host.swapMb === null && host.balloonMb === null && host.swapInKBps === null,
  ),
  clock: hostGap(
    'Clock of the processors',
    (host) => host.busyPct === null || host.cpuPct === null,
  ),
  powerLimit: ({ after }) =>
    after.hosts.length > 0 && after.hosts.every((host) => host.powerCapW === null)
      ? {
          what: 'Power limits of the hosts',
          why: 'No host tells of one. A clock below nominal would still be seen.',
          whole: true,
        }
      : null,
  deviceLatency: ({ after }) =>
    gapIn(
      'Device latency of the datastores',
      after.stores,
      (store) => store.deviceMs === null,
      noSamples,
    ),
  queueLatency: ({ after }) =>
    gapIn(
      'Queue and kernel latency of the datastores',
      after.stores,
      (store) => store.kernelMs === null && store.queueMs === null,
      noSamples,
    ),
  reservations: ({ after }) =>
    gapIn(
      'SCSI reservation conflicts of the datastores',
      after.stores,
      (store) => store.conflictsPerS === null,
      'Not counted, or no samples from vCenter in the steady state.',
    ),
  uplinkUse: ({ after }) =>
    gapIn(
      'Use of the uplinks',
      after.uplinks,
      (one) => one.kbps === null || one.speedMbps === null,
      after.uplinks.length === 0
        ? 'This vCenter counts no adapter on its own.'
        : 'No samples, or the speed of the link is not known.',
    ),
  clientCpu: ({ after }) =>
    gapIn(
      'CPU of the clients',
      after.clients,
      (one) => one.cpuPct === null && one.behindPct === null,
      'No reading of /proc/stat over SSH.',
    ),
  operations: ({ after }) =>
    after.operationsWatched
      ? null
      : {
          what: 'Infrastructure operations and moves of VMs',
          why: 'The plan runs none, and moves were not watched.',
          whole: true,
        },
  place: ({ failing }) => {
    const unplaced = failing.filter((one) => one.workload.hostRef === null);
    return unplaced.length === 0
      ? null
      : {
          what: `Place of ${unplaced.length} failing workloads`,
          why: 'vCenter names no host of their VMs.',
          whole: false,
        };
  },
  guests: () => ({
    what: 'Inside the guests: their vCPUs, memory, locks and software',
    why: 'Tilebench reads no counters inside VMs.',
    whole: true,
  }),
  fabric: () => ({
    what: 'Physical switches and fabric',
    why: 'Tilebench reads no counters of switches.',
    whole: true,
  }),
} as const satisfies Record<string, (of: Case) => Gap | null>;
export type Measured = keyof typeof measured;
