import { mean } from '../stats/summary.ts';
import type { Evidence } from './diagnosis.ts';
import { align, type Case, coverage, meanTrace, shares } from './diagnosisEvidence.ts';
import type { HostFeature, RunFeatures, Trace } from './diagnosisFeatures.ts';
import { busyOf, cpuRows, hostOf, hostRow, namesOf } from './diagnosisHosts.ts';
import {
  anyFull,
  type Candidate,
  explains,
  riseWeight,
  type Rule,
  sayMost,
  worstOf,
} from './diagnosisRule.ts';
import { level, thresholds } from './diagnosisThresholds.ts';
import { vmsByCpu, vmsByReady } from './diagnosisVms.ts';

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
    used: known.filter((host) => host.vcpus === null || host.vcpus > 0),
  };
}

/** What is common to full processors everywhere and full processors beside hosts with room. */
interface FullHosts {
  candidate: Omit<Candidate, 'cause' | 'explanation' | 'remedy'>;
  full: readonly HostFeature[];
  rest: readonly HostFeature[];
  used: readonly HostFeature[];
  /** Use of the full hosts, in percent, and by how many points the others are below it. */
  pct: number;
  room: number;
  imbalanced: boolean;
  asBefore: boolean;
}
function fullHosts(of: Case): FullHosts | null {
  const found = byFullness(of);
  if (found === null || found.full.length === 0) return null;
  const { full, rest, used } = found;
  const trace = meanTrace(full.map(busyOf));
  const pct = trace!.mean;
  const was =
    of.before === null
      ? null
      : (meanTrace(full.map((host) => busyOf(hostOf(of.before, host.ref))))?.mean ?? null);
  const sits = (one: Case['failing'][number]): boolean =>
    full.some((host) => host.ref === one.workload.hostRef);
  const on = coverage(of, sits);
  const alignment = align(
    of,
    shares(trace, thresholds.cpuFull.from),
    of.failing.find(sits) ?? of.failing[0],
  );
  const room = rest.length === 0 ? 0 : pct - mean(rest.map((host) => busyOf(host)!.mean));
  const strength = level(pct, {
    from: thresholds.cpuFull.from - 6,
    full: thresholds.cpuFull.full,
  });
  return {
    full,
    rest,
    used,
    pct,
    room,
    imbalanced: room >= thresholds.cpuRoom.from,
    asBefore:
      was !== null &&
      was >= thresholds.cpuFull.full &&
      of.before?.tiles === of.after.tiles &&
      of.before.runId !== of.after.runId,
    candidate: {
      subjects: namesOf(full),
      refs: full.map((host) => host.ref),
      score: explains(strength, on, riseWeight(was, pct, 15), alignment, 0),
      alignment,
      on,
      evidence: [
        ...cpuRows(of, full, true),
        ...cpuRows(of, rest, false),
        ...readyRows(of, full),
        ...vmsByCpu(
          of,
          full.map((host) => host.ref),
        ),
      ],
    },
  };
}

/** Full processors here while others have room. */
function findImbalanced(of: Case): Candidate[] {
  const found = fullHosts(of);
  if (found === null || !found.imbalanced) return [];
  const { full, rest, pct, room } = found;
  return [
    {
      ...found.candidate,
      cause: 'hostsImbalanced',
      explanation:
        `${namesOf(full).join(', ')} ${full.length === 1 ? 'is' : 'are'} full at ` +
        `${pct.toFixed(0)} % while ${namesOf(rest).slice(0, 4).join(', ')} ` +
        `${rest.length === 1 ? 'has' : 'have'} room, ${room.toFixed(0)} points less. The VMs ` +
        'are not spread as the load is.',
      remedy: 'Move VMs to the hosts with room, by hand or with a more aggressive DRS.',
    },
  ];
}

/**
 * Full processors with no room beside them: where it is every host in use, the testbed is used up.
 */
function findSaturated(of: Case): Candidate[] {
  const found = fullHosts(of);
  if (found === null || found.imbalanced) return [];
  const { full, used, pct, asBefore } = found;
  const everywhere = used.every((host) => full.includes(host));
  return [
    {
      ...found.candidate,
      cause: 'cpuSaturated',
      everywhere,
      asBefore,
      explanation: everywhere
        ? 'The processors of ' +
          `${used.length === 1 ? used[0]!.name : `all ${used.length} hosts in use`} are full ` +
          `at ${pct.toFixed(0)} %${asBefore ? ', as in the first run' : ': the testbed is used up'}.`
        : `The processors of ${namesOf(full).join(', ')} are full at ${pct.toFixed(0)} %; the ` +
          'other hosts are not far behind.',
      remedy: 'Add or use faster hosts, or run fewer tiles.',
    },
  ];
}

function readyPerVcpu(host: HostFeature | undefined): Trace | null {
  const { readyPct = null, vcpus = null } = host ?? {};
  return readyPct === null || vcpus === null || vcpus === 0
    ? null
    : {
        ...readyPct,
        mean: readyPct.mean / vcpus,
        buckets: readyPct.buckets.map((value) => (value === null ? null : value / vcpus)),
      };
}
function readyRows(of: Case, hosts: readonly HostFeature[]): Evidence[] {
  return hosts.slice(0, 4).flatMap((host) => {
    const now = readyPerVcpu(host);
    return now === null
      ? []
      : [
          hostRow(of, host, {
            metric: 'readyPct',
            label: 'Ready time a vCPU',
            unit: '%',
            before: readyPerVcpu(hostOf(of.before, host.ref))?.mean,
            after: now.mean,
            threshold: thresholds.ready,
            seriesIds: now.seriesIds,
          }),
        ];
  });
}

/**
 * vCPUs that wait though their host is not full on the average: too many of them, or bursts that
 * come together.
 */
function findReady(of: Case): Candidate[] {
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
      const strength = level(ready.mean, {
        from: thresholds.ready.from / 5,
        full: thresholds.ready.from * 0.8,
      });
      const score = explains(strength, on, riseWeight(was, ready.mean, 6), alignment);
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
            ...vmsByReady(of, [host.ref]),
            ...cpuRows(of, [host], true),
            hostRow(of, host, {
              metric: null,
              label: 'vCPUs on the host',
              unit: '',
              before: hostOf(of.before, host.ref)?.vcpus,
              after: host.vcpus,
            }),
            ...(host.cores === null
              ? []
              : [
                  hostRow(of, host, {
                    metric: null,
                    label: 'Cores',
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

const useOf = ({ hosts }: RunFeatures): (number | undefined)[] =>
  hosts.map((host) => busyOf(host)?.mean);
const isCpuFull = (run: RunFeatures): boolean => anyFull(useOf(run), thresholds.cpuFull);

export const cpuSaturated: Rule = {
  find: findSaturated,
  needs: ['hosts', 'hostCpu'],
  isFull: isCpuFull,
  cleared: (run) => sayMost(useOf(run), (most) => `Busiest host ${most} %.`),
};
export const hostsImbalanced: Rule = {
  find: findImbalanced,
  needs: ['hosts', 'hostCpu'],
  isFull: isCpuFull,
  cleared: (run) =>
    sayMost(
      useOf(run),
      (most) => `Busiest host ${most} %; no full host stands beside one with room.`,
    ),
};
export const cpuReady: Rule = {
  find: findReady,
  needs: ['hosts', 'ready'],
  cleared: ({ hosts }) =>
    sayMost(
      hosts.map((host) => readyPerVcpu(host)?.mean),
      (most) => `At most ${most} % a vCPU, or explained by full processors.`,
      1,
    ),
};
