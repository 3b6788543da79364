import { Modal, Table } from '@mantine/core';
import { memo, use, useEffect, useMemo, useReducer, useRef, useState, useSyncExternalStore, type KeyboardEvent, type PointerEvent } from 'react';
import { ChartMenu } from '../charts/ChartMenu.tsx';
import { formatClock, formatElapsed } from '../charts/format.ts';
import type { ChartGroup } from '../charts/group.ts';
import { onHeartbeat } from '../charts/heartbeat.ts';
import { ChartMarkContext } from '../charts/mark.ts';
import { ticksBetween, timeStep } from '../charts/scale.ts';
import { bunches, laneLegend, lanesSummary, type Lane, type LaneMark } from './laneModel.ts';
import { LaneShape } from './LaneShape.tsx';
import { visibleTime } from './timeView.ts';
import styles from './lanes.module.css';

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
const bunchShare = 1 / 90;

/** Phases, periods, operations, moves, notes and faults over the time that the charts show, a lane each. Arrows go from mark to mark; the charts' cursor follows. */
export const MarkLanes = memo(function MarkLanes({ lanes, group, originMs, endMs, nowMs }: MarkLanesProps) {
  const state = useSyncExternalStore(group.subscribe, group.get);
  const chartMark = use(ChartMarkContext);
  const [, beat] = useReducer((n: number) => n + 1, 0);
  useEffect(() => (nowMs === undefined ? undefined : onHeartbeat(beat)), [nowMs]);
  const end = nowMs === undefined ? endMs : Math.max(0, state.pausedAtMs ?? nowMs() - originMs);
  const [x0, x1] = visibleTime(state, end, nowMs !== undefined);
  const [current, setCurrent] = useState<{ lane: string; marks: readonly LaneMark[]; keyboard: boolean } | null>(null);
  const [table, setTable] = useState(false);
  const cursor = useRef<HTMLDivElement>(null);
  const owner = useRef({}).current;
  const reachMs = (x1 - x0) * bunchShare;
  const drawn = useMemo(() => lanes.map((lane) => ({ lane, groups: bunches(lane.marks.filter((m) => m.atMs >= x0 && m.atMs <= x1), reachMs) })), [lanes, x0, x1, reachMs]);
  const part = (ms: number): number => ((ms - x0) / (x1 - x0)) * 100;
  const time = (ms: number): string => (state.clock ? formatClock(ms + originMs) : formatElapsed(ms));
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

  const show = (lane: string, marks: readonly LaneMark[]): void => { setCurrent({ lane, marks, keyboard: true }); group.moveCursor(marks[0]!.atMs, owner); };
  const clear = (): void => { setCurrent(null); group.moveCursor(NaN, owner); };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const at = x0 + ((event.clientX - box.left) / box.width) * (x1 - x0);
    const row = drawn[Math.floor(((event.clientY - box.top) / box.height) * drawn.length)];
    const near = row?.groups.toSorted((a, b) => Math.abs(a[0]!.atMs - at) - Math.abs(b[0]!.atMs - at))[0];
    setCurrent(row !== undefined && near !== undefined && Math.abs(near[0]!.atMs - at) < reachMs * 1.2 ? { lane: row.lane.id, marks: near, keyboard: false } : null);
    group.moveCursor(at, owner);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && current !== null) { event.preventDefault(); clear(); return; }
    const rows = drawn.filter((d) => d.groups.length > 0);
    const row = rows.find((d) => d.lane.id === current?.lane) ?? rows[0];
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = current === null ? -1 : row.groups.findIndex((g) => g[0]!.id === current.marks[0]!.id);
    const lane = rows.indexOf(row);
    const last = row.groups.length - 1;
    const to = ({ ArrowRight: [lane, Math.min(last, at + 1)], ArrowLeft: [lane, Math.max(0, at < 0 ? last : at - 1)], Home: [lane, 0], End: [lane, last], ArrowUp: [lane - 1, -1], ArrowDown: [current === null ? lane : lane + 1, -1] } as Record<string, [number, number] | undefined>)[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = rows[Math.max(0, Math.min(rows.length - 1, to[0]))]!;
    const nearest = (): LaneMark[] => next.groups.toSorted((a, b) => Math.abs(a[0]!.atMs - (current?.marks[0]!.atMs ?? 0)) - Math.abs(b[0]!.atMs - (current?.marks[0]!.atMs ?? 0)))[0]!;
    show(next.lane.id, to[1] < 0 ? nearest() : next.groups[to[1]]!);
  };
  const rows = useMemo(() => lanes.flatMap((lane) => [...lane.spans.map((s) => ({ atMs: s.fromMs, lane: lane.title, what: s.label, text: `until ${formatElapsed(s.toMs)}${s.open ? ', as planned' : ''}` })), ...lane.marks.map((m) => ({ atMs: m.atMs, lane: lane.title, what: m.what, text: m.text }))]).sort((a, b) => a.atMs - b.atMs), [lanes]);
  const tell = current === null ? `${lanesSummary(lanes)}` : `${time(current.marks[0]!.atMs)} · ${current.marks.slice(0, 3).map((m) => `${m.what}: ${m.text}`).join(' · ')}${current.marks.length > 3 ? ` · and ${current.marks.length - 3} more` : ''}`;
  return (
    <section className={styles.panel} aria-label="What happened">
      <div className={styles.head}>
        <h3 className={styles.title}>What happened</h3>
        <ul className={styles.legend} aria-label="Marks">{laneLegend(lanes).map((l) => <li key={`${l.shape} ${l.what}`}><LaneShape shape={l.shape} bad={l.bad} />{l.what}</li>)}</ul>
        {chartMark !== null && <span className={styles.simulated}>{chartMark}</span>}
        <ChartMenu title="What happened" actions={[{ id: 'table', label: 'Table', run: () => { setTable(true); } }, { id: 'zoom', label: 'Show whole run', run: () => { group.set({ zoom: null, windowMs: null }); } }]} />
      </div>
      <div className={styles.body}>
        <div className={styles.titles} aria-hidden="true">{lanes.map((lane) => <span key={lane.id}>{lane.title}</span>)}</div>
        {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a picture that is read by keyboard: the arrows go from mark to mark. */}
        <div className={styles.tracks} role="group" aria-label="Lanes of marks; arrow keys go from mark to mark" aria-describedby={`${originMs}-lanes`}
          // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above.
          tabIndex={0} onPointerMove={onPointerMove} onPointerLeave={clear} onKeyDown={onKeyDown} onBlur={clear} onDoubleClick={() => { group.set({ zoom: null }); }}>
          {drawn.map(({ lane, groups }) => (
            <div key={lane.id} className={styles.lane} data-lane={lane.id}>
              {lane.spans.map((s) => {
                const from = Math.max(0, part(s.fromMs));
                const to = Math.min(100, part(s.toMs));
                return to <= 0 || from >= 100 || to <= from ? null : <span key={s.label + s.fromMs} className={styles.span} data-open={s.open || undefined} style={{ left: `${from}%`, width: `calc(${to - from}% - 1px)` }}>{s.label}</span>;
              })}
              {groups.map((g) => (
                <span key={g[0]!.id}>
                  <LaneShape shape={g[0]!.shape} bad={g.some((m) => m.bad)} left={`${part(g[0]!.atMs)}%`} />
                  {g.length > 1 && <span className={styles.many} style={{ left: `${part(g[0]!.atMs)}%` }}>{g.length}</span>}
                </span>
              ))}
            </div>
          ))}
          <div ref={cursor} className={styles.cursor} hidden />
        </div>
        <span />
        <div className={styles.axis} aria-hidden="true">{ticksBetween(x0, x1, timeStep(x1 - x0, 10)).map((ms) => <span key={ms} style={{ left: `${part(ms)}%` }} data-edge={part(ms) < 2 ? 'start' : part(ms) > 96 ? 'end' : undefined}>{time(ms)}</span>)}</div>
      </div>
      <p className={styles.readout} id={`${originMs}-lanes`} aria-live={current?.keyboard === true ? 'polite' : 'off'} title={tell}>{tell}</p>
      {table && (
        <Modal opened onClose={() => { setTable(false); }} title="What happened" size="xl" closeButtonProps={{ 'aria-label': 'Close' }} transitionProps={{ duration: 0 }}>
          <Table fz="sm" verticalSpacing={2} aria-label="What happened">
            <Table.Thead><Table.Tr><Table.Th ta="right">{state.clock ? 'Clock' : 'Time in run'}</Table.Th><Table.Th>Lane</Table.Th><Table.Th>Kind</Table.Th><Table.Th>What</Table.Th></Table.Tr></Table.Thead>
            <Table.Tbody>{rows.map((r, i) => <Table.Tr key={i}><Table.Td ta="right">{time(r.atMs)}</Table.Td><Table.Td>{r.lane}</Table.Td><Table.Td>{r.what}</Table.Td><Table.Td style={{ overflowWrap: 'anywhere' }}>{r.text}</Table.Td></Table.Tr>)}</Table.Tbody>
          </Table>
        </Modal>
      )}
    </section>
  );
});
