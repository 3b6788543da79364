import { Button, Group, Modal, Progress, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import { toAppError } from '../../../core/base/errors.ts';
import type { HistoryEntry } from '../../../core/history/history.ts';
import type { Doubt } from '../../../core/redact/redactor.ts';
import { type Confirmed, nothingConfirmed } from '../../engine/exportRun.ts';
import { useClient, useDesktop } from '../../engine/services.ts';
import { DialogFoot } from '../../kit/DialogFoot.tsx';
import { Doubts, useDoubts } from '../../kit/Doubts.tsx';
import {
  doubtsOf,
  type ExportChoice,
  exportSelected,
  type ManyProgress,
  type ManyWritten,
} from './exportSelected.ts';

interface Asked {
  entries: readonly HistoryEntry[];
  choice: ExportChoice;
  doubts: readonly Doubt[];
}

/** An export of the selection: how to start one, whether one is under way, and what to show of it. */
export interface SelectedExport {
  start: (entries: readonly HistoryEntry[], choice: ExportChoice, redact: boolean) => Promise<void>;
  busy: boolean;
  progress: ReactNode;
  dialog: ReactNode;
}

/**
 * Exports what is selected, as it is or redacted, with counts and cancel; `dialog` asks about what
 * may name somebody. Leaving the page cancels, so that no half file is left behind in silence.
 */
export function useExportSelected(): SelectedExport {
  const client = useClient();
  const desktop = useDesktop();
  const [active, setActive] = useState<ManyProgress | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const doubts = useDoubts(asked?.doubts);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const start = async (
    entries: readonly HistoryEntry[],
    choice: ExportChoice,
    redact: boolean,
    decided: Confirmed | null = null,
  ): Promise<void> => {
    const controller = new AbortController();
    abort.current = controller;
    setActive({ at: 0, of: entries.length, name: '', progress: null });
    setAsked(null);
    try {
      if (redact && decided === null) {
        const open = await doubtsOf(client, entries, choice, controller.signal);
        if (open.length > 0) {
          setAsked({ entries, choice, doubts: open });
          return;
        }
      }
      tellWritten(
        await exportSelected(
          { client, desktop },
          entries,
          choice,
          redact ? (decided ?? nothingConfirmed) : null,
          setActive,
          controller.signal,
        ),
      );
    } catch (thrown) {
      const { kind, message, hint } = toAppError(thrown);
      if (kind === 'aborted') return;
      notifications.show({ color: 'red', title: `Export failed: ${message}`, message: hint ?? '' });
    } finally {
      abort.current = null;
      setActive(null);
    }
  };
  const progress =
    active === null ? null : (
      <SelectionProgress active={active} onCancel={() => abort.current?.abort()} />
    );
  const dialog = (
    <Modal
      opened={asked !== null}
      onClose={() => setAsked(null)}
      title="Redacted export: what leaves"
      size="xl"
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 0 }}
    >
      <Doubts {...doubts.props} />
      <DialogFoot>
        <Button variant="default" onClick={() => setAsked(null)}>
          Close
        </Button>
        <Button
          disabled={!doubts.ready}
          onClick={() => {
            if (asked !== null) void start(asked.entries, asked.choice, true, doubts.decided);
          }}
        >
          Write redacted export
        </Button>
      </DialogFoot>
    </Modal>
  );
  return { start, busy: active !== null, progress, dialog };
}

/** Says how many files there are now, and what could not be written. */
function tellWritten({ written, of, failed, stopped }: ManyWritten): void {
  if (failed.length > 0)
    notifications.show({
      color: 'red',
      autoClose: 15_000,
      title: `${written} of ${of} files written`,
      message: failed.map((one) => `${one.name}: ${one.reason}`).join(' '),
    });
  else if (written > 0 || !stopped)
    notifications.show({
      message:
        `${written} of ${of} ${of === 1 ? 'file' : 'files'} written` +
        (stopped ? ', then cancelled' : ''),
    });
}

function SelectionProgress({ active, onCancel }: { active: ManyProgress; onCancel: () => void }) {
  const { at, of, name, progress } = active;
  const share = progress && progress.total > 0 ? progress.done / progress.total : 0;
  return (
    <Group gap={8} role="status" aria-label="Export">
      <Progress
        w={160}
        aria-label="Export of the selection"
        value={of === 0 ? 0 : ((Math.max(0, at - 1) + share) / of) * 100}
        transitionDuration={0}
      />
      <Text size="xs">{`File ${at} of ${of}: ${name}`}</Text>
      <Button size="compact-xs" variant="default" onClick={onCancel}>
        Cancel export
      </Button>
    </Group>
  );
}
