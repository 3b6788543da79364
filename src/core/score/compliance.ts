import type { Profile, ProfileRule } from '../profile/profile.ts';
import type { RunRecord } from '../run/run.ts';
import type { Score, WorkloadScore } from '../run/scoreTypes.ts';

/** One rule of a profile against one run. */
export interface ComplianceFinding {
  ruleId: string;
  text: string;
  source: string;
  /**
   * `open`: only a person can tell, nothing here decides it. `unproven`: it could be measured and
   * was not.
   */
  state: 'kept' | 'broken' | 'unproven' | 'open';
  evidence: string;
}

/**
 * Most of a period, in percent, that a client may fall behind its load where the profile says
 * nothing. No benchmark is known to give a figure: this app's choice.
 */
const mostBehindPct = 1;

/** Rules every profile has, where it does not state its own of that kind. */
function rulesOf(profile: Profile, score: Score | null): ProfileRule[] {
  const own = profile.rules ?? [];
  const add = (kind: ProfileRule['kind'], rule: ProfileRule): ProfileRule[] =>
    own.some((r) => r.kind === kind) ? [] : [rule];
  const source = `profile ${profile.name} ${profile.version}`;
  return [
    ...add('allTilesReport', {
      id: 'allTilesReport',
      kind: 'allTilesReport',
      text: 'Every scored workload of every tile is measured in every period',
      source,
    }),
    ...add('qosEveryPeriod', {
      id: 'qosEveryPeriod',
      kind: 'qosEveryPeriod',
      text: 'Every QoS limit holds in every period',
      source,
    }),
    ...(profile.minimumHosts > 1
      ? add('minimumHosts', {
          id: 'minimumHosts',
          kind: 'minimumHosts',
          value: profile.minimumHosts,
          text: `At least ${profile.minimumHosts} hosts`,
          source,
        })
      : []),
    // Only where a program told whether its client kept up.
    ...(score !== null && each(score).some(({ workload }) => workload.saturatedPct !== undefined)
      ? add('clientsKeptUp', {
          id: 'clientsKeptUp',
          kind: 'clientsKeptUp',
          value: mostBehindPct,
          text: `Clients offer their load in time for at least ${100 - mostBehindPct} % of every period`,
          source: "this app's choice",
        })
      : []),
    ...own,
  ];
}

/** Every rule of the run's profile against the run, in the profile's order. */
export function complianceFindings(
  record: RunRecord,
  score: Score | null = record.overview.score,
): ComplianceFinding[] {
  return rulesOf(record.profile, score).map((rule) => ({
    ruleId: rule.id,
    text: rule.text,
    source: rule.source,
    ...judgeRule(rule, record, score),
  }));
}

type Outcome = Pick<ComplianceFinding, 'state' | 'evidence'>;
const kept = (evidence: string): Outcome => ({ state: 'kept', evidence });
const broken = (evidence: string): Outcome => ({ state: 'broken', evidence });
const unproven = (evidence: string): Outcome => ({ state: 'unproven', evidence });

function judgeRule(rule: ProfileRule, record: RunRecord, score: Score | null): Outcome {
  if (rule.kind === 'statement') return { state: 'open', evidence: 'A person has to confirm it' };
  if (rule.kind === 'minimumHosts')
    return judgeHosts(rule.value ?? record.profile.minimumHosts, record);
  if (score === null || score.periods.length === 0)
    return unproven('No measurement period was scored');
  switch (rule.kind) {
    case 'allTilesReport': {
      const gaps = each(score).filter(
        ({ workload }) => workload.scored && workload.throughput === null,
      );
      return gaps.length === 0
        ? kept(
            `${score.tiles} ${score.tiles === 1 ? 'tile' : 'tiles'}, ${score.periods.length} ` +
              (score.periods.length === 1 ? 'period' : 'periods'),
          )
        : broken(`${named(gaps)}: no sample`);
    }
    case 'qosEveryPeriod': {
      const first = score.periods[0]!.index;
      // A limit over the steady state stands in each period with the same figure: it is one limit.
      const limits = each(score).flatMap((at) =>
        at.workload.qos
          .filter((q) => q.over !== 'steady' || at.period === first)
          .map((q) => ({ ...at, q, steady: q.over === 'steady' })),
      );
      const missed = limits.filter(({ q }) => q.passed === false);
      const unmeasured = limits.filter(({ q }) => q.passed === null);
      if (missed.length > 0) return broken(`Missed by ${named(missed)}`);
      return unmeasured.length > 0
        ? unproven(`Not measured: ${named(unmeasured)}`)
        : kept(
            limits.length === 0
              ? 'The profile sets no limit with a figure'
              : `${limits.length} limits looked at`,
          );
    }
    case 'clientsKeptUp':
      return judgeClients(rule.value ?? mostBehindPct, record, score);
    case 'standbyAlive':
      return judgeStandby(rule, record, score);
    case 'noDroppedConnection': {
      const failing = each(score).filter(({ workload }) => (workload.errorsPerS ?? 0) > 0);
      if (failing.length > 0) return broken(`Failures in ${named(failing)}`);
      const silent = [
        ...new Set(
          each(score)
            .filter(({ workload }) => workload.scored && workload.errorsPerS === undefined)
            .map(({ workload }) => workload.name),
        ),
      ];
      return silent.length > 0
        ? unproven(`The driver of ${silent.join(', ')} counts no failures`)
        : kept('No failure counted');
    }
  }
}

interface At {
  workload: WorkloadScore;
  tile: number;
  period: number;
  /** What is said of it holds for the steady state as a whole. */
  steady?: boolean;
}
const each = (score: Score): At[] =>
  score.periods.flatMap((p) =>
    p.tiles.flatMap((t) =>
      t.workloads.map((workload) => ({ workload, tile: t.tile, period: p.index })),
    ),
  );
/** The first three in words, and how many more. */
function named(list: readonly At[]): string {
  const words = list
    .slice(0, 3)
    .map(
      ({ workload, tile, period, steady }) =>
        `tile ${tile + 1} ${workload.name} ${steady ? 'over the steady state' : `in period ${period + 1}`}`,
    );
  return `${words.join(', ')}${list.length > 3 ? ` and ${list.length - 3} more` : ''}`;
}

function judgeClients(mostPct: number, { overview, clients }: RunRecord, score: Score): Outcome {
  const told = each(score).filter(({ workload }) => workload.saturatedPct !== undefined);
  if (told.length === 0) return unproven('No program told whether its client kept up');
  const behind = told
    .filter(({ workload }) => workload.saturatedPct! > mostPct)
    .sort((a, b) => b.workload.saturatedPct! - a.workload.saturatedPct!);
  if (behind.length === 0)
    return kept(`At most ${Math.max(...told.map((t) => t.workload.saturatedPct!)).toFixed(1)} %`);
  const clientOf = ({ tile, workload }: At): string => {
    const id = overview.workloads.find(
      (w) => w.tile === tile && w.workloadId === workload.workloadId,
    )?.clientId;
    return clients.find((one) => one.id === id)?.name ?? id ?? 'its client';
  };
  const [worst, ...rest] = behind as [At, ...At[]];
  const share = worst.workload.saturatedPct!.toFixed(1);
  return broken(
    `${clientOf(worst)} fell behind ${share} % of the time with ${named([worst])}` +
      (rest.length > 0 ? `, and ${rest.length} more` : ''),
  );
}

function judgeStandby(rule: ProfileRule, { profile }: RunRecord, score: Score): Outcome {
  const ids = new Set(profile.workloads.filter((w) => w.role === 'standby').map((w) => w.id));
  if (ids.size === 0) return unproven('The profile has no workload of role standby');
  const alive = score.periods.map(
    (p) =>
      p.tiles
        .flatMap((t) => t.workloads)
        .filter((w) => ids.has(w.workloadId) && w.throughput !== null && w.throughput > 0).length,
  );
  const needed = rule.value ?? ids.size * score.tiles;
  const least = Math.min(...alive);
  const words = `${least} of ${ids.size * score.tiles} standby VMs answered in every period, ${needed} needed`;
  return least >= needed ? kept(words) : broken(words);
}

/**
 * Hosts under test: those of every cluster that runs a VM of the testbed; without a cluster, the
 * hosts of those VMs.
 */
function judgeHosts(
  needed: number,
  { inventoryBefore: inventory, testbed, plan }: RunRecord,
): Outcome {
  if (inventory === null)
    return unproven(`The number of hosts is not known without a vCenter, ${needed} needed`);
  const refs = new Set(
    testbed.tiles
      .slice(0, plan.tiles)
      .flatMap((t) => t.workloads.flatMap((w) => (w.vm ? [w.vm.ref] : []))),
  );
  const hosts = new Set(
    inventory.vms
      .filter((vm) => refs.has(vm.ref))
      .flatMap((vm) => (vm.hostRef ? [vm.hostRef] : [])),
  );
  for (const cluster of inventory.clusters)
    if (cluster.hostRefs.some((ref) => hosts.has(ref)))
      for (const ref of cluster.hostRefs) hosts.add(ref);
  const words = `${hosts.size} ${hosts.size === 1 ? 'host' : 'hosts'} under test, ${needed} needed`;
  return hosts.size >= needed ? kept(words) : broken(words);
}
