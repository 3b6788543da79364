import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';

import type { ChartGroup } from '../../charts/group.ts';
import {
  type CurrentMarks,
  type DrawnLane,
  marksByKey,
  nearestMarks,
  reachOf,
} from './laneMarks.ts';
import { labelFits } from './laneModel.ts';
import styles from './lanes.module.css';
import { LaneShape } from './LaneShape.tsx';
import { type Span, useCursorLine } from './timeView.ts';

interface Props {
  drawn: readonly DrawnLane[];
  /** The whole run. */
  span: Span;
  /** The part that the charts show; null = all of it. */
  visible: Span | null;
  group: ChartGroup;
  current: CurrentMarks | null;
  onCurrent: (current: CurrentMarks | null) => void;
  /** Id of the text that says what is current. */
  describedBy: string;
}

/**
 * Lanes with their marks: the pointer or the arrows choose marks, a drag or Enter shows their
 * time on the charts.
 */
export function LaneTracks(props: Props) {
  const { drawn, span, visible, group, current, onCurrent } = props;
  const [x0, x1] = span;
  const press = useRef<number | null>(null);
  const [dragged, setDragged] = useState<Span | null>(null);
  const owner = useRef({}).current;
  const cursor = useCursorLine(group, x0, x1, cursorLeft);
  const reachMs = reachOf(span);
  const at = (event: PointerEvent<HTMLDivElement>): number => {
    const box = event.currentTarget.getBoundingClientRect();
    return x0 + Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)) * (x1 - x0);
  };
  const clear = (): void => {
    onCurrent(null);
    group.moveCursor(NaN, owner);
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const time = at(event);
    if (press.current !== null && Math.abs(time - press.current) > reachMs / 2)
      setDragged([Math.min(press.current, time), Math.max(press.current, time)]);
    const row = drawn[Math.floor(((event.clientY - box.top) / box.height) * drawn.length)];
    const near = row && nearestMarks(row.groups, time);
    onCurrent(
      near !== undefined && Math.abs(near[0]!.atMs - time) < reachMs * 1.2
        ? { lane: row!.lane.id, marks: near, keyboard: false }
        : null,
    );
    group.moveCursor(time, owner);
  };
  const onPointerUp = (): void => {
    press.current = null;
    if (dragged !== null)
      group.set({ zoom: [dragged[0], Math.max(dragged[1], dragged[0] + 2_000)] });
    setDragged(null);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (current !== null && (event.key === 'Escape' || event.key === 'Enter')) {
      event.preventDefault();
      if (event.key === 'Escape') clear();
      else zoomAround(group, current, span);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = marksByKey(drawn, current, event.key);
    if (next === null) return;
    event.preventDefault();
    onCurrent(next);
    group.moveCursor(next.marks[0]!.atMs, owner);
  };
  return (
    /* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions --
       a picture that is read by keyboard: the arrows go from mark to mark. */
    <div
      className={styles.tracks}
      role="group"
      aria-label="Marks; arrow keys go from mark to mark, Enter shows its time on the charts"
      aria-describedby={props.describedBy}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above.
      tabIndex={0}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        press.current = at(event);
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerUp={onPointerUp}
      onPointerMove={onPointerMove}
      onPointerLeave={clear}
      onKeyDown={onKeyDown}
      onBlur={clear}
      onDoubleClick={() => {
        group.set({ zoom: null });
      }}
    >
      {drawn.map((one) => (
        <LaneRow key={one.lane.id} drawn={one} span={span} />
      ))}
      {dragged !== null && <Shade of={dragged} span={span} isDragged />}
      {dragged === null && visible !== null && <Shade of={visible} span={span} />}
      <div ref={cursor} className={styles.cursor} hidden />
    </div>
  );
}

const cursorLeft = (share: number): string => `${share * 100}%`;
const percentOf = ([x0, x1]: Span, ms: number): number => ((ms - x0) / (x1 - x0)) * 100;

/** Shows the time around marks on the charts. */
function zoomAround(group: ChartGroup, { marks }: CurrentMarks, [x0, x1]: Span): void {
  const aroundMs = Math.max(120_000, (x1 - x0) / 40);
  group.set({ zoom: [Math.max(0, marks[0]!.atMs - aroundMs), marks.at(-1)!.atMs + aroundMs] });
}

/** The part of the run that the charts show, or that a drag chooses. */
function Shade({ of, span, isDragged = false }: { of: Span; span: Span; isDragged?: boolean }) {
  const from = Math.max(0, percentOf(span, of[0]));
  const to = Math.min(100, percentOf(span, of[1]));
  return (
    <div
      className={styles.shown}
      data-shown
      data-dragged={isDragged || undefined}
      style={{ left: `${from}%`, width: `${Math.max(0.2, to - from)}%` }}
    />
  );
}

function LaneRow({ drawn: { lane, groups }, span }: { drawn: DrawnLane; span: Span }) {
  return (
    <div className={styles.lane} data-lane={lane.id}>
      {lane.spans.map((s) => {
        const from = Math.max(0, percentOf(span, s.fromMs));
        const to = Math.min(100, percentOf(span, s.toMs));
        return to <= 0 || from >= 100 || to <= from ? null : (
          <span
            key={`${s.label} ${s.fromMs}`}
            className={styles.span}
            data-open={s.open || undefined}
            data-upon={s.upon}
            style={{
              left: `${from}%`,
              width: s.upon ? `${Math.max(0.15, to - from)}%` : `calc(${to - from}% - 1px)`,
            }}
          >
            {s.upon || !labelFits(s.label, to - from) ? null : s.label}
          </span>
        );
      })}
      {groups.map((g) => {
        const left = `${percentOf(span, g[0]!.atMs)}%`;
        return (
          <span key={g[0]!.id}>
            <LaneShape shape={g[0]!.shape} bad={g.some((m) => m.bad)} left={left} />
            {g.length > 1 && (
              <span className={styles.many} style={{ left }}>
                {g.length}
              </span>
            )}
          </span>
        );
      })}
    </div>
  );
}
