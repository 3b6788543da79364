import { Button } from '@mantine/core';
import { IconGripVertical } from '@tabler/icons-react';
import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';

import { BoardChartView } from './BoardChartView.tsx';
import type { BoardPins, PinActions } from './boardPins.ts';
import type { BoardCatalog, ShownChart } from './boardTargets.ts';
import styles from './live.module.css';

/**
 * The charts somebody pinned, in the order they gave them: moved by drag, or by arrow keys on the
 * handle.
 */
export function PinnedCharts({
  pins,
  actions,
  catalog,
  plotPx,
}: {
  pins: BoardPins;
  actions: PinActions;
  catalog: BoardCatalog;
  /** Height of each plot. */
  plotPx: number;
}) {
  const [said, setSaid] = useState('');
  const [dragged, setDragged] = useState<string | null>(null);
  const grid = useRef<HTMLDivElement>(null);
  const refocus = useRef<string | null>(null);
  const shown = pins.ids.flatMap((id) => {
    const chart = catalog.chart(id);
    return chart === undefined ? [] : [chart];
  });
  const absent = pins.ids.filter((id) => catalog.chart(id) === undefined);
  useEffect(() => {
    // A node that is put elsewhere loses the focus.
    if (refocus.current !== null)
      grid.current
        ?.querySelector<HTMLElement>(`[data-handle="${CSS.escape(refocus.current)}"]`)
        ?.focus();
    refocus.current = null;
  }, [pins.ids]);
  const onKeyDown = (event: KeyboardEvent, chart: ShownChart): void => {
    const at = pins.ids.indexOf(chart.id);
    const last = pins.ids.length - 1;
    const to = (
      {
        ArrowLeft: at - 1,
        ArrowUp: at - 1,
        ArrowRight: at + 1,
        ArrowDown: at + 1,
        Home: 0,
        End: last,
      } as Record<string, number | undefined>
    )[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const place = Math.max(0, Math.min(last, to));
    refocus.current = chart.id;
    actions.move(chart.id, place);
    setSaid(`${chart.title}: place ${place + 1} of ${pins.ids.length}.`);
  };
  const onPointerDown = (event: PointerEvent, chart: ShownChart): void => {
    if (event.button !== 0 || grid.current === null) return;
    event.preventDefault();
    setDragged(chart.id);
    followDrag(grid.current, chart.id, actions.move, () => setDragged(null));
  };
  return (
    <section aria-label="Pinned">
      <h2 className={styles.hidden}>Pinned</h2>
      <div ref={grid} className={styles.three}>
        {shown.map((chart, at) => (
          <Pinned
            key={chart.id}
            chart={chart}
            plotPx={plotPx}
            wide={pins.wide.includes(chart.id)}
            dragged={dragged === chart.id}
            place={`${at + 1} of ${shown.length}`}
            toggleWide={actions.toggleWide}
            onKeyDown={(event) => {
              onKeyDown(event, chart);
            }}
            onPointerDown={(event) => {
              onPointerDown(event, chart);
            }}
          />
        ))}
      </div>
      {absent.length > 0 && (
        <p className={styles.absent}>
          {`${absent.length} pinned ${absent.length === 1 ? 'chart is' : 'charts are'} not in ` +
            `this run: ${absent.join(', ')}.`}
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => {
              for (const id of absent) actions.toggle(id);
            }}
          >
            Unpin
          </Button>
        </p>
      )}
      <div className={styles.hidden} aria-live="polite">
        {said}
      </div>
    </section>
  );
}

/** Moves a chart to wherever the pointer goes over another one, until it is let go. */
function followDrag(
  grid: HTMLElement,
  id: string,
  move: PinActions['move'],
  onEnd: () => void,
): void {
  let over = id;
  const follow = (at: globalThis.PointerEvent): void => {
    const under = document
      .elementFromPoint(at.clientX, at.clientY)
      ?.closest<HTMLElement>('[data-pin]')?.dataset.pin;
    if (under === undefined || under === over) return;
    // Once a neighbour: the one that came under the pointer by the move itself must not send it
    // back.
    over = under;
    if (under === id) return;
    const ids = [...grid.querySelectorAll<HTMLElement>('[data-pin]')].map(
      (node) => node.dataset.pin,
    );
    move(id, ids.indexOf(under));
  };
  const end = (): void => {
    onEnd();
    window.removeEventListener('pointermove', follow);
    window.removeEventListener('pointerup', end);
    window.removeEventListener('pointercancel', end);
  };
  window.addEventListener('pointermove', follow);
  window.addEventListener('pointerup', end);
  window.addEventListener('pointercancel', end);
}

interface PinnedProps {
  chart: ShownChart;
  plotPx: number;
  wide: boolean;
  dragged: boolean;
  place: string;
  toggleWide: (id: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onPointerDown: (event: PointerEvent) => void;
}

function Pinned({
  chart,
  plotPx,
  wide,
  dragged,
  place,
  toggleWide,
  onKeyDown,
  onPointerDown,
}: PinnedProps) {
  const more = useMemo(
    () => [
      {
        id: 'wide',
        label: wide ? 'Normal width' : 'Whole width',
        run: () => {
          toggleWide(chart.id);
        },
      },
    ],
    [wide, toggleWide, chart.id],
  );
  return (
    <div
      data-pin={chart.id}
      data-wide={wide || undefined}
      data-dragged={dragged || undefined}
      className={styles.pinned}
    >
      <BoardChartView
        chart={chart}
        height={plotPx}
        more={more}
        lead={
          <button
            type="button"
            data-handle={chart.id}
            className={styles.handle}
            aria-label={`Move ${chart.title}, place ${place}; arrow keys move it`}
            title="Drag, or arrow keys"
            onKeyDown={onKeyDown}
            onPointerDown={onPointerDown}
          >
            <IconGripVertical size={14} aria-hidden />
          </button>
        }
      />
    </div>
  );
}
