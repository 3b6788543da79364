import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';

import styles from './charts.module.css';

const showAfterMs = 150;

/** The shape of what comes; shown only when it takes long enough to be noticed. */
export function ChartSkeleton({ label }: { label: string }) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      setShown(true);
    }, showAfterMs);
    return () => {
      clearTimeout(timer);
    };
  }, []);
  return (
    <div className={styles.skeleton} data-shown={shown || undefined} role="status">
      <span className={styles.hidden}>Loading {label}</span>
    </div>
  );
}

export function ChartFailure({
  message,
  hint,
  onRetry,
}: {
  message: string;
  hint?: string | undefined;
  onRetry?: (() => void) | undefined;
}) {
  return (
    <div className={styles.overlay} role="alert">
      <strong>{message}</strong>
      {hint !== undefined && <span>{hint}</span>}
      {onRetry !== undefined && (
        <Button size="compact-sm" variant="default" onClick={onRetry}>
          Load again
        </Button>
      )}
    </div>
  );
}
