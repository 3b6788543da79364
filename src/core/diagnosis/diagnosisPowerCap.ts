import { mean } from '../stats/summary.ts';
import { align, type Case, coverage, meanTrace } from './diagnosisEvidence.ts';
import type { HostFeature, RunFeatures } from './diagnosisFeatures.ts';
import { cpuRows, hostOf, hostRow, namesOf } from './diagnosisHosts.ts';
import { type Candidate, explains, riseWeight, type Rule } from './diagnosisRule.ts';
import { level, thresholds } from './diagnosisThresholds.ts';

/** Below this the two counters of a processor are too small to be divided. */
const leastBusyPct = 2;

/** A limit of power that holds the clock below nominal while the cores are busy. */
function findPowerCap(of: Case): Candidate[] {
  const capped = of.after.hosts.flatMap((host) => {
    if (host.cpuPct === null || host.busyPct === null || host.busyPct.mean < leastBusyPct)
      return [];
    const lost = 100 * (1 - host.cpuPct.mean / host.busyPct.mean);
    const cap = host.powerCapW?.mean ?? null,
      atCap = cap !== null && cap > 0 && host.powerW !== null && host.powerW.mean >= 0.9 * cap;
    return lost >= thresholds.clock.from &&
      (atCap || (cap !== null && cap > 0) || lost >= thresholds.clock.full)
      ? [{ host, lost, cap }]
      : [];
  });
  if (capped.length === 0) return [];
  const hosts = capped.map(({ host }) => host),
    lost = mean(capped.map((one) => one.lost));
  const on = coverage(of, (one) => hosts.some((host) => host.ref === one.workload.hostRef));
  const held = meanTrace(
    hosts.map((host) => ({
      seriesIds: host.busyPct!.seriesIds,
      mean: 0,
      buckets: host.busyPct!.buckets.map((busy, i) => {
        const used = host.cpuPct!.buckets[i];
        return busy === null || used == null || busy < 5
          ? null
          : (100 * (1 - used / busy)) / thresholds.clock.from;
      }),
    })),
  );
  const wasLost = meanLost(of.before, hosts);
  const alignment = align(
    of,
    held?.buckets ?? null,
    of.failing.find((one) => hosts.some((host) => host.ref === one.workload.hostRef)),
  );
  const told = capped.some((one) => one.cap !== null);
  const strength = level(lost, { from: 1, full: thresholds.clock.full });
  const score = explains(strength, on, riseWeight(wasLost, lost, 8), alignment) * (told ? 1 : 0.7);
  return [
    {
      cause: 'powerCap',
      subjects: namesOf(hosts),
      score,
      alignment,
      on,
      refs: hosts.map((host) => host.ref),
      lostPct: lost,
      evidence: capped.slice(0, 8).flatMap(({ host, lost: own, cap }) => [
        hostRow(of, host, {
          metric: 'cpuPct',
          label: 'Clock below nominal',
          unit: '%',
          before: meanLost(of.before, [host]),
          after: own,
          threshold: thresholds.clock,
          seriesIds: [...host.cpuPct!.seriesIds, ...host.busyPct!.seriesIds],
        }),
        ...(cap === null
          ? []
          : [
              hostRow(of, host, {
                metric: 'powerCapW',
                label: 'Power limit',
                unit: 'W',
                before: hostOf(of.before, host.ref)?.powerCapW?.mean,
                after: cap,
                seriesIds: host.powerCapW!.seriesIds,
              }),
            ]),
        ...(host.powerW === null
          ? []
          : [
              hostRow(of, host, {
                metric: 'powerW',
                label: 'Power',
                unit: 'W',
                before: hostOf(of.before, host.ref)?.powerW?.mean,
                after: host.powerW.mean,
                seriesIds: host.powerW.seriesIds,
              }),
            ]),
        ...cpuRows(of, [host], true),
      ]),
      explanation:
        `The cores of ${namesOf(hosts).join(', ')} do ${lost.toFixed(0)} % less than at their ` +
        'nominal clock while they are ' +
        `busy${told ? ', under a power limit' : '; no power limit is told'}.`,
      remedy: 'Raise or remove the power limit, or choose the high-performance power policy.',
    },
  ];
}
function meanLost(run: RunFeatures | null, hosts: readonly HostFeature[]): number | null {
  const values = hosts.flatMap((host) => {
    const one = hostOf(run, host.ref);
    return one?.cpuPct && one.busyPct && one.busyPct.mean > 0
      ? [100 * (1 - one.cpuPct.mean / one.busyPct.mean)]
      : [];
  });
  return values.length === 0 ? null : mean(values);
}

export const powerCap: Rule = {
  find: findPowerCap,
  needs: ['hosts', 'clock'],
  cleared: () => 'The processors keep their clock.',
};
