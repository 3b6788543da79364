import { Button, Group, Progress, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import { toAppError } from '../../shared/errors.ts';
import type { HistoryEntry } from '../../shared/history.ts';
import { useClient, useDesktop } from '../runs/services.ts';
import { type ExportChoice, exportSelected, type ManyProgress } from './exportSelected.ts';

/** Exports what is selected, with counts and cancel. Leaving the page cancels, so that no half file is left behind in silence. */
export function useExportSelected(): {
  start: (entries: readonly HistoryEntry[], choice: ExportChoice) => Promise<void>;
  busy: boolean;
  progress: ReactNode;
} {
  const client = useClient();
  const desktop = useDesktop();
  const [active, setActive] = useState<ManyProgress | null>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const start = async (entries: readonly HistoryEntry[], choice: ExportChoice): Promise<void> => {
    const controller = new AbortController();
    abort.current = controller;
    setActive({ at: 0, of: entries.length, name: '', progress: null });
    try {
      const { written, of, failed, stopped } = await exportSelected(
        { client, desktop },
        entries,
        choice,
        setActive,
        controller.signal,
      );
      if (failed.length > 0)
        notifications.show({
          color: 'red',
          autoClose: 15_000,
          title: `${written} of ${of} files written`,
          message: failed.map((one) => `${one.name}: ${one.reason}`).join(' '),
        });
      else if (written > 0 || !stopped)
        notifications.show({
          message: `${written} of ${of} ${of === 1 ? 'file' : 'files'} written${stopped ? ', then cancelled' : ''}`,
        });
    } catch (thrown) {
      const { message, hint } = toAppError(thrown);
      notifications.show({ color: 'red', title: `Export failed: ${message}`, message: hint ?? '' });
    } finally {
      abort.current = null;
      setActive(null);
    }
  };
  const share =
    active?.progress && active.progress.total > 0
      ? active.progress.done / active.progress.total
      : 0;
  const progress =
    active === null ? null : (
      <Group gap={8} role="status" aria-label="Export">
        <Progress
          w={160}
          aria-label="Export of the selection"
          value={active.of === 0 ? 0 : ((Math.max(0, active.at - 1) + share) / active.of) * 100}
          transitionDuration={0}
        />
        <Text size="xs">{`File ${active.at} of ${active.of}: ${active.name}`}</Text>
        <Button size="compact-xs" variant="default" onClick={() => abort.current?.abort()}>
          Cancel export
        </Button>
      </Group>
    );
  return { start, busy: active !== null, progress };
}
