import { Button, Group, Menu, Progress, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';

import { toAppError } from '../../../core/base/errors.ts';
import { formatSi } from '../../../core/base/format.ts';
import {
  reportFormats,
  reportForms,
  reportLengths,
  type SampleFormat,
  sampleFormats,
  summaryFormats,
} from '../../../core/history/exportForms.ts';
import {
  type Confirmed,
  type ExportKind,
  type ExportProgress,
  exportWords,
} from '../../engine/exportRun.ts';
import { usePageActions } from '../../kit/pageActions.ts';
import { dim } from '../../kit/tones.ts';

interface Props {
  /** The run has acts. */
  hasActs: boolean;
  /** Writes the file; null when the user chose none. */
  run: (
    kind: ExportKind,
    onProgress: (progress: ExportProgress) => void,
    signal: AbortSignal,
    decided?: Confirmed,
  ) => Promise<string | null>;
  /** Asks what of the run leaves in a bundle, and then writes it. */
  onBundle: (write: (kind: ExportKind, decided: Confirmed) => void) => void;
}

/** Forms of samples; without acts there is nothing of them to export. */
const offered = (hasActs: boolean): SampleFormat[] =>
  sampleFormats.filter((format) => format !== 'csv-acts' || hasActs);

/**
 * Export with counts and cancel. Leaving the page cancels, so that no half file is left behind in
 * silence.
 */
export function ExportRun({ hasActs, run, onBundle }: Props) {
  const [active, setActive] = useState<{
    kind: ExportKind;
    progress: ExportProgress | null;
  } | null>(null);
  const [message, setMessage] = useState<string | null>(null);
  const [open, setOpen] = useState(false);
  usePageActions([{ id: 'export', title: 'Export…', run: () => setOpen(true) }]);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const start = async (kind: ExportKind, decided?: Confirmed): Promise<void> => {
    const controller = new AbortController();
    abort.current = controller;
    setMessage(null);
    setActive({ kind, progress: null });
    try {
      const file = await run(
        kind,
        (progress) => setActive({ kind, progress }),
        controller.signal,
        decided,
      );
      setMessage(file === null ? null : `Written: ${file}`);
    } catch (thrown) {
      const error = toAppError(thrown);
      setMessage(
        error.kind === 'aborted'
          ? 'Export cancelled. No file was kept.'
          : `Export failed: ${error.message}${error.hint ? ` ${error.hint}` : ''}`,
      );
    } finally {
      abort.current = null;
      setActive(null);
    }
  };
  if (active !== null) {
    const { progress, kind } = active;
    return (
      <Group gap={8} wrap="nowrap">
        <Progress
          aria-label={`Export ${exportWords(kind)}`}
          w={120}
          value={
            progress === null || progress.total === 0 ? 0 : (progress.done / progress.total) * 100
          }
        />
        <Text size="xs" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {progress === null
            ? 'Being made'
            : `${formatSi(progress.done)} of ${formatSi(progress.total)} ${progress.unit}`}
        </Text>
        <Button size="compact-xs" variant="default" onClick={() => abort.current?.abort()}>
          Cancel export
        </Button>
      </Group>
    );
  }
  const item = (kind: ExportKind, note = '') => (
    <Menu.Item key={kind} aria-label={exportWords(kind)} onClick={() => void start(kind)}>
      {exportWords(kind)}
      {note !== '' && (
        <Text size="xs" c={dim}>
          {note}
        </Text>
      )}
    </Menu.Item>
  );
  return (
    <Group gap={6}>
      <Menu
        position="bottom-end"
        transitionProps={{ duration: 0 }}
        opened={open}
        onChange={setOpen}
      >
        <Menu.Target>
          <Button size="xs" variant="default" leftSection={<IconDownload size={14} aria-hidden />}>
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Samples</Menu.Label>
          {offered(hasActs).map((format) => item(format))}
          <Menu.Label>Report</Menu.Label>
          {reportFormats.map((format) => item(format, reportForms[format].note))}
          <Menu.Label>{`${reportLengths.summary.label}: verdict, numbers, worst chart`}</Menu.Label>
          {summaryFormats.map((format) => item(`summary-${format}`))}
          <Menu.Label>Everything in one file</Menu.Label>
          <Menu.Item onClick={() => onBundle((kind, decided) => void start(kind, decided))}>
            Bundle…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Text size="xs" role="status">
        {message}
      </Text>
    </Group>
  );
}
