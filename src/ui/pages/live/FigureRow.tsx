import { memo, type ReactNode, useEffect, useRef } from 'react';

import { onHeartbeat } from '../../charts/heartbeat.ts';
import type { BoardFigure } from './boardFigures.ts';
import styles from './figures.module.css';
import { Spark } from './Spark.tsx';

/** A figure of the board: what it is called, and how it is read. Keep the identity of both reads. */
export interface ReadFigure {
  label: string;
  read: () => BoardFigure;
  points: () => readonly number[];
}

/** The run in four numbers with their last minutes, and beside them what asks for attention. */
export function FigureRow({
  figures,
  children,
}: {
  figures: readonly ReadFigure[];
  children: ReactNode;
}) {
  return (
    <div className={styles.row}>
      <dl className={styles.figures}>
        {figures.map((figure) => (
          <Figure key={figure.label} {...figure} />
        ))}
      </dl>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex --
          a scrolling region must be reachable by keyboard. */}
      <section className={styles.slot} aria-label="Alerts" tabIndex={0}>
        {children}
        <p className={styles.calm}>Nothing asks for attention.</p>
      </section>
    </div>
  );
}

/** One number, written once a second without React. */
const Figure = memo(function Figure({ label, read, points }: ReadFigure) {
  const node = useRef<HTMLElement>(null);
  useEffect(() => {
    const write = (): void => {
      const [value, unit, of] = ['value', 'unit', 'of'].map((part) =>
        node.current?.querySelector(`[data-${part}]`),
      );
      const now = read();
      setText(value, now.text);
      setText(unit, now.unit);
      setText(of, now.of);
      value?.parentElement?.toggleAttribute('data-bad', now.bad);
    };
    write();
    return onHeartbeat(write);
  }, [read]);
  return (
    <div className={styles.figure}>
      <dt>{label}</dt>
      <dd ref={node}>
        <span className={styles.value}>
          <span data-value />
          <span data-unit className={styles.unit} />
        </span>
        <Spark read={points} />
        <div data-of className={styles.of} />
      </dd>
    </div>
  );
});

function setText(node: Element | null | undefined, text: string): void {
  if (node != null && node.textContent !== text) node.textContent = text;
}
