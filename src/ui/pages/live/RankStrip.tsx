import { Modal } from '@mantine/core';
import { type KeyboardEvent, memo, use, useEffect, useRef, useState } from 'react';

import { formatExact, formatSi, noValue } from '../../../core/base/format.ts';
import { ChartMenu } from '../../charts/ChartMenu.tsx';
import { onHeartbeat } from '../../charts/heartbeat.ts';
import { provenanceText, sourcesOf } from '../../charts/provenance.ts';
import { extent } from '../../charts/view.ts';
import type { ChartSeries } from '../../engine/series.ts';
import { ChartMarkContext } from '../../kit/mark.ts';
import { Table } from '../../kit/Table.tsx';
import styles from './rank.module.css';
import {
  rank,
  type Ranked,
  type RankSpec,
  rankSummary,
  rankWords,
  type ReadSeries,
} from './rankModel.ts';

export interface RankStripProps {
  spec: RankSpec;
  unit: string;
  lines: readonly ChartSeries[];
  read: ReadSeries;
  /** `now`, or what the values are a mean of. */
  when: string;
  nowMs: (() => number) | null;
  /** The past of the run is still being read. */
  reading: boolean;
  onOpen: (key: string) => void;
  /** Opens all lines side by side. */
  onSplit: () => void;
  /** Text of a moment of the run, for the last update. */
  timeText: (atMs: number) => string;
}

const named = 3;
/** Beats between two new orders: bars must not change places under the eye every second. */
const orderEvery = 5;

/**
 * All hosts, LUNs or meters of a run as bars, highest first: height is the value, and colour only
 * repeats it. React renders the places, not the values.
 */
export const RankStrip = memo(function RankStrip({
  spec,
  unit,
  lines,
  read,
  when,
  nowMs,
  reading,
  onOpen,
  onSplit,
  timeText,
}: RankStripProps) {
  const mark = use(ChartMarkContext);
  const root = useRef<HTMLDivElement>(null);
  const held = useRef<readonly Ranked[]>([]);
  const pointed = useRef<number | null>(null);
  const [said, setSaid] = useState('');
  const [table, setTable] = useState<readonly Ranked[] | null>(null);
  useEffect(() => {
    let beat = 0;
    let order: string[] = [];
    const write = (): void => {
      const box = root.current;
      if (box === null) return;
      const fresh = rank(spec, lines, read, nowMs?.() ?? null);
      const still = box.matches(':hover') || box.contains(document.activeElement);
      if (order.length !== fresh.length || (beat++ % orderEvery === 0 && !still))
        order = fresh.map((r) => r.key);
      const byKey = new Map(fresh.map((r) => [r.key, r]));
      const shown = order.flatMap((key) => byKey.get(key) ?? []);
      held.current = shown;
      box.querySelectorAll<HTMLElement>('[data-bar]').forEach((bar, i) => {
        const r = shown[i];
        if (r !== undefined) paint(bar, r);
      });
      box.querySelectorAll<HTMLButtonElement>('[data-name]').forEach((node, i) => {
        const r = shown[i];
        if (r === undefined) return;
        const text = `${r.name} ${Number.isFinite(r.value) ? formatSi(r.value) : noValue}`;
        if (node.textContent !== text) node.textContent = text;
        if (node.dataset.level !== r.state) node.dataset.level = r.state;
        if (node.title !== r.text) node.title = r.text;
      });
      const current = pointed.current === null ? undefined : shown[pointed.current];
      setText(
        box.querySelector('[data-summary]'),
        current?.text ?? rankSummary(spec, fresh, unit, nowMs === null ? when : null, reading),
      );
      const last = extent(lines)[1];
      setText(box.querySelector('[data-last]'), Number.isNaN(last) ? '' : `last ${timeText(last)}`);
    };
    write();
    return nowMs === null ? undefined : onHeartbeat(write);
  }, [spec, unit, lines, read, when, nowMs, reading, timeText]);
  const pick = (index: number): void => {
    const r = held.current[index];
    if (r !== undefined) onOpen(r.key);
  };
  /** Reads one bar out, or with null goes back to the summary. */
  const point = (index: number | null): void => {
    pointed.current = index;
    root.current?.querySelectorAll<HTMLElement>('[data-bar]').forEach((bar, i) => {
      bar.toggleAttribute('data-at', i === index);
    });
    const r = index === null ? undefined : held.current[index];
    setText(
      root.current?.querySelector('[data-summary]') ?? null,
      r === undefined
        ? rankSummary(spec, held.current, unit, nowMs === null ? when : null, reading)
        : r.text,
    );
  };
  const barAt = (target: EventTarget): number => {
    const bar = (target as Element).closest<HTMLElement>('[data-bar]');
    return bar === null ? -1 : Number(bar.dataset.bar);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const at = pointed.current ?? -1;
    if (event.key === 'Enter' && at >= 0) {
      event.preventDefault();
      pick(at);
      return;
    }
    const last = lines.length - 1;
    const to = (
      {
        ArrowRight: Math.min(last, at + 1),
        ArrowLeft: Math.max(0, at - 1),
        Home: 0,
        End: last,
      } as Record<string, number | undefined>
    )[event.key];
    if (to === undefined) return;
    event.preventDefault();
    point(to);
    setSaid(held.current[to]?.text ?? '');
  };
  const title = `${spec.title}, ${when}`;
  return (
    <section ref={root} className={styles.strip} aria-label={title}>
      <header className={styles.head}>
        <h3 className={styles.title} title={title}>
          {spec.title}{' '}
          <span className={styles.unit}>{`${unit}, ${nowMs === null ? 'mean' : when}`}</span>
        </h3>
        <ChartMenu
          title={title}
          actions={[
            { id: 'split', label: 'Each on its own', run: onSplit },
            {
              id: 'table',
              label: 'Table',
              run: () => {
                setTable(held.current);
              },
            },
          ]}
        />
      </header>
      <div className={styles.names}>
        {lines.slice(0, named).map((_, i) => (
          <button
            key={i}
            type="button"
            data-name
            className={styles.name}
            onClick={() => {
              pick(i);
            }}
          />
        ))}
      </div>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a picture that is read by keyboard: the arrows go from bar to bar, and bars are too narrow for buttons. */}
      <div
        className={styles.bars}
        role="group"
        aria-label={`${title}: ${lines.length} bars, highest first; arrow keys read one, Enter opens it`}
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above.
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={() => {
          point(null);
        }}
        onClick={(event) => {
          pick(barAt(event.target));
        }}
        onPointerMove={(event) => {
          const at = barAt(event.target);
          point(at < 0 ? null : at);
        }}
        onPointerLeave={() => {
          point(null);
        }}
      >
        {lines.map((_, i) => (
          <span key={i} data-bar={i} className={styles.bar} aria-hidden="true">
            <i />
          </span>
        ))}
      </div>
      <span className={styles.hidden} aria-live="polite">
        {said}
      </span>
      <p
        className={styles.summary}
        data-summary
        title={
          spec.limit === null
            ? undefined
            : `High from ${spec.limit.from} ${unit}, very high from ${spec.limit.full} ${unit}. ${spec.limit.source}`
        }
      />
      <p className={styles.source} title={sourcesOf(lines).join('\n')}>
        {mark !== null && <b className={styles.mark}>{mark}</b>}
        {provenanceText(lines)} <span data-last />
      </p>
      {table !== null && (
        <Modal
          opened
          onClose={() => {
            setTable(null);
          }}
          title={title}
          size="lg"
          closeButtonProps={{ 'aria-label': 'Close' }}
          transitionProps={{ duration: 0 }}
        >
          <Table fz="sm" verticalSpacing={2} aria-label={title}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th ta="right">{unit}</Table.Th>
                <Table.Th>State</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {table.map((r) => (
                <Table.Tr key={r.key}>
                  <Table.Td>{r.name}</Table.Td>
                  <Table.Td ta="right">
                    {Number.isFinite(r.value) ? formatExact(r.value, 2) : noValue}
                  </Table.Td>
                  <Table.Td>{rankWords[r.state]}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Modal>
      )}
    </section>
  );
});

const setText = (node: Element | null, text: string): void => {
  if (node !== null && node.textContent !== text) node.textContent = text;
};

function paint(bar: HTMLElement, r: Ranked): void {
  const fill = bar.firstElementChild as HTMLElement;
  const height = `${(r.share * 100).toFixed(1)}%`;
  if (fill.style.height !== height) fill.style.height = height;
  if (bar.dataset.level !== r.state) bar.dataset.level = r.state;
}
