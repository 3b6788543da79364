import { type ReactNode, useEffect, useRef, useState } from 'react';

import styles from './live.module.css';

/**
 * A place of known height whose chart is made when it comes near: a hundred charts at once would
 * hold the page for seconds.
 */
export function LazyChart({
  title,
  heightPx,
  children,
}: {
  title: string;
  heightPx: number;
  children: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(typeof IntersectionObserver === 'undefined');
  useEffect(() => {
    const node = box.current;
    if (near || node === null) return undefined;
    const sight = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setNear(true);
      },
      { rootMargin: '500px' },
    );
    sight.observe(node);
    return () => {
      sight.disconnect();
    };
  }, [near]);
  return near ? (
    children
  ) : (
    <div ref={box} className={styles.place} style={{ height: heightPx }}>
      <h3>{title}</h3>
    </div>
  );
}
