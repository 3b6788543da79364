import { Text } from '@mantine/core';
import { IconPackage } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { RunSummary } from '../../shared/run.ts';
import { formatElapsed, formatExact, formatSi } from '../charts/format.ts';
import { OriginMark } from '../runs/OriginMark.tsx';
import { StudyLink } from '../studies/StudyLink.tsx';
import { RunStateBadge } from '../runs/RunStateBadge.tsx';
import { dim } from '../runs/tones.ts';

export interface HistoryColumn {
  id: string; label: string; width: number; align?: 'right';
  /** Sort key; null sorts last in both directions. */
  key: (run: RunSummary) => string | number | null;
  cell: (run: RunSummary) => ReactNode;
  shownAtFirst: boolean;
}

const originWords = { real: 'Real', simulated: 'SIMULATED', replay: 'REPLAY' } as const;
const dash = <Text span inherit c={dim}>–</Text>;

/** The name, with its mark when no real machine was measured: the mark cannot be hidden with a column. */
function NameCell({ run }: { run: RunSummary }) {
  // What tells the runs of a study apart stands at the end of their names: here it comes first.
  const cut = run.study === null ? -1 : run.name.lastIndexOf(': ');
  return <><OriginMark origin={run.origin} />{run.importedFrom !== undefined && <IconPackage size={14} role="img" aria-label={`From bundle ${run.importedFrom}`} style={{ marginRight: 6, flexShrink: 0, verticalAlign: '-2px' }} />}<span title={run.name}>{cut < 0 ? run.name : <>{run.name.slice(cut + 2)}<Text span inherit c={dim}>{`, ${run.name.slice(0, cut)}`}</Text></>}</span></>;
}

/** Local date and time, the same width in every row: `2026-11-20 14:05`. */
export function formatDateTime(epochMs: number): string {
  const d = new Date(epochMs);
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${two(d.getHours())}:${two(d.getMinutes())}`;
}

export const historyColumns: readonly HistoryColumn[] = [
  { id: 'name', label: 'Name', width: 228, key: (r) => r.name.toLowerCase(), cell: (r) => <NameCell run={r} />, shownAtFirst: true },
  { id: 'state', label: 'State', width: 130, key: (r) => r.state, cell: (r) => <RunStateBadge state={r.state} compliant={r.compliant} short />, shownAtFirst: true },
  { id: 'score', label: 'Score', width: 64, align: 'right', key: (r) => r.score, cell: (r) => (r.score === null ? dash : <span title={formatExact(r.score, 6)}>{formatExact(r.score, 2)}</span>), shownAtFirst: true },
  { id: 'tiles', label: 'Tiles', width: 56, align: 'right', key: (r) => r.tiles, cell: (r) => r.tiles, shownAtFirst: true },
  { id: 'started', label: 'Started', width: 132, key: (r) => r.startedAtMs, cell: (r) => (r.startedAtMs === null ? dash : formatDateTime(r.startedAtMs)), shownAtFirst: true },
  { id: 'duration', label: 'Duration', width: 78, align: 'right', key: (r) => r.durationS, cell: (r) => (r.durationS === null ? dash : formatElapsed(r.durationS * 1000)), shownAtFirst: true },
  { id: 'power', label: 'Mean power', width: 98, align: 'right', key: (r) => r.meanPowerW, cell: (r) => (r.meanPowerW === null ? dash : <span title={`${r.meanPowerW} W`}>{`${formatSi(r.meanPowerW)} W`}</span>), shownAtFirst: true },
  { id: 'profile', label: 'Profile', width: 150, key: (r) => r.profileName, cell: (r) => r.profileName, shownAtFirst: false },
  { id: 'study', label: 'Study', width: 170, key: (r) => r.study?.id ?? null, cell: (r) => (r.study === null ? dash : <StudyLink study={r.study} />), shownAtFirst: false },
  { id: 'testbed', label: 'Testbed', width: 120, key: (r) => r.testbedName, cell: (r) => r.testbedName, shownAtFirst: false },
  { id: 'origin', label: 'Origin', width: 100, key: (r) => r.origin, cell: (r) => originWords[r.origin], shownAtFirst: false },
  { id: 'samples', label: 'Samples', width: 92, align: 'right', key: (r) => r.sampleCount, cell: (r) => <span title={formatExact(r.sampleCount, 0)}>{formatSi(r.sampleCount)}</span>, shownAtFirst: false },
  { id: 'result', label: 'Result', width: 120, key: (r) => r.resultName, cell: (r) => r.resultName, shownAtFirst: false },
];

export interface HistorySort { columnId: string; descending: boolean }

/** Sorted copy; equal keys keep their order, missing ones come last whichever way. */
export function sortRuns(runs: readonly RunSummary[], sort: HistorySort): RunSummary[] {
  const column = historyColumns.find((c) => c.id === sort.columnId);
  if (column === undefined) return [...runs];
  const keyed = runs.map((run) => ({ run, key: column.key(run) }));
  const sign = sort.descending ? -1 : 1;
  keyed.sort((a, b) => {
    if (a.key === null || b.key === null) return a.key === b.key ? 0 : a.key === null ? 1 : -1;
    return a.key < b.key ? -sign : a.key > b.key ? sign : 0;
  });
  return keyed.map((k) => k.run);
}
