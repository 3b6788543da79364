import { Anchor } from '@mantine/core';
import { Link } from 'react-router';

import { formatSi, noValue } from '../../../../core/base/format.ts';
import { compareWords, type Comparison, formatDelta } from '../../../../core/compare/index.ts';
import type { RunOverview, RunSummary } from '../../../../core/run/run.ts';
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
      <KeyNumber label="Against the last run" figure={noValue}>
        {asked.data === undefined
          ? 'being read'
          : overview.state !== 'passed'
            ? 'only a run that ended by itself is compared'
            : 'the first run of this plan'}
        <Strip runs={runs} />
      </KeyNumber>
    );
  return <Against last={last} runs={runs} id={overview.id} />;
}

function Against({ last, runs, id }: { last: RunSummary; runs: RunSummary[]; id: string }) {
  const { data, error } = useComparison(last.id, [id]);
  const found = data === undefined ? null : difference(data);
  return (
    <KeyNumber
      label={`Against ${last.name}`}
      figure={found === null ? noValue : formatDelta(found.deltaPct)}
      unit={found === null ? '' : found.what}
      exact={data?.sentence}
    >
      <Anchor component={Link} to={compareAddress(last.id, [id])} inherit>
        {found === null
          ? (error?.message ?? (data === undefined ? 'being compared' : blockedText(data)))
          : found.word}
      </Anchor>
      <Strip runs={runs} />
    </KeyNumber>
  );
}

interface Difference {
  deltaPct: number;
  what: string;
  word: string;
}

/** Of the score; without one, of the workload whose throughput changed most. null = none is told. */
function difference({ rows, guards }: Comparison): Difference | null {
  if (guards.length > 0) return null;
  const told = (row: Comparison['rows'][number], what: string): Difference[] => {
    const deltaPct = row.deltaPct[1];
    const test = row.tests[1];
    return deltaPct === undefined || deltaPct === null || test === undefined || test === null
      ? []
      : [{ deltaPct, what, word: compareWords[test.word] }];
  };
  const score = rows.filter((row) => row.key === 'score').flatMap((row) => told(row, 'score'));
  const throughputs = rows
    .filter((row) => row.key.startsWith('throughput.') && !row.key.endsWith('.sum'))
    .flatMap((row) => told(row, row.label.split(',')[0] ?? ''));
  throughputs.sort((a, b) => Math.abs(b.deltaPct) - Math.abs(a.deltaPct));
  return score[0] ?? throughputs[0] ?? null;
}

const blockedText = ({ guards, sentence }: Comparison): string => guards[0] ?? sentence;

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
