import { memo, useEffect, useState } from 'react';

import { onHeartbeat } from '../../charts/heartbeat.ts';
import type { BigNumber, NumberKey } from './numbers.ts';
import styles from './presenter.module.css';

/** Numbers to be read from the last row; what is not in the list is not on screen. */
export const Numbers = memo(function Numbers({ list }: { list: readonly BigNumber[] }) {
  if (list.length === 0) return null;
  return (
    <dl className={styles.numbers} aria-label="Numbers">
      {list.map((n) => (
        <div key={n.key} className={styles.number} data-number={n.key}>
          <dt>{n.label}</dt>
          <dd>
            {n.text}
            {n.unit !== '' && n.value !== null && <span className={styles.unit}>{n.unit}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
});

/** Numbers worked out anew each second. `read` must keep its identity while its inputs do. */
export function LiveNumbers({
  read,
  keys,
}: {
  read: () => readonly BigNumber[];
  keys?: readonly NumberKey[] | undefined;
}) {
  const [list, setList] = useState(read);
  useEffect(() => {
    const write = (): void => {
      setList((old) => {
        const next = read();
        return sameNumbers(old, next) ? old : next;
      });
    };
    const first = requestAnimationFrame(write);
    const stop = onHeartbeat(write);
    return () => {
      cancelAnimationFrame(first);
      stop();
    };
  }, [read]);
  return <Numbers list={picked(list, keys)} />;
}

/** The wanted numbers in the wanted order; all where nothing is wanted. */
export const picked = (
  list: readonly BigNumber[],
  keys: readonly NumberKey[] | undefined,
): readonly BigNumber[] =>
  keys === undefined ? list : keys.flatMap((key) => list.find((n) => n.key === key) ?? []);
const sameNumbers = (a: readonly BigNumber[], b: readonly BigNumber[]): boolean =>
  a.length === b.length &&
  a.every((n, i) => n.key === b[i]!.key && n.text === b[i]!.text && n.label === b[i]!.label);
