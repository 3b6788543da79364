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

/** How much speaks against a client: its processors, and what its own programs say of their delay. */
function strengthOf({ cpuPct, behindPct }: ClientFeature): { busy: number; behind: number } {
  return {
    busy: level(cpuPct?.mean ?? null, {
      from: thresholds.client.from - 5,
      full: thresholds.client.full,
    }),
    behind: level(behindPct?.mean ?? null, thresholds.behind),
  };
}

const explanationOf = ({ name, cpuPct, behindPct }: ClientFeature, behind: boolean): string =>
  behind
    ? `${name}, which makes the load, could not offer it in time ` +
      `${behindPct!.mean.toFixed(0)} % of the time` +
      (cpuPct === null ? '' : `, ${cpuPct.mean.toFixed(0)} % busy as it was`) +
      ': what it measures is its own delay.'
    : `${name}, which makes the load, is itself ${cpuPct!.mean.toFixed(0)} % busy: what ` +
      'it measures is its own wait.';

function candidateOf(of: Case, client: ClientFeature): Candidate[] {
  const { busy, behind } = strengthOf(client);
  const strength = Math.max(busy, behind);
  if (strength < 0.05) return [];
  const earlier = of.before?.clients.find((one) => one.id === client.id);
  const sits = (one: Case['failing'][number]): boolean => one.workload.clientId === client.id;
  const isBehind = behind >= busy;
  const trace = isBehind ? client.behindPct : client.cpuPct;
  const threshold = isBehind ? thresholds.behind : thresholds.client;
  const was = (isBehind ? earlier?.behindPct : earlier?.cpuPct)?.mean;
  const on = coverage(of, sits),
    alignment = align(of, shares(trace, threshold.from), of.failing.find(sits));
  const about = { id: client.id, name: client.name, unit: '%' };
  return [
    {
      cause: 'client',
      subjects: [client.name],
      refs: [client.id],
      alignment,
      on,
      score: explains(strength, on, riseWeight(was, trace!.mean, 10), alignment),
      evidence: [
        ...(client.behindPct === null
          ? []
          : [
              evidence(of, {
                metric: 'clientSaturatedPct',
                label: 'Time the client fell behind its load',
                ...about,
                before: earlier?.behindPct?.mean,
                after: client.behindPct.mean,
                threshold: thresholds.behind,
                seriesIds: client.behindPct.seriesIds,
              }),
            ]),
        ...(client.cpuPct === null
          ? []
          : [
              evidence(of, {
                metric: 'clientCpuPct',
                label: 'CPU of the client',
                ...about,
                before: earlier?.cpuPct?.mean,
                after: client.cpuPct.mean,
                threshold: thresholds.client,
                seriesIds: client.cpuPct.seriesIds,
              }),
            ]),
      ],
      explanation: explanationOf(client, isBehind),
      remedy: 'Use more or faster clients, and run the point again.',
      ...(client.behindPct === null ? {} : { behindPct: client.behindPct.mean }),
    },
  ];
}

const usesOf = ({ clients }: RunFeatures): (number | undefined)[] =>
  clients.map((one) => one.cpuPct?.mean);
const behindOf = ({ clients }: RunFeatures): (number | undefined)[] =>
  clients.map((one) => one.behindPct?.mean);

export const client: Rule = {
  find: (of) => worstOf(of.after.clients.flatMap((one) => candidateOf(of, one))),
  needs: ['clientCpu'],
  isFull: (run) =>
    anyFull(usesOf(run), thresholds.cpuFull) || anyFull(behindOf(run), thresholds.behind),
  cleared: (run) => sayMost(usesOf(run), (most) => `Busiest client ${most} %.`),
};
