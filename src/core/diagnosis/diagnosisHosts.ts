import type { Evidence } from './diagnosis.ts';
import { type Case, evidence } from './diagnosisEvidence.ts';
import type { HostFeature, RunFeatures, Trace } from './diagnosisFeatures.ts';
import { thresholds } from './diagnosisThresholds.ts';

/** A host of a run by its reference; undefined where the run did not have it. */
export const hostOf = (run: RunFeatures | null, ref: string): HostFeature | undefined =>
  run?.hosts.find((host) => host.ref === ref);
/** Busy cores say more than use where the clock is held down; older hosts tell use only. */
export const busyOf = (host: HostFeature | undefined): Trace | null =>
  host?.busyPct ?? host?.cpuPct ?? null;
export const namesOf = (list: readonly { name: string }[]): string[] => list.map((one) => one.name);

/** A row of evidence about a host. */
export const hostRow = (
  of: Case,
  host: HostFeature,
  row: Omit<Parameters<typeof evidence>[1], 'id' | 'name'>,
): Evidence => evidence(of, { ...row, id: host.ref, name: host.name });

/** Use of the processors of up to eight hosts; `limit`: held against what counts as full. */
export const cpuRows = (of: Case, hosts: readonly HostFeature[], limit: boolean): Evidence[] =>
  hosts.slice(0, 8).map((host) =>
    hostRow(of, host, {
      metric: host.busyPct ? 'cpuBusyPct' : 'cpuPct',
      label: 'CPU',
      unit: '%',
      before: busyOf(hostOf(of.before, host.ref))?.mean,
      after: busyOf(host)?.mean,
      threshold: limit ? thresholds.cpuFull : null,
      seriesIds: busyOf(host)?.seriesIds,
    }),
  );
