import { mean } from '../stats/summary.ts';
import type { Cause } from './diagnosis.ts';
import {
  align,
  alignmentWeight,
  type Case,
  coverage,
  evidence,
  meanTrace,
  shares,
} from './diagnosisEvidence.ts';
import type { HostFeature, RunFeatures, Trace } from './diagnosisFeatures.ts';
import { level, thresholds } from './diagnosisThresholds.ts';
import type { Candidate } from './diagnosisTypes.ts';

const hostOf = (run: RunFeatures | null, ref: string): HostFeature | undefined =>
  run?.hosts.find((host) => host.ref === ref);
/** Busy cores say more than use where the clock is held down; older hosts tell use only. */
const busyOf = (host: HostFeature | undefined): Trace | null =>
  host?.busyPct ?? host?.cpuPct ?? null;
const names = (list: readonly { name: string }[]): string[] => list.map((one) => one.name);
/** How much a figure rose, as a weight: what was as high before explains the difference less. */
export const riseWeight = (
  before: number | null | undefined,
  after: number,
  full: number,
): number =>
  before == null ? 0.9 : 0.65 + 0.35 * Math.min(1, Math.max(0, (after - before) / full));

/**
 * Hosts that carry VMs of the run, by whether their processors are full. A host of the cluster that
 * carries none has room too.
 */
function byFullness(
  of: Case,
): { full: HostFeature[]; rest: HostFeature[]; used: HostFeature[] } | null {
  const known = of.after.hosts.filter((host) => busyOf(host) !== null);
  if (known.length === 0) return null;
  const full = known.filter((host) => busyOf(host)!.mean >= thresholds.cpuFull.from);
  return {
    full,
    rest: known.filter((host) => !full.includes(host)),
    used: known.filter((host) => host.vcpus > 0),
  };
}

const cpuRows = (
  of: Case,
  hosts: readonly HostFeature[],
  limit: boolean,
): ReturnType<typeof evidence>[] =>
  hosts.slice(0, 8).map((host) =>
    evidence(of, {
      metric: host.busyPct ? 'cpuBusyPct' : 'cpuPct',
      label: 'CPU',
      id: host.ref,
      name: host.name,
      unit: '%',
      before: busyOf(hostOf(of.before, host.ref))?.mean,
      after: busyOf(host)?.mean,
      threshold: limit ? thresholds.cpuFull : null,
      seriesIds: busyOf(host)?.seriesIds,
    }),
  );

/**
 * Full processors: everywhere (the testbed is used up), or here while others have room
 * (imbalanced).
 */
export function cpuRule(of: Case): Candidate[] {
  const found = byFullness(of);
  if (found === null || found.full.length === 0) return [];
  const { full, rest, used } = found;
  const trace = meanTrace(full.map(busyOf)),
    now = trace!.mean;
  const was =
    of.before === null
      ? null
      : (meanTrace(full.map((host) => busyOf(hostOf(of.before, host.ref))))?.mean ?? null);
  const on = coverage(of, (one) => full.some((host) => host.ref === one.workload.hostRef));
  const alignment = align(
    of,
    shares(trace, thresholds.cpuFull.from),
    of.failing.find((one) => full.some((host) => host.ref === one.workload.hostRef)) ??
      of.failing[0],
  );
  const room = rest.length === 0 ? 0 : now - mean(rest.map((host) => busyOf(host)!.mean));
  const imbalanced = room >= thresholds.cpuRoom.from;
  const everywhere = used.every((host) => full.includes(host)) && !imbalanced;
  const score =
    level(now, { from: thresholds.cpuFull.from - 6, full: thresholds.cpuFull.full }) *
    (0.35 + 0.65 * on.share) *
    riseWeight(was, now, 15) *
    alignmentWeight(alignment);
  const base = { subjects: names(full), score, alignment, on, refs: full.map((host) => host.ref) };
  const rows = [...cpuRows(of, full, true), ...cpuRows(of, rest, false)];
  const ready = readyRows(of, full);
  if (imbalanced) {
    return [
      {
        ...base,
        cause: 'hostsImbalanced',
        evidence: [...rows, ...ready],
        explanation:
          `${names(full).join(', ')} ${full.length === 1 ? 'is' : 'are'} full at ` +
          `${now.toFixed(0)} % while ${names(rest).slice(0, 4).join(', ')} ` +
          `${rest.length === 1 ? 'has' : 'have'} room, ${room.toFixed(0)} points less. The VMs ` +
          'are not spread as the load is.',
        remedy: 'Move VMs to the hosts with room, by hand or with a more aggressive DRS.',
      },
    ];
  }
  return [
    {
      ...base,
      cause: 'cpuSaturated',
      everywhere,
      evidence: [...rows, ...ready],
      explanation: everywhere
        ? 'The processors of ' +
          `${used.length === 1 ? used[0]!.name : `all ${used.length} hosts in use`} are full ` +
          `at ${now.toFixed(0)} %: the testbed is used up.`
        : `The processors of ${names(full).join(', ')} are full at ${now.toFixed(0)} %; the ` +
          'other hosts are not far behind.',
      remedy: 'Add or use faster hosts, or run fewer tiles.',
    },
  ];
}

const readyPerVcpu = (host: HostFeature | undefined): Trace | null =>
  host === undefined || host.readyPct === null || host.vcpus === 0
    ? null
    : {
        ...host.readyPct,
        mean: host.readyPct.mean / host.vcpus,
        buckets: host.readyPct.buckets.map((value) => (value === null ? null : value / host.vcpus)),
      };
const readyRows = (of: Case, hosts: readonly HostFeature[]): ReturnType<typeof evidence>[] =>
  hosts.slice(0, 4).flatMap((host) => {
    const now = readyPerVcpu(host);
    return now === null
      ? []
      : [
          evidence(of, {
            metric: 'readyPct',
            label: 'Ready time a vCPU',
            id: host.ref,
            name: host.name,
            unit: '%',
            before: readyPerVcpu(hostOf(of.before, host.ref))?.mean,
            after: now.mean,
            threshold: thresholds.ready,
            seriesIds: now.seriesIds,
          }),
        ];
  });

/**
 * vCPUs that wait though their host is not full on the average: too many of them, or bursts that
 * come together.
 */
export function readyRule(of: Case): Candidate[] {
  return worstOf(
    of.after.hosts.flatMap((host): Candidate[] => {
      const ready = readyPerVcpu(host),
        busy = busyOf(host);
      if (
        ready === null ||
        busy === null ||
        ready.mean < thresholds.ready.from / 3 ||
        busy.mean >= thresholds.cpuFull.from
      )
        return [];
      const was = readyPerVcpu(hostOf(of.before, host.ref))?.mean;
      const on = coverage(of, (one) => one.workload.hostRef === host.ref);
      const alignment = align(
        of,
        shares(ready, thresholds.ready.from),
        of.failing.find((one) => one.workload.hostRef === host.ref),
      );
      const score =
        level(ready.mean, { from: thresholds.ready.from / 5, full: thresholds.ready.from * 0.8 }) *
        (0.35 + 0.65 * on.share) *
        riseWeight(was, ready.mean, 6) *
        Math.max(0.85, alignmentWeight(alignment));
      return [
        {
          cause: 'cpuReady',
          subjects: [host.name],
          score,
          alignment,
          on,
          refs: [host.ref],
          evidence: [
            ...readyRows(of, [host]),
            ...cpuRows(of, [host], true),
            evidence(of, {
              metric: null,
              label: 'vCPUs on the host',
              id: host.ref,
              name: host.name,
              unit: '',
              before: hostOf(of.before, host.ref)?.vcpus,
              after: host.vcpus,
            }),
            ...(host.cores === null
              ? []
              : [
                  evidence(of, {
                    metric: null,
                    label: 'Cores',
                    id: host.ref,
                    name: host.name,
                    unit: '',
                    before: host.cores,
                    after: host.cores,
                  }),
                ]),
          ],
          explanation:
            `On ${host.name} a vCPU waits ${ready.mean.toFixed(1)} % of its time for a ` +
            `processor, though the processors are busy only ${busy.mean.toFixed(0)} % on the ` +
            'average: more vCPUs want to run at once than there are cores.',
          remedy: 'Give the VMs fewer vCPUs, or spread those that burst together.',
        },
      ];
    }),
  );
}

/** Below this the two counters of a processor are too small to be divided. */
const leastBusyPct = 2;

/** A limit of power that holds the clock below nominal while the cores are busy. */
export function powerCapRule(of: Case): Candidate[] {
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
  const score =
    level(lost, { from: 1, full: thresholds.clock.full }) *
    (0.35 + 0.65 * on.share) *
    riseWeight(wasLost, lost, 8) *
    Math.max(0.85, alignmentWeight(alignment)) *
    (capped.some((one) => one.cap !== null) ? 1 : 0.7);
  return [
    {
      cause: 'powerCap',
      subjects: names(hosts),
      score,
      alignment,
      on,
      refs: hosts.map((host) => host.ref),
      lostPct: lost,
      evidence: capped.slice(0, 8).flatMap(({ host, lost: own, cap }) => [
        evidence(of, {
          metric: 'cpuPct',
          label: 'Clock below nominal',
          id: host.ref,
          name: host.name,
          unit: '%',
          before: meanLost(of.before, [host]),
          after: own,
          threshold: thresholds.clock,
          seriesIds: [...host.cpuPct!.seriesIds, ...host.busyPct!.seriesIds],
        }),
        ...(cap === null
          ? []
          : [
              evidence(of, {
                metric: 'powerCapW',
                label: 'Power limit',
                id: host.ref,
                name: host.name,
                unit: 'W',
                before: hostOf(of.before, host.ref)?.powerCapW?.mean,
                after: cap,
                seriesIds: host.powerCapW!.seriesIds,
              }),
            ]),
        ...(host.powerW === null
          ? []
          : [
              evidence(of, {
                metric: 'powerW',
                label: 'Power',
                id: host.ref,
                name: host.name,
                unit: 'W',
                before: hostOf(of.before, host.ref)?.powerW?.mean,
                after: host.powerW.mean,
                seriesIds: host.powerW.seriesIds,
              }),
            ]),
        ...cpuRows(of, [host], true),
      ]),
      explanation:
        `The cores of ${names(hosts).join(', ')} do ${lost.toFixed(0)} % less than at their ` +
        'nominal clock while they are ' +
        `busy${capped.some((one) => one.cap !== null) ? ', under a power limit' : '; no power limit is told'}.`,
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

/** Memory read back from swap, or ballooned beyond what idle memory gives. */
export function memoryRule(of: Case): Candidate[] {
  return worstOf(
    of.after.hosts.flatMap((host): Candidate[] => {
      const swapIn = host.swapInKBps?.mean ?? null,
        swapped = host.swapMb?.mean ?? null,
        balloonPct =
          host.balloonMb === null || host.memoryMb === null
            ? null
            : (100 * host.balloonMb.mean) / host.memoryMb;
      const swapping =
        swapped !== null && swapped > 0
          ? level(swapIn, { from: thresholds.swapIn.from / 5, full: thresholds.swapIn.full })
          : 0;
      const ballooned = 0.3 * level(balloonPct, thresholds.balloon);
      const strength = Math.max(swapping === 0 ? 0 : 0.5 + 0.5 * swapping, ballooned);
      if (strength < 0.05) return [];
      const was = hostOf(of.before, host.ref);
      const on = coverage(of, (one) => one.workload.hostRef === host.ref);
      const alignment = align(
        of,
        shares(host.swapInKBps, thresholds.swapIn.from),
        of.failing.find((one) => one.workload.hostRef === host.ref),
      );
      const score =
        strength *
        (0.35 + 0.65 * on.share) *
        riseWeight(was?.swapInKBps?.mean, swapIn ?? 0, Math.max(100, (swapIn ?? 0) * 0.5)) *
        Math.max(0.85, alignmentWeight(alignment));
      return [
        {
          cause: 'memory',
          subjects: [host.name],
          score,
          alignment,
          on,
          refs: [host.ref],
          evidence: [
            evidence(of, {
              metric: 'swapInKBps',
              label: 'Read back from swap',
              id: host.ref,
              name: host.name,
              unit: 'KB/s',
              before: was?.swapInKBps?.mean,
              after: swapIn,
              threshold: thresholds.swapIn,
              seriesIds: host.swapInKBps?.seriesIds,
            }),
            evidence(of, {
              metric: 'swapMb',
              label: 'Swapped memory',
              id: host.ref,
              name: host.name,
              unit: 'MB',
              before: was?.swapMb?.mean,
              after: swapped,
              seriesIds: host.swapMb?.seriesIds,
            }),
            evidence(of, {
              metric: 'balloonMb',
              label: 'Ballooned memory',
              id: host.ref,
              name: host.name,
              unit: 'MB',
              before: was?.balloonMb?.mean,
              after: host.balloonMb?.mean,
              seriesIds: host.balloonMb?.seriesIds,
            }),
          ],
          explanation:
            swapping > 0
              ? `${host.name} has ${(swapped ?? 0).toFixed(0)} MB of its guests swapped out ` +
                `and reads ${(swapIn ?? 0).toFixed(0)} KB/s of it back.`
              : `${host.name} takes ${(balloonPct ?? 0).toFixed(0)} % of its memory back from ` +
                'its guests by ballooning; none is read back from swap.',
          remedy: 'Give the host more memory, the VMs less, or spread them.',
        },
      ];
    }),
  );
}

/**
 * Things of one kind that break their threshold together are one hypothesis: the worst leads, the
 * others join where they matter.
 */
export function worstOf(candidates: readonly Candidate[]): Candidate[] {
  const [first, ...rest] = [...candidates].sort((a, b) => b.score - a.score);
  if (first === undefined) return [];
  const joined = rest.filter((one) => one.score >= 0.3 * first.score);
  if (joined.length === 0) return [first];
  const all = [first, ...joined];
  const tiles = [...new Set(all.flatMap((one) => one.on.tiles))].sort((a, b) => a - b);
  const share = Math.min(
      1,
      all.reduce((sum, one) => sum + one.on.share, 0),
    ),
    on = Math.min(
      first.on.of,
      all.reduce((sum, one) => sum + one.on.on, 0),
    );
  // As if all that fails on any of them failed on one.
  const score = Math.min(1, (first.score / (0.35 + 0.65 * first.on.share)) * (0.35 + 0.65 * share));
  return [
    {
      ...first,
      subjects: all.flatMap((one) => one.subjects),
      refs: all.flatMap((one) => one.refs),
      score,
      on: { on, of: first.on.of, share, tiles },
      evidence: all.slice(0, 6).flatMap((one) => one.evidence),
      explanation: `${first.explanation}${
        joined.length > 0
          ? ` So do ${joined
              .flatMap((one) => one.subjects)
              .slice(0, 4)
              .join(', ')}.`
          : ''
      }`,
    },
  ];
}

/** Which host causes could not be judged. */
export const hostGaps = (
  run: RunFeatures,
): { what: string; missing: (host: HostFeature) => boolean; causes: Cause[] }[] =>
  run.hosts.length === 0
    ? [
        {
          what: 'Hosts',
          missing: () => true,
          causes: ['cpuSaturated', 'hostsImbalanced', 'cpuReady', 'powerCap', 'memory'],
        },
      ]
    : [
        {
          what: 'CPU of the hosts',
          missing: (host) => host.cpuPct === null && host.busyPct === null,
          causes: ['cpuSaturated', 'hostsImbalanced'],
        },
        {
          what: 'Ready time of the vCPUs',
          missing: (host) => host.readyPct === null,
          causes: ['cpuReady'],
        },
        {
          what: 'Swapped and ballooned memory',
          missing: (host) =>
            host.swapMb === null && host.balloonMb === null && host.swapInKBps === null,
          causes: ['memory'],
        },
        {
          what: 'Clock of the processors',
          missing: (host) => host.busyPct === null || host.cpuPct === null,
          causes: ['powerCap'],
        },
      ];
