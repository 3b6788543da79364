import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  memo,
  type PointerEvent,
  use,
  useEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';

import { formatClock, formatElapsed } from '../../../core/base/format.ts';
import { growingDomain, liveDomain, ticksBetween, timeStep } from '../../../core/chart/scale.ts';
import type { PlacementHistory } from '../../../core/run/run.ts';
import { ChartMenu } from '../../charts/ChartMenu.tsx';
import type { ChartGroup, GroupState } from '../../charts/group.ts';
import { onHeartbeat } from '../../charts/heartbeat.ts';
import { ChartMarkContext } from '../../kit/mark.ts';
import { MoveMark } from './MoveMark.tsx';
import styles from './placement.module.css';
import {
  hostColor,
  hostCounts,
  hostLetter,
  type MovedBy,
  movedByWords,
  moveLines,
  type PlacementRow,
  placementRows,
  placementSummary,
  stayAt,
} from './placementModel.ts';
import { PlacementTable } from './PlacementTable.tsx';

export interface PlacementTimelineProps {
  placement: PlacementHistory | undefined;
  group: ChartGroup;
  /** Epoch of 0:00. */
  originMs: number;
  /** End of what is stored, run-relative; while it is live, the present. */
  endMs: number;
  nowMs?: (() => number) | undefined;
  /** A run that has not ended may still get its placement. */
  expected: boolean;
}

const rowPx = 18;
const labelPx = 156;
const marks: readonly MovedBy[] = ['run', 'drs', 'other', 'unknown'];

/**
 * Where every VM ran over the time of the run: rows of VMs by tile, hosts as colours with letters,
 * moves as marks whose shape says by whom.
 */
export const PlacementTimeline = memo(function PlacementTimeline(props: PlacementTimelineProps) {
  const { placement, expected } = props;
  return (
    <div className={styles.panel} role="region" aria-label="Placement of VMs">
      {placement === undefined || placement.moves.length === 0 ? (
        <>
          <div className={styles.head}>
            <h3 className={styles.title}>VMs on hosts</h3>
          </div>
          <p className={styles.empty}>
            {placement !== undefined
              ? 'Nothing was known of where VMs run at this time.'
              : expected
                ? 'Where VMs run is shown here after the first answer of vCenter.'
                : 'Placement was not recorded: no vCenter, or a run of an earlier version.'}
          </p>
        </>
      ) : (
        <Timeline {...props} placement={placement} />
      )}
    </div>
  );
});

/**
 * Visible time: what was zoomed to, a window that moves with the run, or all of it; as on the
 * charts.
 */
function domainOf(state: GroupState, endMs: number, live: boolean): readonly [number, number] {
  if (state.zoom !== null) return state.zoom;
  if (live)
    return state.windowMs === null ? growingDomain(0, endMs) : liveDomain(endMs, state.windowMs);
  const end = Math.max(endMs, 1_000);
  return state.windowMs === null ? [0, end] : [Math.max(0, end - state.windowMs), end];
}

function Timeline({
  placement,
  group,
  originMs,
  endMs,
  nowMs,
}: PlacementTimelineProps & { placement: PlacementHistory }) {
  'use no memo';
  const state = useSyncExternalStore(group.subscribe, group.get);
  const mark = use(ChartMarkContext);
  const [, beat] = useReducer((n: number) => n + 1, 0);
  useEffect(() => (nowMs === undefined ? undefined : onHeartbeat(beat)), [nowMs]);
  const end = nowMs === undefined ? endMs : Math.max(0, state.pausedAtMs ?? nowMs() - originMs);
  const x = domainOf(state, end, nowMs !== undefined);
  const rows = useMemo(() => placementRows(placement, originMs), [placement, originMs]);
  const [current, setCurrent] = useState<{ row: number; atMs: number; keyboard: boolean } | null>(
    null,
  );
  const [table, setTable] = useState(false);
  const [said, setSaid] = useState('');
  const scroller = useRef<HTMLDivElement>(null);
  const line = useRef<HTMLDivElement>(null);
  const owner = useRef({}).current;
  const height = rows.length * rowPx;
  // eslint-disable-next-line react-hooks/incompatible-library -- the virtualizer's functions are read in this component only, which the compiler leaves alone.
  const visible = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 8,
    initialRect: { width: 900, height: 396 },
  });
  const part = (ms: number): number => (ms - x[0]) / (x[1] - x[0]);
  const [x0, x1] = x;

  useEffect(() => {
    const place = (): void => {
      const node = line.current;
      if (node === null) return;
      const share = (group.cursorMs() - x0) / (x1 - x0);
      node.hidden = !(share >= 0 && share <= 1);
      node.style.left = `calc(${labelPx}px + (100% - ${labelPx}px) * ${Number.isFinite(share) ? share : 0})`;
    };
    place();
    return group.onCursor(place);
  }, [group, x0, x1]);

  const show = (row: number, atMs: number, keyboard: boolean): void => {
    setCurrent({ row, atMs, keyboard });
    group.moveCursor(atMs, owner);
  };
  const clear = (): void => {
    setCurrent(null);
    group.moveCursor(NaN, owner);
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const wide = event.currentTarget.clientWidth - labelPx;
    const share = (event.clientX - box.left - labelPx) / wide;
    const row = Math.floor((event.clientY - box.top + event.currentTarget.scrollTop) / rowPx);
    if (share < 0 || share > 1 || row < 0 || row >= rows.length) {
      clear();
      return;
    }
    show(row, x0 + share * (x1 - x0), false);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = current ?? { row: 0, atMs: Math.min(end, x1) };
    const step = (x1 - x0) / (event.shiftKey ? 10 : 60);
    const to: Record<string, [number, number]> = {
      ArrowLeft: [at.row, at.atMs - step],
      ArrowRight: [at.row, at.atMs + step],
      ArrowUp: [at.row - 1, at.atMs],
      ArrowDown: [at.row + 1, at.atMs],
      PageUp: [at.row - 10, at.atMs],
      PageDown: [at.row + 10, at.atMs],
      Home: [at.row, x0],
      End: [at.row, Math.min(end, x1)],
    };
    if (event.key === 'Escape') {
      clear();
      return;
    }
    const next = to[event.key];
    if (!next) return;
    event.preventDefault();
    const row = Math.max(0, Math.min(rows.length - 1, next[0]));
    visible.scrollToIndex(row);
    show(row, Math.max(x0, Math.min(x1, next[1])), true);
  };

  const clockText = (ms: number): string =>
    state.clock ? formatClock(ms + originMs) : formatElapsed(ms);
  const counts = hostCounts(rows, placement.hosts.length, current?.atMs ?? end);
  const step = timeStep(x1 - x0, 10);
  const lines = table ? moveLines(placement, rows) : [];
  const copy = (): void => {
    const text = [
      'elapsedS\tclock\ttile\tvm\tfrom\tto\tby',
      ...moveLines(placement, rows).map((l) =>
        [
          (l.atMs / 1_000).toFixed(1),
          new Date(l.atMs + originMs).toISOString(),
          l.tile,
          l.vm,
          l.from,
          l.to,
          l.by,
        ].join('\t'),
      ),
    ].join('\n');
    navigator.clipboard.writeText(text).then(
      () => {
        setSaid(`${placement.moves.length} places and moves copied.`);
      },
      (thrown: unknown) => {
        setSaid(`Copy failed: ${String(thrown)}. The table shows the same rows.`);
      },
    );
  };
  const tileMuted = (row: PlacementRow): boolean =>
    state.highlight !== null &&
    state.highlight !== `tile:${row.tile}` &&
    state.highlight.startsWith('tile:');
  return (
    <>
      <div className={styles.head}>
        <h3 className={styles.title}>VMs on hosts</h3>
        {mark !== null && <span className={styles.simulated}>{mark}</span>}
        <ChartMenu
          title="VMs on hosts"
          actions={[
            {
              id: 'table',
              label: table ? 'Hide table' : 'Table',
              run: () => {
                setTable(!table);
              },
            },
            { id: 'copy', label: 'Copy moves', run: copy },
            {
              id: 'zoom',
              label: 'Show whole run',
              run: () => {
                group.set({ zoom: null, windowMs: null });
              },
            },
          ]}
        />
      </div>
      <ul className={styles.legend} aria-label="Hosts and marks">
        {placement.hosts.map((host, i) => (
          <li key={host.ref}>
            <span className={styles.chip} style={{ background: hostColor(i) }}>
              {hostLetter(i)}
            </span>
            {host.name} <b>{counts[i]}</b>
          </li>
        ))}
        {marks
          .filter((by) => by !== 'unknown' || placement.moves.some((move) => move.by === by))
          .map((by) => (
            <li key={by}>
              <MoveMark by={by} />
              {movedByWords[by].word}
            </li>
          ))}
      </ul>
      <p className={styles.readout} aria-live={current?.keyboard ? 'polite' : 'off'}>
        {current === null
          ? `Counts: VMs on each host ${nowMs === undefined ? 'at the end' : 'now'}. Point at ` +
            'a row, or use the arrow keys, to read a VM at a time.'
          : readout(rows[current.row], placement, current.atMs, clockText)}
      </p>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a picture that is read by keyboard: the arrows move its cursor. */}
      <div
        ref={scroller}
        className={styles.scroller}
        role="group"
        aria-label="Timeline of VMs on hosts; arrow keys move the cursor"
        aria-describedby={`${originMs}-places`}
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above.
        tabIndex={0}
        onPointerMove={onPointerMove}
        onPointerLeave={clear}
        onKeyDown={onKeyDown}
        onBlur={clear}
        onDoubleClick={() => {
          group.set({ zoom: null });
        }}
      >
        <div style={{ height, position: 'relative' }}>
          <div ref={line} className={styles.cursor} style={{ height }} hidden />
          {visible.getVirtualItems().map((item) => {
            const row = rows[item.index]!;
            return (
              <div
                key={item.key}
                className={styles.row}
                data-opens={row.opens || undefined}
                data-current={current?.row === item.index || undefined}
                data-muted={tileMuted(row) || undefined}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <span className={styles.tile}>
                  {row.opens ? (row.tile === null ? '–' : `T${row.tile + 1}`) : ''}
                </span>
                <span className={styles.name} title={row.name}>
                  {row.name}
                </span>
                <div className={styles.track}>
                  {row.stays.map((stay, i) => {
                    const from = Math.max(0, part(stay.fromMs));
                    const to = Math.min(1, part(Math.min(stay.toMs ?? end, end)));
                    if (to <= 0 || from >= 1 || to <= from) return null;
                    const inside = part(stay.fromMs) >= 0;
                    return (
                      <span key={i}>
                        <span
                          className={styles.stay}
                          data-none={stay.host === null || undefined}
                          style={{
                            left: `${from * 100}%`,
                            width: `calc(${(to - from) * 100}% - 1px)`,
                            ...(stay.host === null ? {} : { background: hostColor(stay.host) }),
                          }}
                        >
                          {stay.host === null ? '?' : hostLetter(stay.host)}
                        </span>
                        {inside && <MoveMark by={stay.by} left={`${from * 100}%`} />}
                      </span>
                    );
                  })}
                </div>
              </div>
            );
          })}
        </div>
      </div>
      <div className={styles.axisBox} aria-hidden="true">
        <div className={styles.axis}>
          {ticksBetween(x0, x1, step).map((ms) => (
            <span
              key={ms}
              style={{ left: `${part(ms) * 100}%` }}
              data-edge={part(ms) < 0.02 ? 'start' : part(ms) > 0.97 ? 'end' : undefined}
            >
              {clockText(ms)}
            </span>
          ))}
        </div>
      </div>
      <p className={styles.summary} id={`${originMs}-places`}>
        {placementSummary(placement, rows, end)}
      </p>
      {said !== '' && (
        <p className={styles.summary} role="status">
          {said}
        </p>
      )}
      {table && <PlacementTable lines={lines} clock={state.clock} originMs={originMs} />}
    </>
  );
}

function readout(
  row: PlacementRow | undefined,
  placement: PlacementHistory,
  atMs: number,
  time: (ms: number) => string,
): string {
  if (!row) return '';
  const stay = stayAt(row, atMs);
  const who = `${row.tile === null ? '' : `Tile ${row.tile + 1} `}${row.name}`;
  if (!stay) return `${time(atMs)} · ${who}: not known yet`;
  const host =
    stay.host === null
      ? 'on no host that vCenter names'
      : `on ${placement.hosts[stay.host]!.name} (${hostLetter(stay.host)})`;
  return (
    `${time(atMs)} · ${who} ${host} since ` +
    `${time(stay.fromMs)}${stay.by === 'start' ? ', where it was found' : `, moved: ${movedByWords[stay.by].word}`}${stay.toMs === null ? '' : `, until ${time(stay.toMs)}`}`
  );
}
