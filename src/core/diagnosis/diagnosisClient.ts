import { align, type Case, coverage, evidence, shares } from './diagnosisEvidence.ts';
import type { ClientFeature, RunFeatures } from './diagnosisFeatures.ts';
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

/** What can speak against a client: each with where it is read, and from where it counts. */
const signs = [
  {
    of: ({ behindPct }: ClientFeature) => behindPct,
    metric: 'clientSaturatedPct',
    label: 'Time the client fell behind its load',
    threshold: thresholds.behind,
    strength: thresholds.behind,
    explain: ({ name, behindPct, cpuPct }: ClientFeature) =>
      `${name}, which makes the load, could not offer it in time ` +
      `${behindPct!.mean.toFixed(0)} % of the time` +
      (cpuPct === null ? '' : `, ${cpuPct.mean.toFixed(0)} % busy as it was`) +
      ': what it measures is its own delay.',
    remedy: 'Use more or faster clients, and run the point again.',
  },
  {
    of: ({ cpuPct }: ClientFeature) => cpuPct,
    metric: 'clientCpuPct',
    label: 'CPU of the client',
    threshold: thresholds.client,
    strength: { from: thresholds.client.from - 5, full: thresholds.client.full },
    explain: ({ name, cpuPct }: ClientFeature) =>
      `${name}, which makes the load, is itself ${cpuPct!.mean.toFixed(0)} % busy: what it ` +
      'measures is its own wait.',
    remedy: 'Use more or faster clients, and run the point again.',
  },
  {
    of: ({ stealPct }: ClientFeature) => stealPct,
    metric: 'stealPct',
    label: 'CPU time of the client, stolen by its host',
    threshold: thresholds.steal,
    strength: thresholds.steal,
    explain: ({ name, stealPct }: ClientFeature) =>
      `${name}, which makes the load, was not given ${stealPct!.mean.toFixed(0)} % of its ` +
      'processor time by the host under it: what it measures is that wait.',
    remedy: 'Move the client to a host with room, and run the point again.',
  },
] as const;

/** The sign that speaks loudest; of two that are as loud the first. */
function loudest(client: ClientFeature): { sign: (typeof signs)[number]; strength: number } {
  const [first, ...rest] = signs.map((sign) => ({
    sign,
    strength: level(sign.of(client)?.mean ?? null, sign.strength),
  }));
  return rest.reduce((most, one) => (one.strength > most.strength ? one : most), first!);
}

function candidateOf(of: Case, client: ClientFeature): Candidate[] {
  const { sign, strength } = loudest(client);
  const trace = sign.of(client);
  if (strength < 0.05 || trace === null) return [];
  const earlier = of.before?.clients.find((one) => one.id === client.id);
  const sits = (one: Case['failing'][number]): boolean => one.workload.clientId === client.id;
  const was = earlier && sign.of(earlier)?.mean;
  const on = coverage(of, sits),
    alignment = align(of, shares(trace, sign.threshold.from), of.failing.find(sits));
  return [
    {
      cause: 'client',
      subjects: [client.name],
      refs: [client.id],
      alignment,
      on,
      score: explains(strength, on, riseWeight(was, trace.mean, 10), alignment),
      evidence: signs.flatMap(({ of: read, metric, label, threshold }) => {
        const now = read(client);
        return now === null
          ? []
          : [
              evidence(of, {
                metric,
                label,
                id: client.id,
                name: client.name,
                unit: '%',
                before: earlier && read(earlier)?.mean,
                after: now.mean,
                threshold,
                seriesIds: now.seriesIds,
              }),
            ];
      }),
      explanation: sign.explain(client),
      remedy: sign.remedy,
      ...(client.behindPct === null ? {} : { behindPct: client.behindPct.mean }),
    },
  ];
}

const usesOf = ({ clients }: RunFeatures): (number | undefined)[] =>
  clients.map((one) => one.cpuPct?.mean);
const behindOf = ({ clients }: RunFeatures): (number | undefined)[] =>
  clients.map((one) => one.behindPct?.mean);
const stolenOf = ({ clients }: RunFeatures): (number | undefined)[] =>
  clients.map((one) => one.stealPct?.mean);

export const client: Rule = {
  find: (of) => worstOf(of.after.clients.flatMap((one) => candidateOf(of, one))),
  needs: ['clientCpu'],
  isFull: (run) =>
    anyFull(usesOf(run), thresholds.cpuFull) ||
    anyFull(behindOf(run), thresholds.behind) ||
    anyFull(stolenOf(run), thresholds.steal),
  cleared: (run) => sayMost(usesOf(run), (most) => `Busiest client ${most} %.`),
};
