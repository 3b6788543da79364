import { toAppError } from '../../../src/core/base/errors.ts';
import type { Core } from './core.ts';
import type { ManagedObject } from './properties.ts';
import { element, faultName, type MoRef, refOf, returned } from './soap.ts';
import { child, textOf } from './xml.ts';

/**
 * Advanced settings of a host that change what a run measures: outstanding commands and queue-full
 * handling of disks, sharing and page size of memory, processor power states, NUMA placement.
 * Nothing else of a host's thousand settings is kept.
 */
export const hostSettings: ReadonlySet<string> = new Set([
  'Disk.SchedNumReqOutstanding',
  'Disk.SchedQuantum',
  'Disk.QFullSampleSize',
  'Disk.QFullThreshold',
  'Disk.DiskMaxIOSize',
  'Mem.ShareScanTime',
  'Mem.ShareScanGHz',
  'Mem.ShareForceSalting',
  'Mem.AllocGuestLargePage',
  'Mem.CtlMaxPercent',
  'Power.CpuPolicy',
  'Power.UsePStates',
  'Power.UseCStates',
  'Power.MaxCpuLoad',
  'Power.MinFreqPct',
  'Power.MaxFreqPct',
  'Power.PerfBias',
  'Power.PerfBiasEnable',
  'Power.TimerHz',
  'Power.CStateMaxLatency',
  'Power.CStateResidencyCoef',
  'Numa.PreferHT',
  'Numa.LocalityWeightActionAffinity',
  'Numa.RebalanceEnable',
  'Numa.PageMigEnable',
  'Numa.LargeInterleave',
]);
/**
 * The branches they are on: one question each, instead of one a setting. A branch ends in a dot.
 */
const branches = [
  ...new Set([...hostSettings].map((name) => name.slice(0, name.indexOf('.') + 1))),
];
/** Hosts asked at once: vCenter passes the question on to each. */
const atOnce = 8;
const limitMs = 20_000;

/**
 * Settings of one host; a branch that this version of ESXi does not have is left out. null where
 * the host does not tell.
 */
async function settingsOf(
  core: Core,
  manager: MoRef,
  signal?: AbortSignal,
): Promise<Record<string, string> | null> {
  const found: Record<string, string> = {};
  for (const branch of branches) {
    try {
      for (const option of returned(
        await core.call('QueryOptions', manager, element('name', branch), { signal, limitMs }),
      )) {
        const [key, value] = [textOf(child(option, 'key')), textOf(child(option, 'value'))];
        if (key !== null && value !== null && hostSettings.has(key)) found[key] = value;
      }
    } catch (error) {
      const fault = faultName(error);
      if (signal?.aborted || fault === 'NotAuthenticated') throw error;
      if (fault === 'InvalidName') continue;
      core.log.debug('A host does not tell its advanced settings', {
        vcenter: core.connection.name,
        manager: manager.id,
        error: toAppError(error).message,
      });
      return null;
    }
  }
  return found;
}

/**
 * Advanced settings of each connected host by its reference. A host that does not tell costs nobody
 * else's.
 */
export async function readSettings(
  core: Core,
  hosts: readonly ManagedObject[],
  signal?: AbortSignal,
): Promise<Map<string, Record<string, string> | null>> {
  const asked = hosts.flatMap((host) => {
    const manager = refOf(host.props.get('configManager.advancedOption'));
    return manager && textOf(host.props.get('runtime.connectionState')) === 'connected'
      ? [{ ref: host.ref.id, manager }]
      : [];
  });
  const found = new Map<string, Record<string, string> | null>();
  let next = 0;
  await Promise.all(
    Array.from({ length: Math.min(atOnce, asked.length) }, async () => {
      for (let one = asked[next++]; one; one = asked[next++])
        found.set(one.ref, await settingsOf(core, one.manager, signal));
    }),
  );
  return found;
}
