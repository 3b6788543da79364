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
import { type Ref, useEffect, useRef, useState } from 'react';

import {
  type ReportFormat,
  reportFormats,
  reportForms,
  type ReportLength,
  reportLengthNames,
  reportLengths,
} from '../../../core/history/exportForms.ts';
import type { ReportSubject } from '../../../wire/contract/leaving.ts';
import type { Confirmed } from '../../engine/exportRun.ts';
import { DialogFoot } from '../../kit/DialogFoot.tsx';
import { Doubts, useDoubts } from '../../kit/Doubts.tsx';
import { dim } from '../../kit/tones.ts';
import { type MakeReport, type Told, useReportExport } from './useReportExport.ts';

interface Props {
  make: MakeReport;
  /** What it is about, for the preview of what redaction would do. */ of: ReportSubject;
  /** Nothing to report yet. */ disabled?: boolean;
}

/**
 * Export of a report with choice of format, redaction, counts and cancel. Leaving the page cancels.
 */
export function ExportReport({ make, of, disabled = false }: Props) {
  const [opened, setOpened] = useState(false);
  const [format, setFormat] = useState<ReportFormat>('html');
  const [length, setLength] = useState<ReportLength>('full');
  const [redact, setRedact] = useState(false);
  const { active, message, asked, start, cancel, dropAsked } = useReportExport(make, of);
  // Kept here: what was ticked for one report stands for the next.
  const doubts = useDoubts(asked?.doubts);
  const button = useFocusBack(active !== null);
  const write = (decided: Confirmed | null): void => {
    setOpened(false);
    void start({ format, length, redact, decided });
  };
  if (active !== null) return <ReportProgress told={active} onCancel={cancel} />;
  return (
    <Group gap={6} wrap="nowrap">
      <Text size="xs" role="status" lineClamp={1} title={message}>
        {message}
      </Text>
      <LeavingReport opened={asked !== null} doubts={doubts} onClose={dropAsked} onWrite={write} />
      <Popover
        opened={opened}
        onChange={setOpened}
        position="bottom-end"
        width={340}
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
            <FormatChoice format={format} onChange={setFormat} />
            {reportForms[format].hasLengths && (
              <LengthChoice length={length} onChange={setLength} />
            )}
            <Checkbox
              size="xs"
              label="Replace names and addresses"
              description="By pseudonyms that are the same throughout"
              checked={redact}
              onChange={(e) => setRedact(e.currentTarget.checked)}
            />
            <Group justify="flex-end">
              <Button size="xs" onClick={() => write(null)}>
                Export
              </Button>
            </Group>
          </Stack>
        </Popover.Dropdown>
      </Popover>
    </Group>
  );
}

/**
 * A button that is away while `busy` and takes the focus with it: it has it back unless the person
 * has gone elsewhere.
 */
function useFocusBack(busy: boolean): Ref<HTMLButtonElement> {
  const button = useRef<HTMLButtonElement>(null);
  const wasBusy = useRef(false);
  useEffect(() => {
    if (
      wasBusy.current &&
      !busy &&
      (document.activeElement === null || document.activeElement === document.body)
    )
      button.current?.focus();
    wasBusy.current = busy;
  }, [busy]);
  return button;
}

function ReportProgress({ told, onCancel }: { told: Told; onCancel: () => void }) {
  return (
    <Group gap={8} wrap="nowrap">
      <Progress
        aria-label="Progress of the report"
        w={100}
        value={told.total === 0 ? 0 : (told.done / told.total) * 100}
        transitionDuration={0}
      />
      <Text size="xs" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {told.total === 0 ? told.step : `${told.step}, ${told.done} of ${told.total}`}
      </Text>
      <Button size="compact-xs" variant="default" onClick={onCancel}>
        Cancel report
      </Button>
    </Group>
  );
}

/** Texts that redaction cannot judge are decided before the report is written. */
function LeavingReport({
  opened,
  doubts,
  onClose,
  onWrite,
}: {
  opened: boolean;
  doubts: ReturnType<typeof useDoubts>;
  onClose: () => void;
  onWrite: (decided: Confirmed) => void;
}) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Redacted report: what leaves"
      size="xl"
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 0 }}
    >
      <Doubts {...doubts.props} />
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button disabled={!doubts.ready} onClick={() => onWrite(doubts.decided)}>
          Write redacted report
        </Button>
      </DialogFoot>
    </Modal>
  );
}

function FormatChoice({
  format,
  onChange,
}: {
  format: ReportFormat;
  onChange: (format: ReportFormat) => void;
}) {
  return (
    <div>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label="Format"
        value={format}
        onChange={(value) => onChange(value)}
        data={reportFormats.map((value) => ({ value, label: reportForms[value].label }))}
      />
      <Text size="xs" c={dim} mt={4}>
        {reportForms[format].note}
      </Text>
    </div>
  );
}

function LengthChoice({
  length,
  onChange,
}: {
  length: ReportLength;
  onChange: (length: ReportLength) => void;
}) {
  return (
    <div>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label="Length"
        value={length}
        onChange={(value) => onChange(value)}
        data={reportLengthNames.map((value) => ({ value, label: reportLengths[value].label }))}
      />
      <Text size="xs" c={dim} mt={4}>
        {reportLengths[length].note}
      </Text>
    </div>
  );
}
