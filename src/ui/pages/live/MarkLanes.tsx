import { Modal } from '@mantine/core';
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
import { ticksBetween, timeStep } from '../../../core/chart/scale.ts';
import { ChartMenu } from '../../charts/ChartMenu.tsx';
import type { ChartGroup } from '../../charts/group.ts';
import { onHeartbeat } from '../../charts/heartbeat.ts';
import { ChartMarkContext } from '../../kit/mark.ts';
import { Table } from '../../kit/Table.tsx';
import { bunches, type Lane, laneLegend, type LaneMark, lanesSummary } from './laneModel.ts';
import styles from './lanes.module.css';
import { LaneShape } from './LaneShape.tsx';
import { visibleTime } from './timeView.ts';

export interface MarkLanesProps {
  lanes: readonly Lane[];
  group: ChartGroup;
  /** Epoch of 0:00. */
  originMs: number;
  /** End of what is stored, run-relative; while it is live, the present. */
  endMs: number;
  nowMs?: (() => number) | undefined;
}

/** Marks nearer than this share of the width are drawn as one with their number. */
const bunchShare = 1 / 40;

/**
 * Phases, periods, operations, moves, notes and faults over the whole run, a lane each, with the
 * part that the charts show; a drag shows another. Arrows go from mark to mark; the charts' cursor
 * follows.
 */
export const MarkLanes = memo(function MarkLanes({
  lanes,
  group,
  originMs,
  endMs,
  nowMs,
}: MarkLanesProps) {
  const state = useSyncExternalStore(group.subscribe, group.get);
  const chartMark = use(ChartMarkContext);
  const [, beat] = useReducer((n: number) => n + 1, 0);
  useEffect(() => (nowMs === undefined ? undefined : onHeartbeat(beat)), [nowMs]);
  const end = nowMs === undefined ? endMs : Math.max(0, state.pausedAtMs ?? nowMs() - originMs);
  // The lanes show the whole run, and on it the part that the charts show.
  const x0 = 0;
  const x1 = Math.max(1_000, end, ...lanes.flatMap((lane) => lane.spans.map((s) => s.toMs)));
  const view = visibleTime(state, end, nowMs !== undefined);
  const press = useRef<number | null>(null);
  const [dragged, setDragged] = useState<readonly [number, number] | null>(null);
  const [current, setCurrent] = useState<{
    lane: string;
    marks: readonly LaneMark[];
    keyboard: boolean;
  } | null>(null);
  const [table, setTable] = useState(false);
  const cursor = useRef<HTMLDivElement>(null);
  const owner = useRef({}).current;
  const reachMs = (x1 - x0) * bunchShare;
  const drawn = useMemo(
    () =>
      lanes.map((lane) => ({
        lane,
        groups: bunches(
          lane.marks.filter((m) => m.atMs >= x0 && m.atMs <= x1),
          lane.id === 'tiles' ? reachMs / 4 : reachMs,
        ),
      })),
    [lanes, x0, x1, reachMs],
  );
  const part = (ms: number): number => ((ms - x0) / (x1 - x0)) * 100;
  const shade = ([from, to]: readonly [number, number]) => (
    <div
      className={styles.shown}
      data-shown
      style={{
        left: `${Math.max(0, part(from))}%`,
        width: `${Math.max(0.2, Math.min(100, part(to)) - Math.max(0, part(from)))}%`,
      }}
    />
  );
  const time = (ms: number): string =>
    state.clock ? formatClock(ms + originMs) : formatElapsed(ms);
  useEffect(() => {
    const place = (): void => {
      const node = cursor.current;
      if (node === null) return;
      const share = (group.cursorMs() - x0) / (x1 - x0);
      node.hidden = !(share >= 0 && share <= 1);
      node.style.left = `${(Number.isFinite(share) ? share : 0) * 100}%`;
    };
    place();
    return group.onCursor(place);
  }, [group, x0, x1]);

  const at = (event: PointerEvent<HTMLDivElement>): number => {
    const box = event.currentTarget.getBoundingClientRect();
    return x0 + Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)) * (x1 - x0);
  };
  const show = (lane: string, marks: readonly LaneMark[]): void => {
    setCurrent({ lane, marks, keyboard: true });
    group.moveCursor(marks[0]!.atMs, owner);
  };
  const clear = (): void => {
    setCurrent(null);
    group.moveCursor(NaN, owner);
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const time = at(event);
    if (press.current !== null && Math.abs(time - press.current) > reachMs / 2)
      setDragged([Math.min(press.current, time), Math.max(press.current, time)]);
    const row = drawn[Math.floor(((event.clientY - box.top) / box.height) * drawn.length)];
    const near =
      row &&
      [...row.groups].sort((a, b) => Math.abs(a[0]!.atMs - time) - Math.abs(b[0]!.atMs - time))[0];
    setCurrent(
      row !== undefined && near !== undefined && Math.abs(near[0]!.atMs - time) < reachMs * 1.2
        ? { lane: row.lane.id, marks: near, keyboard: false }
        : null,
    );
    group.moveCursor(time, owner);
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.button === 0) {
      press.current = at(event);
      event.currentTarget.setPointerCapture(event.pointerId);
    }
  };
  const onPointerUp = (): void => {
    press.current = null;
    if (dragged !== null)
      group.set({ zoom: [dragged[0], Math.max(dragged[1], dragged[0] + 2_000)] });
    setDragged(null);
  };
  const around = (marks: readonly LaneMark[]): void => {
    const spanMs = Math.max(120_000, (x1 - x0) / 40);
    group.set({ zoom: [Math.max(0, marks[0]!.atMs - spanMs), marks.at(-1)!.atMs + spanMs] });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && current !== null) {
      event.preventDefault();
      clear();
      return;
    }
    if (event.key === 'Enter' && current !== null) {
      event.preventDefault();
      around(current.marks);
      return;
    }
    const rows = drawn.filter((d) => d.groups.length > 0);
    const row = rows.find((d) => d.lane.id === current?.lane) ?? rows[0];
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const index =
      current === null ? -1 : row.groups.findIndex((g) => g[0]!.id === current.marks[0]!.id);
    const lane = rows.indexOf(row);
    const last = row.groups.length - 1;
    const to = (
      {
        ArrowRight: [lane, Math.min(last, index + 1)],
        ArrowLeft: [lane, Math.max(0, index < 0 ? last : index - 1)],
        Home: [lane, 0],
        End: [lane, last],
        ArrowUp: [lane - 1, -1],
        ArrowDown: [current === null ? lane : lane + 1, -1],
      } as Record<string, [number, number] | undefined>
    )[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = rows[Math.max(0, Math.min(rows.length - 1, to[0]))]!;
    const nearest = (): LaneMark[] =>
      [...next.groups].sort(
        (a, b) =>
          Math.abs(a[0]!.atMs - (current?.marks[0]!.atMs ?? 0)) -
          Math.abs(b[0]!.atMs - (current?.marks[0]!.atMs ?? 0)),
      )[0]!;
    show(next.lane.id, to[1] < 0 ? nearest() : next.groups[to[1]]!);
  };
  const rows = useMemo(
    () =>
      lanes
        .flatMap((lane) => [
          ...lane.spans.map((s) => ({
            atMs: s.fromMs,
            lane: lane.title,
            what: s.label,
            text: `until ${formatElapsed(s.toMs)}${s.open ? ', as planned' : ''}`,
          })),
          ...lane.marks.map((m) => ({
            atMs: m.atMs,
            lane: lane.title,
            what: m.what,
            text: m.text,
          })),
        ])
        .sort((a, b) => a.atMs - b.atMs),
    [lanes],
  );
  const tell =
    current === null
      ? `${lanesSummary(lanes)}`
      : `${time(current.marks[0]!.atMs)} · ${current.marks
          .slice(0, 3)
          .map((m) => `${m.what}: ${m.text}`)
          .join(
            ' · ',
          )}${current.marks.length > 3 ? ` · and ${current.marks.length - 3} more` : ''}`;
  return (
    <section className={styles.panel} aria-label="What happened">
      <div className={styles.head}>
        <h3 className={styles.title}>What happened</h3>
        <ul className={styles.legend} aria-label="Marks">
          {laneLegend(lanes).map((l) => (
            <li key={`${l.shape} ${l.what}`}>
              <LaneShape shape={l.shape} bad={l.bad} />
              {l.what}
            </li>
          ))}
        </ul>
        {chartMark !== null && <span className={styles.simulated}>{chartMark}</span>}
        <ChartMenu
          title="What happened"
          actions={[
            {
              id: 'table',
              label: 'Table',
              run: () => {
                setTable(true);
              },
            },
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
      <div className={styles.body}>
        <div className={styles.titles} aria-hidden="true">
          {lanes.map((lane) => (
            <span key={lane.id}>{lane.title}</span>
          ))}
        </div>
        {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a picture that is read by keyboard: the arrows go from mark to mark. */}
        <div
          className={styles.tracks}
          role="group"
          aria-label="Lanes of marks; arrow keys go from mark to mark, Enter shows its time on the charts"
          aria-describedby={`${originMs}-lanes`}
          // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above.
          tabIndex={0}
          onPointerDown={onPointerDown}
          onPointerUp={onPointerUp}
          onPointerMove={onPointerMove}
          onPointerLeave={clear}
          onKeyDown={onKeyDown}
          onBlur={clear}
          onDoubleClick={() => {
            group.set({ zoom: null });
          }}
        >
          {drawn.map(({ lane, groups }) => (
            <div key={lane.id} className={styles.lane} data-lane={lane.id}>
              {lane.spans.map((s) => {
                const from = Math.max(0, part(s.fromMs));
                const to = Math.min(100, part(s.toMs));
                return to <= 0 || from >= 100 || to <= from ? null : (
                  <span
                    key={s.label + s.fromMs}
                    className={styles.span}
                    data-open={s.open || undefined}
                    style={{ left: `${from}%`, width: `calc(${to - from}% - 1px)` }}
                  >
                    {s.label}
                  </span>
                );
              })}
              {groups.map((g) => (
                <span key={g[0]!.id}>
                  <LaneShape
                    shape={g[0]!.shape}
                    bad={g.some((m) => m.bad)}
                    left={`${part(g[0]!.atMs)}%`}
                  />
                  {g.length > 1 && lane.id !== 'tiles' && (
                    <span className={styles.many} style={{ left: `${part(g[0]!.atMs)}%` }}>
                      {g.length}
                    </span>
                  )}
                </span>
              ))}
            </div>
          ))}
          {shade(dragged ?? view)}
          <div ref={cursor} className={styles.cursor} hidden />
        </div>
        <span />
        <div className={styles.axis} aria-hidden="true">
          {ticksBetween(x0, x1, timeStep(x1 - x0, 10)).map((ms) => (
            <span
              key={ms}
              style={{ left: `${part(ms)}%` }}
              data-edge={part(ms) < 2 ? 'start' : part(ms) > 96 ? 'end' : undefined}
            >
              {time(ms)}
            </span>
          ))}
        </div>
      </div>
      <p
        className={styles.readout}
        id={`${originMs}-lanes`}
        aria-live={current?.keyboard === true ? 'polite' : 'off'}
        title={tell}
      >
        {tell}
      </p>
      {table && (
        <Modal
          opened
          onClose={() => {
            setTable(false);
          }}
          title="What happened"
          size="xl"
          closeButtonProps={{ 'aria-label': 'Close' }}
          transitionProps={{ duration: 0 }}
        >
          <Table fz="sm" verticalSpacing={2} aria-label="What happened">
            <Table.Thead>
              <Table.Tr>
                <Table.Th ta="right">{state.clock ? 'Clock' : 'Time in run'}</Table.Th>
                <Table.Th>Lane</Table.Th>
                <Table.Th>Kind</Table.Th>
                <Table.Th>What</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((r, i) => (
                <Table.Tr key={i}>
                  <Table.Td ta="right">{time(r.atMs)}</Table.Td>
                  <Table.Td>{r.lane}</Table.Td>
                  <Table.Td>{r.what}</Table.Td>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{r.text}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Modal>
      )}
    </section>
  );
});
