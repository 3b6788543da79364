import { Anchor } from '@mantine/core';
import { Link } from 'react-router';

import { formatSi, noValue, threeFigures } from '../../../../core/base/format.ts';
import { compareWords, type Comparison, formatDelta } from '../../../../core/compare/index.ts';
import type { RunOverview, RunSummary } from '../../../../core/run/run.ts';
import { noiseBand } from '../../../../core/stats/noise.ts';
import { studentT95 } from '../../../../core/stats/summary.ts';
import { compareAddress } from '../../../addresses/compareAddress.ts';
import { useComparison, useRunsOfPlan } from '../../../engine/runData.ts';
import { KeyNumber } from './KeyNumbers.tsx';
import styles from './result.module.css';

/** The run beside the last of its plan that ended by itself, and how the last eight came out. */
export function VersusLast({ overview }: { overview: RunOverview }) {
  const asked = useRunsOfPlan(overview.id);
  if (asked.error !== null)
    return (
      <KeyNumber label="Against the last run" figure={noValue}>
        {asked.error.message}
      </KeyNumber>
    );
  const runs = asked.data ?? [];
  const last = runs.slice(0, -1).findLast(({ state }) => state === 'passed');
  if (overview.state !== 'passed' || last === undefined)
    return (
      <KeyNumber label="Against the last run" figure={noValue} aside={<Strip runs={runs} />}>
        {asked.data === undefined
          ? 'being read'
          : overview.state !== 'passed'
            ? 'only a run that ended by itself is compared'
            : 'the first run of this plan'}
      </KeyNumber>
    );
  return <Against last={last} runs={runs} id={overview.id} />;
}

function Against({ last, runs, id }: { last: RunSummary; runs: RunSummary[]; id: string }) {
  const { data, error } = useComparison(last.id, [id]);
  const found = data === undefined ? null : difference(data, runs);
  return (
    <KeyNumber
      label={`Against ${last.name}`}
      figure={found === null ? noValue : formatDelta(found.deltaPct)}
      unit={found === null ? '' : found.what}
      exact={data?.sentence}
      aside={<Strip runs={runs} />}
    >
      <Anchor
        component={Link}
        to={compareAddress(last.id, [id])}
        inherit
        title={data?.guards.join('\n')}
      >
        {found === null
          ? (error?.message ?? (data === undefined ? 'being compared' : blockedText(data)))
          : found.word}
      </Anchor>
    </KeyNumber>
  );
}

interface Difference {
  deltaPct: number;
  what: string;
  word: string;
}

/** Of the score; without one, of the workload whose throughput changed most. null = none is told. */
function difference({ rows, guards }: Comparison, runs: readonly RunSummary[]): Difference | null {
  if (guards.length > 0) return null;
  const told = (row: Comparison['rows'][number], what: string): Difference[] => {
    const deltaPct = row.deltaPct[1];
    const test = row.tests[1];
    if (deltaPct === undefined || deltaPct === null) return [];
    // Repeats of one plan are one side, and no test tells them apart: their scatter does.
    const word = test ? compareWords[test.word] : repeatWord(deltaPct, runs);
    return [{ deltaPct, what, word }];
  };
  const score = rows.filter((row) => row.key === 'score').flatMap((row) => told(row, 'score'));
  const throughputs = rows
    .filter((row) => row.key.startsWith('throughput.') && !row.key.endsWith('.sum'))
    .flatMap((row) => told(row, row.label.split(',')[0] ?? ''));
  throughputs.sort((a, b) => Math.abs(b.deltaPct) - Math.abs(a.deltaPct));
  return score[0] ?? throughputs[0] ?? null;
}

/** Repeats that are too few tell nothing of their scatter. */
const leastRepeats = 3;

/**
 * A difference between two repeats beside the scatter of those before: within what two runs of one
 * plan differ by in 19 of 20 cases (t · cv · √2), or not.
 */
function repeatWord(deltaPct: number, runs: readonly RunSummary[]): string {
  const scores = runs
    .slice(0, -1)
    .flatMap(({ state, score }) => (state === 'passed' && score !== null ? [score] : []));
  const band = scores.length < leastRepeats ? null : noiseBand([scores]);
  if (band === null) return 'too few repeats to tell noise';
  const widthPct = studentT95(band.df) * band.cv * Math.SQRT2 * 100;
  return Math.abs(deltaPct) <= widthPct
    ? `within noise (±${threeFigures(widthPct)} %)`
    : `beyond noise (±${threeFigures(widthPct)} %)`;
}

/** Why they are not compared, to the first stop: the rest is on hover. */
const blockedText = ({ guards, sentence }: Comparison): string =>
  guards[0] === undefined ? sentence : `not compared: ${guards[0].split(':')[0] ?? ''}`;

/** What a run is drawn by: its score, else what its first workload did. */
const heightOf = ({ score, totals }: RunSummary): number | null =>
  score ?? totals?.[0]?.total ?? null;

/** The last runs of the plan as bars, this one marked. */
function Strip({ runs }: { runs: readonly RunSummary[] }) {
  // Scores and throughputs have no common height.
  const scored = runs.some(({ score }) => score !== null);
  const bars = runs.map((run) => ({ run, value: scored ? run.score : heightOf(run) }));
  const most = Math.max(0, ...bars.map(({ value }) => value ?? 0));
  if (runs.length < 2 || most === 0) return null;
  const text = ({ name }: RunSummary, value: number | null): string =>
    `${name}: ${value === null ? 'no figure' : formatSi(value)}`;
  return (
    <span
      className={styles.strip}
      role="img"
      aria-label={`Last runs of this plan. ${bars.map(({ run, value }) => text(run, value)).join(', ')}`}
    >
      {bars.map(({ run, value }, i) => (
        <i
          key={run.id}
          title={text(run, value)}
          data-now={i === bars.length - 1 || undefined}
          data-none={value === null || undefined}
          style={{ height: `${value === null ? 15 : Math.max(8, (value / most) * 100)}%` }}
        />
      ))}
    </span>
  );
}
