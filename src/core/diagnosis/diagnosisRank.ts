import { byNaturalOrder } from '../base/naturalOrder.ts';
import { type Cause, causeWords, type Diagnosis, type Hypothesis } from './diagnosis.ts';
import { clientRule, operationsRule, uplinkRule } from './diagnosisEdgeRules.ts';
import type { Case } from './diagnosisEvidence.ts';
import { type AskedMore, failingWorkloads } from './diagnosisFailing.ts';
import type { RunFeatures } from './diagnosisFeatures.ts';
import { cpuRule, hostGaps, memoryRule, powerCapRule, readyRule } from './diagnosisHostRules.ts';
import { storageRules } from './diagnosisStorageRules.ts';
import { type Threshold, thresholds } from './diagnosisThresholds.ts';
import type { Candidate } from './diagnosisTypes.ts';

/** Below this a candidate is no hypothesis. */
const least = 0.3;
const confidenceOf = (score: number): Hypothesis['confidence'] =>
  score >= 0.75 ? 'strong' : score >= 0.5 ? 'likely' : 'possible';

/**
 * Why the second run fell short of the first: candidates of all rules, weighed against each other,
 * best first. Pure and deterministic.
 * `before` null: one run alone, judged by its own limits. `about`: the workload the question is about, where it is about one.
 */
export function diagnose(
  before: RunFeatures | null,
  after: RunFeatures,
  about: string | null = null,
  more: AskedMore | null = null,
): Diagnosis {
  const failing = failingWorkloads(before, after, about, more);
  const of: Case = { before, after, failing };
  const all = [
    cpuRule,
    readyRule,
    powerCapRule,
    memoryRule,
    storageRules,
    uplinkRule,
    clientRule,
    operationsRule,
  ].flatMap((rule) => rule(of));
  const weighed = weigh(all).sort((a, b) => b.score - a.score || byNaturalOrder(a.cause, b.cause));
  const hypotheses = failing.length === 0 ? [] : weighed.filter((one) => one.score >= least);
  const notMeasured = gaps(of);
  const unknown = new Set(notMeasured.flatMap((one) => one.causes));
  const cleared = (Object.keys(causeWords) as Cause[]).filter(
    (cause) =>
      !unknown.has(cause) &&
      !hypotheses.some((one) => one.cause === cause) &&
      !isFull(after, cause),
  );
  const healthy =
    hypotheses[0]?.cause === 'cpuSaturated' &&
    hypotheses[0].everywhere === true &&
    !hypotheses.slice(1).some((one) => one.score > 0.8 * hypotheses[0]!.score);
  return {
    before: before === null ? null : refOf(before),
    after: refOf(after),
    healthy,
    sentence: sentenceOf(of, hypotheses, healthy),
    failing: failing.map(
      ({ workload: _workload, severity: _severity, overLimit: _over, ...one }) => one,
    ),
    hypotheses: hypotheses.map((one) => ({
      cause: one.cause,
      title:
        one.cause === 'cpuSaturated' && one.everywhere === true
          ? 'The testbed is full: host CPU'
          : causeWords[one.cause],
      subjects: one.subjects,
      score: Math.round(Math.min(1, one.score) * 1_000) / 1_000,
      confidence: confidenceOf(one.score),
      explanation: one.explanation,
      remedy: one.remedy,
      evidence: one.evidence,
      alignment: one.alignment,
      failing: { on: one.on.on, of: one.on.of, tiles: one.on.tiles },
    })),
    cleared: cleared.map((cause) => ({ cause, words: clearedWords(of, cause) })),
    notMeasured,
  };
}

const refOf = ({ runId, name, tiles, label }: RunFeatures): Diagnosis['after'] => ({
  runId,
  name,
  tiles,
  label,
});

/** Explains away: a cause that is the consequence of another one counts for less. */
function weigh(all: readonly Candidate[]): Candidate[] {
  const find = (cause: Cause): Candidate | undefined => all.find((one) => one.cause === cause);
  const scaled = new Map<Candidate, number>();
  const lower = (one: Candidate | undefined, by: number): void => {
    if (one !== undefined) scaled.set(one, (scaled.get(one) ?? 1) * by);
  };
  const cap = find('powerCap');
  // Cores that are busy because their clock is held down would not be at full clock.
  if (cap !== undefined && (cap.lostPct ?? 0) >= 10)
    for (const cause of ['cpuSaturated', 'hostsImbalanced', 'cpuReady'] as const) {
      const one = find(cause);
      if (one !== undefined && one.refs.some((ref) => cap.refs.includes(ref))) lower(one, 0.55);
    }
  const operations = find('operations');
  // What is full only because of the operations is their doing.
  if (operations !== undefined && operations.score >= 0.75)
    for (const cause of ['spindles', 'lunQueue', 'deviceLatency', 'cpuReady'] as const)
      lower(find(cause), 0.75);
  return all.map((one) => ({ ...one, score: Math.min(1, one.score * (scaled.get(one) ?? 1)) }));
}

function gaps({ after, failing }: Case): Diagnosis['notMeasured'] {
  const out: Diagnosis['notMeasured'] = [];
  const some = <T extends { name: string }>(
    what: string,
    list: readonly T[],
    missing: (one: T) => boolean,
    causes: Cause[],
    why: string,
  ): void => {
    const without = list.filter(missing);
    if (list.length === 0 || without.length === list.length) out.push({ what, why, causes });
    else if (without.length > 0)
      out.push({
        what: `${what}: ${without
          .slice(0, 5)
          .map((one) => one.name)
          .join(', ')}${without.length > 5 ? ` and ${without.length - 5} more` : ''}`,
        why,
        causes: [],
      });
  };
  for (const { what, missing, causes } of hostGaps(after))
    some(what, after.hosts, missing, causes, 'No samples from vCenter in the steady state.');
  const limited = after.hosts.filter((host) => host.powerCapW !== null);
  if (after.hosts.length > 0 && limited.length === 0)
    out.push({
      what: 'Power limits of the hosts',
      why: 'No host tells of one. A clock below nominal would still be seen.',
      causes: [],
    });
  some(
    'Device latency of the datastores',
    after.stores,
    (store) => store.deviceMs === null,
    ['spindles', 'deviceLatency'],
    'No samples from vCenter in the steady state.',
  );
  some(
    'Queue and kernel latency of the datastores',
    after.stores,
    (store) => store.kernelMs === null && store.queueMs === null,
    ['lunQueue'],
    'No samples from vCenter in the steady state.',
  );
  some(
    'Use of the uplinks',
    after.uplinks,
    (one) => one.kbps === null || one.speedMbps === null,
    ['uplink'],
    after.uplinks.length === 0
      ? 'This vCenter counts no adapter on its own.'
      : 'No samples, or the speed of the link is not known.',
  );
  some(
    'CPU of the clients',
    after.clients,
    (one) => one.cpuPct === null,
    ['client'],
    'No reading of /proc/stat over SSH.',
  );
  if (!after.operationsWatched)
    out.push({
      what: 'Infrastructure operations and moves of VMs',
      why: 'The plan runs none, and moves were not watched.',
      causes: ['operations'],
    });
  const unplaced = failing.filter((one) => one.workload.hostRef === null);
  if (unplaced.length > 0)
    out.push({
      what: `Place of ${unplaced.length} failing workloads`,
      why: 'vCenter names no host of their VMs.',
      causes: [],
    });
  out.push({
    what: 'Inside the guests: their vCPUs, memory, locks and software',
    why: 'Tilebench reads no counters inside VMs.',
    causes: [],
  });
  out.push({
    what: 'Physical switches and fabric',
    why: 'Tilebench reads no counters of switches.',
    causes: [],
  });
  return out;
}

/**
 * Whether a resource is full as its counters stand: what is full is never cleared, whether it
 * explains the shortfall or not.
 */
function isFull({ hosts, uplinks, clients, stores }: RunFeatures, cause: Cause): boolean {
  const any = (values: readonly (number | null | undefined)[], threshold: Threshold): boolean =>
    values.some((value) => value != null && value >= threshold.full);
  switch (cause) {
    case 'cpuSaturated':
    case 'hostsImbalanced':
      return any(
        hosts.map((host) => (host.busyPct ?? host.cpuPct)?.mean),
        thresholds.cpuFull,
      );
    case 'memory':
      return any(
        hosts.map((host) => host.swapInKBps?.mean),
        thresholds.swapIn,
      );
    case 'lunQueue':
      return any(
        stores.map((store) => Math.max(store.kernelMs?.mean ?? 0, store.queueMs?.mean ?? 0)),
        thresholds.queue,
      );
    case 'spindles':
    case 'deviceLatency':
      return any(
        stores.map((store) => store.deviceMs?.mean),
        thresholds.device,
      );
    case 'uplink':
      return any(
        uplinks.map((one) =>
          one.kbps && one.speedMbps ? (one.kbps.mean * 8) / 10 / one.speedMbps : null,
        ),
        thresholds.uplink,
      );
    case 'client':
      return any(
        clients.map((one) => one.cpuPct?.mean),
        thresholds.cpuFull,
      );
    case 'cpuReady':
    case 'powerCap':
    case 'operations':
      return false;
  }
}

/** The figure that came nearest to its threshold, in words. */
function clearedWords({ after }: Case, cause: Cause): string {
  const most = (values: readonly (number | null | undefined)[]): number | null => {
    const known = values.filter((v): v is number => v != null);
    return known.length === 0 ? null : Math.max(...known);
  };
  const say = (value: number | null, text: (v: string) => string, digits = 0): string =>
    value === null ? 'Below its threshold.' : text(value.toFixed(digits));
  switch (cause) {
    case 'cpuSaturated':
      return say(
        most(after.hosts.map((h) => (h.busyPct ?? h.cpuPct)?.mean)),
        (v) => `Busiest host ${v} %.`,
      );
    case 'hostsImbalanced':
      return say(
        most(after.hosts.map((h) => (h.busyPct ?? h.cpuPct)?.mean)),
        (v) => `Busiest host ${v} %; no full host stands beside one with room.`,
      );
    case 'cpuReady':
      return say(
        most(
          after.hosts.map((h) => (h.readyPct && h.vcpus > 0 ? h.readyPct.mean / h.vcpus : null)),
        ),
        (v) => `At most ${v} % a vCPU, or explained by full processors.`,
        1,
      );
    case 'powerCap':
      return 'The processors keep their clock.';
    case 'memory':
      return say(
        most(after.hosts.map((h) => h.swapInKBps?.mean)),
        (v) => `At most ${v} KB/s read back from swap.`,
      );
    case 'lunQueue':
      return say(
        most(after.stores.map((s) => Math.max(s.kernelMs?.mean ?? 0, s.queueMs?.mean ?? 0))),
        (v) => `At most ${v} ms in the queue.`,
        1,
      );
    case 'spindles':
    case 'deviceLatency':
      return say(
        most(after.stores.map((s) => s.deviceMs?.mean)),
        (v) => `At most ${v} ms at the device.`,
        1,
      );
    case 'uplink':
      return say(
        most(
          after.uplinks.map((u) =>
            u.kbps && u.speedMbps ? (u.kbps.mean * 8) / 10 / u.speedMbps : null,
          ),
        ),
        (v) => `Busiest link ${v} %.`,
      );
    case 'client':
      return say(most(after.clients.map((c) => c.cpuPct?.mean)), (v) => `Busiest client ${v} %.`);
    case 'operations':
      return after.operations.length === 0
        ? 'None ran in the steady state.'
        : 'Workloads are no slower while they run.';
  }
}

function sentenceOf(
  { before, after, failing }: Case,
  hypotheses: readonly Candidate[],
  healthy: boolean,
): string {
  const whose =
    before === null || before.runId === after.runId
      ? after.label.replace(/[.:]$/, '')
      : `${after.label} after ${before.label}`;
  if (failing.length === 0)
    return before === null
      ? `${whose}: no quality limit is broken. A second run tells whether it does less.`
      : `${whose}: no quality limit is broken, and no workload falls behind the first run.`;
  const kinds = [...new Set(failing.map((one) => one.workload.workloadId))];
  const what =
    `${failing.length} of ${after.workloads.length} workloads ` +
    `${failing[0]!.why === 'qos' ? 'break a quality limit' : 'do less than before'} ` +
    `(${kinds.slice(0, 4).join(', ')}${kinds.length > 4 ? ' and more' : ''})`;
  const first = hypotheses[0];
  if (first === undefined)
    return `${whose}: ${what}. None of the counters that were measured explains it.`;
  if (healthy) return `${whose}: ${what}, as the testbed is full. ${first.explanation}`;
  return (
    `${whose}: ${what}. ` +
    `${confidenceOf(first.score) === 'possible' ? 'Possibly' : confidenceOf(first.score) === 'likely' ? 'Likely' : 'Most likely'} ` +
    `${causeWords[first.cause].replace(/^[A-Z](?=[a-z])/, (c) => c.toLowerCase())}: ` +
    `${first.subjects.slice(0, 4).join(', ')}.`
  );
}
