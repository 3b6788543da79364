import { Text } from '@mantine/core';
import { IconChartDots, IconMessage, IconPackage, IconPlayerPlay } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

import { formatElapsed, formatExact, formatSi, quantityText } from '../../../core/base/format.ts';
import { byLooseOrder } from '../../../core/base/naturalOrder.ts';
import type { HistoryEntry } from '../../../core/history/history.ts';
import { startOrder } from '../../../core/run/newestFirst.ts';
import { isEnd } from '../../../core/run/states.ts';
import { totalsText } from '../../../core/score/totals.ts';
import type { HistorySort } from '../../engine/historyState.ts';
import { formatDateTime } from '../../kit/formatDateTime.ts';
import { OriginMark } from '../../kit/OriginMark.tsx';
import { RunStateBadge } from '../../kit/RunStateBadge.tsx';
import { StudyLink } from '../../kit/StudyLink.tsx';
import { StudyStateBadge } from '../../kit/StudyStateBadge.tsx';
import { dim } from '../../kit/tones.ts';
import { ActiveState } from './ActiveState.tsx';
import { formatBytes, kindWords, pathOf, stateOf } from './entryWords.ts';
import styles from './history.module.css';
import { nameParts } from './nameParts.ts';
import { notePlain } from './notes/markdownModel.ts';

type Run = Extract<HistoryEntry, { kind: 'run' }>;
export interface HistoryColumn {
  id: string;
  label: string;
  width: number;
  align?: 'right';
  /** Sort key; null sorts last in both directions. */
  key: (entry: HistoryEntry) => string | number | null;
  /** Its values have no order: its head does not sort. */ unsortable?: true;
  /** What its width goes by; without it a column has its own. */
  text?: (entry: HistoryEntry) => string;
  cell: (entry: HistoryEntry) => ReactNode;
  shownAtFirst: boolean;
}

const originWords = { real: 'Real', simulated: 'SIMULATED', replay: 'REPLAY' } as const;
const dash = (
  <Text span inherit c={dim}>
    –
  </Text>
);
const ofRun = <T,>(entry: HistoryEntry, of: (run: Run) => T | null): T | null =>
  entry.kind === 'run' ? of(entry) : null;
const orDash = (value: ReactNode): ReactNode => value ?? dash;
/** A run that goes on. */
const isActiveRun = (entry: HistoryEntry): boolean => entry.kind === 'run' && !isEnd(entry.state);
const kindIcons = { run: IconPlayerPlay, study: IconChartDots } as const;

/**
 * The name with its marks: what it is and that no real machine was measured cannot be hidden with a
 * column.
 */
function NameCell({ entry }: { entry: HistoryEntry }) {
  const KindIcon = kindIcons[entry.kind];
  // What tells the runs of a study apart stands at the end of their names: here it comes first.
  const cut = entry.kind === 'run' && entry.study !== null ? entry.name.lastIndexOf(': ') : -1;
  const imported = entry.kind === 'run' ? entry.importedFrom : undefined;
  return (
    <>
      <KindIcon size={14} role="img" aria-label={kindWords[entry.kind]} className={styles.mark} />{' '}
      <OriginMark origin={entry.origin} />
      {imported !== undefined && (
        <IconPackage
          size={14}
          role="img"
          aria-label={`From file ${imported}`}
          className={styles.mark}
        />
      )}
      {/* The grid has the keys; with Ctrl or Shift a click selects, as anywhere in the row. */}
      <Link
        to={pathOf(entry)}
        title={entry.name}
        aria-label={cut < 0 ? entry.name : undefined}
        tabIndex={-1}
        draggable={false}
        className={styles.name}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) event.preventDefault();
        }}
      >
        {cut < 0 ? (
          <ShownName name={entry.name} />
        ) : (
          <span className={styles.nameStart}>
            {entry.name.slice(cut + 2)}
            <Text span inherit c={dim}>{`, ${entry.name.slice(0, cut)}`}</Text>
          </span>
        )}
      </Link>
      {entry.noteHead !== null && (
        <IconMessage
          size={13}
          role="img"
          aria-label={`Notes: ${notePlain(entry.noteHead)}`}
          className={styles.noteMark}
        />
      )}
    </>
  );
}

/** A long name loses its middle, not the end by which it differs. */
function ShownName({ name }: { name: string }) {
  const [start, end] = nameParts(name);
  return (
    <>
      <span className={styles.nameStart}>{start}</span>
      {end !== '' && <span className={styles.nameEnd}>{end}</span>}
    </>
  );
}

export const historyColumns: readonly HistoryColumn[] = [
  {
    id: 'name',
    label: 'Name',
    width: 292,
    key: (e) => e.name,
    cell: (e) => (
      <div className={styles.nameCell}>
        <NameCell entry={e} />
      </div>
    ),
    shownAtFirst: true,
  },
  {
    id: 'state',
    label: 'State',
    width: 160,
    key: (e) => stateOf(e),
    // A failed one is filled, which takes two letters more.
    text: (e) =>
      `${stateOf(e)}${isActiveRun(e) ? ', 0:00:00 left' : e.state === 'failed' ? '  ' : ''}`,
    cell: (e) =>
      e.kind === 'run' ? (
        isActiveRun(e) ? (
          <ActiveState id={e.id} state={e.state} />
        ) : (
          <RunStateBadge state={e.state} compliant={e.compliant} />
        )
      ) : (
        <StudyStateBadge state={e.state} />
      ),
    shownAtFirst: true,
  },
  {
    id: 'score',
    label: 'Score',
    width: 62,
    align: 'right',
    key: (e) => ofRun(e, (r) => r.score),
    cell: (e) =>
      orDash(
        ofRun(e, (r) =>
          r.score === null ? null : (
            <span title={formatExact(r.score, 6)}>{formatExact(r.score, 2)}</span>
          ),
        ),
      ),
    shownAtFirst: true,
  },
  {
    id: 'totals',
    label: 'Totals',
    width: 240,
    key: () => null,
    unsortable: true,
    cell: (e) => {
      const text = ofRun(e, (r) => totalsText(r.totals));
      return text === null ? dash : <span title={text}>{text}</span>;
    },
    shownAtFirst: false,
  },
  {
    id: 'started',
    label: 'Started',
    width: 142,
    key: (e) => e.startedAtMs,
    cell: (e) => (e.startedAtMs === null ? dash : formatDateTime(e.startedAtMs)),
    shownAtFirst: true,
  },
  {
    id: 'tags',
    label: 'Tags',
    width: 110,
    key: (e) => (e.tags.length === 0 ? null : e.tags.join(' ')),
    cell: () => null,
    shownAtFirst: true,
  },
  {
    id: 'tiles',
    label: 'Tiles',
    width: 56,
    align: 'right',
    key: (e) => ofRun(e, (r) => r.tiles),
    cell: (e) => orDash(ofRun(e, (r) => r.tiles)),
    shownAtFirst: true,
  },
  {
    id: 'duration',
    label: 'Duration',
    width: 88,
    align: 'right',
    key: (e) => ofRun(e, (r) => r.durationS),
    cell: (e) =>
      orDash(ofRun(e, (r) => (r.durationS === null ? null : formatElapsed(r.durationS * 1000)))),
    shownAtFirst: true,
  },
  {
    id: 'power',
    label: 'Mean power',
    width: 98,
    align: 'right',
    key: (e) => ofRun(e, (r) => r.meanPowerW),
    cell: (e) =>
      orDash(
        ofRun(e, (r) =>
          r.meanPowerW === null ? null : (
            <span title={`${r.meanPowerW} W`}>{quantityText(r.meanPowerW, 'W')}</span>
          ),
        ),
      ),
    shownAtFirst: false,
  },
  {
    id: 'folder',
    label: 'Folder',
    width: 140,
    key: (e) => e.folder,
    cell: (e) => (e.folder === null ? dash : <span title={e.folder}>{e.folder}</span>),
    shownAtFirst: false,
  },
  {
    id: 'findings',
    label: 'Findings',
    width: 78,
    align: 'right',
    key: (e) => e.findings,
    cell: (e) => orDash(e.findings),
    shownAtFirst: false,
  },
  {
    id: 'profile',
    label: 'Profile',
    width: 150,
    key: (e) => ofRun(e, (r) => r.profileName),
    cell: (e) => orDash(ofRun(e, (r) => <span title={r.profileName}>{r.profileName}</span>)),
    shownAtFirst: false,
  },
  {
    id: 'study',
    label: 'Study',
    width: 170,
    key: (e) => (e.kind === 'run' ? (e.study?.id ?? null) : e.id),
    cell: (e) =>
      e.kind === 'study' ? (
        `${e.done} of ${e.total} points, ${e.axis}`
      ) : e.study === null ? (
        dash
      ) : (
        <StudyLink study={e.study} />
      ),
    shownAtFirst: false,
  },
  {
    id: 'testbed',
    label: 'Testbed',
    width: 120,
    key: (e) => ofRun(e, (r) => r.testbedName),
    cell: (e) => orDash(ofRun(e, (r) => r.testbedName)),
    shownAtFirst: false,
  },
  {
    id: 'hosts',
    label: 'Hosts',
    width: 160,
    key: (e) => (e.hosts.length === 0 ? null : e.hosts.join(' ')),
    cell: (e) =>
      e.hosts.length === 0 ? dash : <span title={e.hosts.join(', ')}>{e.hosts.join(', ')}</span>,
    shownAtFirst: false,
  },
  {
    id: 'kind',
    label: 'Kind',
    width: 70,
    key: (e) => e.kind,
    cell: (e) => kindWords[e.kind],
    shownAtFirst: false,
  },
  {
    id: 'origin',
    label: 'Origin',
    width: 100,
    key: (e) => e.origin,
    cell: (e) => originWords[e.origin],
    shownAtFirst: false,
  },
  {
    id: 'samples',
    label: 'Samples',
    width: 92,
    align: 'right',
    key: (e) => ofRun(e, (r) => r.sampleCount),
    cell: (e) =>
      orDash(
        ofRun(e, (r) => (
          <span title={formatExact(r.sampleCount, 0)}>{formatSi(r.sampleCount)}</span>
        )),
      ),
    shownAtFirst: false,
  },
  {
    id: 'storage',
    label: 'Storage',
    width: 82,
    align: 'right',
    key: (e) => e.storageBytes,
    cell: (e) =>
      e.storageBytes === null ? (
        dash
      ) : (
        <span title={`${formatExact(e.storageBytes, 0)} bytes`}>{formatBytes(e.storageBytes)}</span>
      ),
    shownAtFirst: false,
  },
  {
    id: 'result',
    label: 'Result',
    width: 120,
    key: (e) => ofRun(e, (r) => r.resultName),
    cell: (e) => orDash(ofRun(e, (r) => r.resultName)),
    shownAtFirst: false,
  },
  {
    id: 'created',
    label: 'Created',
    width: 142,
    key: (e) => e.createdAtMs,
    cell: (e) => (e.createdAtMs === null ? dash : formatDateTime(e.createdAtMs)),
    shownAtFirst: false,
  },
];
/** Stands beside the others while Deleted is shown. */
export const deletedColumn: HistoryColumn = {
  id: 'deleted',
  label: 'Deleted',
  width: 142,
  key: (e) => e.deletedAtMs,
  cell: (e) => (e.deletedAtMs === null ? dash : formatDateTime(e.deletedAtMs)),
  shownAtFirst: false,
};
export const firstColumns: string[] = historyColumns.filter((c) => c.shownAtFirst).map((c) => c.id);

/** Columns in the order chosen; the name always, unknown ids never. */
export function columnsOf(ids: readonly string[]): HistoryColumn[] {
  const known = ids.flatMap((id) => historyColumns.find((c) => c.id === id) ?? []);
  return known.some((c) => c.id === 'name') ? known : [historyColumns[0]!, ...known];
}

/** The id of a column one place further left or right; ids unknown here stay where they are. */
export function moveColumn(ids: readonly string[], id: string, to: number): string[] {
  const rest = ids.filter((one) => one !== id);
  const at = Math.max(0, Math.min(rest.length, to));
  return [...rest.slice(0, at), id, ...rest.slice(at)];
}

/**
 * Sorted copy; equal keys keep their order, missing ones come last whichever way, a run that has
 * not begun comes first of those begun.
 */
export function sortEntries<T extends { entry: HistoryEntry }>(
  found: readonly T[],
  sort: HistorySort,
): T[] {
  const column = [...historyColumns, deletedColumn].find((c) => c.id === sort.columnId);
  const newest = (e: HistoryEntry): number =>
    e.kind === 'run' ? startOrder(e) : (e.startedAtMs ?? Infinity);
  const keyed = found.map((one) => ({
    one,
    key: column?.id === 'started' ? newest(one.entry) : (column?.key(one.entry) ?? null),
    newest: newest(one.entry),
  }));
  const sign = sort.descending ? -1 : 1;
  keyed.sort((a, b) => {
    if (a.key !== b.key) {
      if (a.key === null || b.key === null) return a.key === null ? 1 : -1;
      const order =
        typeof a.key === 'string' ? byLooseOrder(a.key, String(b.key)) : a.key - Number(b.key);
      if (order !== 0) return sign * order;
    }
    return a.newest === b.newest ? 0 : b.newest - a.newest;
  });
  return keyed.map((k) => k.one);
}
