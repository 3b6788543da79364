import { Alert, Button, Skeleton, Stack, Text } from '@mantine/core';
import { IconCircleX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';

import type { AppErrorShape } from '../../core/base/errors.ts';
import { dim } from './tones.ts';

/** Shape of what comes; only after 150 ms, so that a quick answer does not flicker. */
export function Pending({ label, rows = 6 }: { label: string; rows?: number }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 150);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Stack gap={8} role="status" aria-label={`Loading ${label}`} aria-busy>
      {late &&
        Array.from({ length: rows }, (_, i) => (
          <Skeleton key={i} height={22} width={`${100 - (i % 3) * 12}%`} animate={false} />
        ))}
    </Stack>
  );
}

/** What failed, why, and what to do. */
export function Failure({
  title,
  error,
  onRetry,
}: {
  title: string;
  error: AppErrorShape;
  onRetry?: () => void;
}) {
  const technical = error.details?.['technical'];
  return (
    <Alert color="red" icon={<IconCircleX aria-hidden />} title={title} role="alert">
      <Text size="sm">{error.message}</Text>
      {error.hint && <Text size="sm">{error.hint}</Text>}
      {typeof technical === 'string' && (
        <Text size="xs" c={dim} component="details">
          <summary>Technical</summary>
          {technical}
        </Text>
      )}
      {onRetry && (
        <Button mt={8} size="xs" variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Alert>
  );
}

/** Says what will be here and offers the action. */
export function Nothing({ text, action }: { text: string; action?: ReactNode }) {
  return (
    <Stack align="flex-start" gap={8} py="lg">
      <Text c={dim}>{text}</Text>
      {action}
    </Stack>
  );
}
