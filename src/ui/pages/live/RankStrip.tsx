import { type KeyboardEvent, memo, useEffect, useRef, useState } from 'react';

import { formatExact, noValue } from '../../../core/base/format.ts';
import { ChartMenu } from '../../charts/ChartMenu.tsx';
import { onHeartbeat } from '../../charts/heartbeat.ts';
import { provenanceText, sourcesOf } from '../../charts/provenance.ts';
import { extent } from '../../charts/view.ts';
import type { ChartSeries } from '../../engine/series.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { Table } from '../../kit/Table.tsx';
import styles from './rank.module.css';
import { barAt, createRankOrder, pointBar, setText, writeRanks } from './rankDom.ts';
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

/** The first bars have their names above them. */
const named = 3;

/**
 * All hosts, LUNs or meters of a run as bars, highest first: height is the value, and colour only
 * repeats it. React renders the places, not the values.
 */
export const RankStrip = memo(function RankStrip(props: RankStripProps) {
  const { spec, unit, lines, read, when, nowMs, reading, onOpen, timeText } = props;
  const root = useRef<HTMLDivElement>(null);
  const held = useRef<readonly Ranked[]>([]);
  const pointed = useRef<number | null>(null);
  const [table, setTable] = useState<readonly Ranked[] | null>(null);
  const period = nowMs === null ? when : null;
  useEffect(() => {
    const inOrder = createRankOrder();
    const write = (): void => {
      const box = root.current;
      if (box === null) return;
      const fresh = rank(spec, lines, read, nowMs?.() ?? null);
      held.current = inOrder(fresh, box.matches(':hover') || box.contains(document.activeElement));
      writeRanks(box, held.current);
      const current = pointed.current === null ? undefined : held.current[pointed.current];
      setText(
        box.querySelector('[data-summary]'),
        current?.text ?? rankSummary(spec, fresh, unit, period, reading),
      );
      const last = extent(lines)[1];
      setText(box.querySelector('[data-last]'), Number.isNaN(last) ? '' : `last ${timeText(last)}`);
    };
    write();
    return nowMs === null ? undefined : onHeartbeat(write);
  }, [spec, unit, lines, read, period, nowMs, reading, timeText]);
  const pick = (index: number): void => {
    const r = held.current[index];
    if (r !== undefined) onOpen(r.key);
  };
  /** Reads one bar out, or with null goes back to the summary; returns what is read. */
  const point = (index: number | null): string => {
    pointed.current = index;
    const text = index === null ? undefined : held.current[index]?.text;
    if (root.current !== null) {
      pointBar(root.current, index);
      setText(
        root.current.querySelector('[data-summary]'),
        text ?? rankSummary(spec, held.current, unit, period, reading),
      );
    }
    return text ?? '';
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
            { id: 'split', label: 'Each on its own', run: props.onSplit },
            { id: 'table', label: 'Table', run: () => setTable(held.current) },
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
      <Bars
        title={title}
        count={lines.length}
        pointed={() => pointed.current}
        onPoint={point}
        onPick={pick}
      />
      <Foot spec={spec} unit={unit} lines={lines} />
      {table !== null && (
        <RankTable title={title} unit={unit} ranks={table} onClose={() => setTable(null)} />
      )}
    </section>
  );
});

interface BarsProps {
  title: string;
  count: number;
  /** Place of the bar that is read out; null = none. */
  pointed: () => number | null;
  /** Returns what is read out. */
  onPoint: (index: number | null) => string;
  onPick: (index: number) => void;
}

function Bars({ title, count, pointed, onPoint, onPick }: BarsProps) {
  const [said, setSaid] = useState('');
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const at = pointed() ?? -1;
    if (event.key === 'Enter' && at >= 0) {
      event.preventDefault();
      onPick(at);
      return;
    }
    const last = count - 1;
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
    setSaid(onPoint(to));
  };
  return (
    <>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions --
          a picture that is read by keyboard: the arrows go from bar to bar, and bars are too narrow for buttons. */}
      <div
        className={styles.bars}
        role="group"
        aria-label={`${title}: ${count} bars, highest first; arrow keys read one, Enter opens it`}
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above.
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={() => onPoint(null)}
        onClick={(event) => {
          const at = barAt(event.target);
          if (at !== null) onPick(at);
        }}
        onPointerMove={(event) => onPoint(barAt(event.target))}
        onPointerLeave={() => onPoint(null)}
      >
        {Array.from({ length: count }, (_, i) => (
          <span key={i} data-bar={i} className={styles.bar} aria-hidden="true">
            <i />
          </span>
        ))}
      </div>
      <span className={styles.hidden} aria-live="polite">
        {said}
      </span>
    </>
  );
}

/** Summary and time of the newest sample, both written to directly, and who measured it. */
function Foot({ spec: { limit }, unit, lines }: Pick<RankStripProps, 'spec' | 'unit' | 'lines'>) {
  return (
    <>
      <p
        className={styles.summary}
        data-summary
        title={
          limit === null
            ? undefined
            : `High from ${limit.from} ${unit}, very high from ${limit.full} ${unit}. ${limit.source}`
        }
      />
      <p className={styles.source} title={sourcesOf(lines).join('\n')}>
        {provenanceText(lines)} <span data-last />
      </p>
    </>
  );
}

function RankTable({
  title,
  unit,
  ranks,
  onClose,
}: {
  title: string;
  unit: string;
  ranks: readonly Ranked[];
  onClose: () => void;
}) {
  return (
    <Dialog onClose={onClose} title={title} size="lg">
      <Table fz="sm" verticalSpacing={2} aria-label={title}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th ta="right">{unit}</Table.Th>
            <Table.Th>State</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {ranks.map((r) => (
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
    </Dialog>
  );
}
