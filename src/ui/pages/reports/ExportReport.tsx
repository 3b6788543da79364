import {
  Button,
  Checkbox,
  Group,
  Modal,
  Popover,
  Progress,
  SegmentedControl,
  Stack,
  Text,
} from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';

import { toAppError } from '../../../core/base/errors.ts';
import type { Output, Reader } from '../../../wire/contract.ts';
import type { RedactionPreview, ReportSubject } from '../../../wire/contract/leaving.ts';
import { type Confirmed, nothingConfirmed } from '../../engine/exportRun.ts';
import { useClient, useDesktop } from '../../engine/services.ts';
import { DialogFoot } from '../../kit/DialogFoot.tsx';
import { Doubts, useDoubts } from '../../kit/Doubts.tsx';
import { dim } from '../../kit/tones.ts';

export type ReportFormat = 'html' | 'pdf' | 'markdown';
export interface ReportOptions {
  format: ReportFormat;
  redact: boolean;
  keep: string[];
  confirmed: string[];
  progressKey: string;
}
/** Asks the engine for the report, whatever it is about. */
export type MakeReport = (
  client: Reader,
  options: ReportOptions,
  signal: AbortSignal,
) => Promise<Output<'report.compare'>>;
interface Props {
  make: MakeReport;
  /** What it is about, for the preview of what redaction would do. */ of: ReportSubject;
  /** Nothing to report yet. */ disabled?: boolean;
}
interface Told {
  step: string;
  done: number;
  total: number;
}

const notes: Readonly<Record<ReportFormat, string>> = {
  html: 'One file for any browser, offline; charts answer.',
  pdf: 'A4 pages.',
  markdown: 'Text for a ticket or a wiki; charts in words.',
};

/**
 * Export of a report with choice of format, redaction, counts and cancel. Leaving the page cancels.
 */
export function ExportReport({ make, of, disabled = false }: Props) {
  const client = useClient();
  const desktop = useDesktop();
  const [opened, setOpened] = useState(false);
  const [format, setFormat] = useState<ReportFormat>('html');
  const [redact, setRedact] = useState(false);
  const [active, setActive] = useState<Told | null>(null);
  const [message, setMessage] = useState('');
  const [asked, setAsked] = useState<RedactionPreview | null>(null);
  const doubts = useDoubts(asked?.doubts);
  const abort = useRef<AbortController | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const busy = active !== null;
  const wasBusy = useRef(false);
  useEffect(() => () => abort.current?.abort(), []);
  // The button was away meanwhile and took the focus with it; it has it back unless the person has
  // gone elsewhere.
  useEffect(() => {
    if (
      wasBusy.current &&
      !busy &&
      (document.activeElement === null || document.activeElement === document.body)
    )
      button.current?.focus();
    wasBusy.current = busy;
  }, [busy]);

  const start = async (decided: Confirmed | null = null): Promise<void> => {
    const controller = new AbortController();
    abort.current = controller;
    const progressKey = crypto.randomUUID();
    const stop = client.on('report.progress', (told) => {
      if (told.key === progressKey) setActive(told);
    });
    setMessage('');
    setOpened(false);
    setAsked(null);
    setActive({ step: 'Being made', done: 0, total: 0 });
    try {
      if (redact && decided === null) {
        const preview = await client.call('report.preview', { of }, controller.signal);
        if (preview.doubts.length > 0) {
          setAsked(preview);
          return;
        }
      }
      const { keep, confirmed } = decided ?? nothingConfirmed;
      const { fileName, bytes } = await make(
        client,
        { format, redact, keep: [...keep], confirmed: [...confirmed], progressKey },
        controller.signal,
      );
      const file = await desktop.saveFile(fileName, oneChunk(bytes));
      setMessage(file === null ? '' : `Written: ${file}`);
    } catch (thrown) {
      const error = toAppError(thrown);
      setMessage(
        error.kind === 'aborted'
          ? 'Report cancelled. No file was kept.'
          : `No report: ${error.message}${error.hint ? ` ${error.hint}` : ''}`,
      );
    } finally {
      stop();
      abort.current = null;
      setActive(null);
    }
  };

  if (active !== null) {
    return (
      <Group gap={8} wrap="nowrap">
        <Progress
          aria-label="Progress of the report"
          w={100}
          value={active.total === 0 ? 0 : (active.done / active.total) * 100}
          transitionDuration={0}
        />
        <Text size="xs" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {active.total === 0 ? active.step : `${active.step}, ${active.done} of ${active.total}`}
        </Text>
        <Button size="compact-xs" variant="default" onClick={() => abort.current?.abort()}>
          Cancel report
        </Button>
      </Group>
    );
  }
  return (
    <Group gap={6} wrap="nowrap">
      <Text size="xs" role="status" lineClamp={1} title={message}>
        {message}
      </Text>
      <Modal
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title="Redacted report: what leaves"
        size="xl"
        closeButtonProps={{ 'aria-label': 'Close' }}
        transitionProps={{ duration: 0 }}
      >
        <Doubts {...doubts.props} />
        <DialogFoot>
          <Button variant="default" onClick={() => setAsked(null)}>
            Close
          </Button>
          <Button disabled={!doubts.ready} onClick={() => void start(doubts.decided)}>
            Write redacted report
          </Button>
        </DialogFoot>
      </Modal>
      <Popover
        opened={opened}
        onChange={setOpened}
        position="bottom-end"
        width={300}
        trapFocus
        returnFocus
        transitionProps={{ duration: 0 }}
      >
        <Popover.Target>
          <Button
            ref={button}
            size="xs"
            variant="default"
            disabled={disabled}
            leftSection={<IconFileText size={14} aria-hidden />}
            onClick={() => setOpened((was) => !was)}
          >
            Export report
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label="Export report">
          <Stack gap="sm">
            <div>
              <SegmentedControl
                fullWidth
                size="xs"
                aria-label="Format"
                value={format}
                onChange={(value) => setFormat(value)}
                data={[
                  { value: 'html', label: 'HTML' },
                  { value: 'pdf', label: 'PDF' },
                  { value: 'markdown', label: 'Markdown' },
                ]}
              />
              <Text size="xs" c={dim} mt={4}>
                {notes[format]}
              </Text>
            </div>
            <Checkbox
              size="xs"
              label="Replace names and addresses"
              description="By pseudonyms that are the same throughout"
              checked={redact}
              onChange={(e) => setRedact(e.currentTarget.checked)}
            />
            <Group justify="flex-end">
              <Button size="xs" onClick={() => void start()}>
                Export
              </Button>
            </Group>
          </Stack>
        </Popover.Dropdown>
      </Popover>
    </Group>
  );
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
