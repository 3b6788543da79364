import { useEffect, useRef, useState } from 'react';

import { toAppError } from '../../../core/base/errors.ts';
import type { ReportFormat, ReportLength } from '../../../core/history/exportForms.ts';
import type { Output, Reader } from '../../../wire/contract.ts';
import type { RedactionPreview, ReportSubject } from '../../../wire/contract/leaving.ts';
import { type Confirmed, nothingConfirmed } from '../../engine/exportRun.ts';
import { oneChunk } from '../../engine/oneChunk.ts';
import { useClient, useDesktop } from '../../engine/services.ts';

export interface ReportOptions {
  format: ReportFormat;
  length: ReportLength;
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
/** How far a report is; a total of 0 = not counted. */
export interface Told {
  step: string;
  done: number;
  total: number;
}
export interface ReportChoice {
  format: ReportFormat;
  length: ReportLength;
  redact: boolean;
  /** What was decided of doubtful texts; null = nobody was asked yet. */
  decided: Confirmed | null;
}
export interface ReportExport {
  /** null = none is being made. */
  active: Told | null;
  /** How the last one went; empty = nothing to say. */
  message: string;
  /** Doubtful texts that must be decided first; null = none. */
  asked: RedactionPreview | null;
  start: (choice: ReportChoice) => Promise<void>;
  cancel: () => void;
  dropAsked: () => void;
}

/** Makes a report and offers it as a file. Leaving the page cancels. */
export function useReportExport(make: MakeReport, of: ReportSubject): ReportExport {
  const client = useClient();
  const desktop = useDesktop();
  const [active, setActive] = useState<Told | null>(null);
  const [message, setMessage] = useState('');
  const [asked, setAsked] = useState<RedactionPreview | null>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const start = async ({ format, length, redact, decided }: ReportChoice): Promise<void> => {
    const controller = new AbortController();
    abort.current = controller;
    const progressKey = crypto.randomUUID();
    const stop = client.on('report.progress', (told) => {
      if (told.key === progressKey) setActive(told);
    });
    setMessage('');
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
        { format, length, redact, keep: [...keep], confirmed: [...confirmed], progressKey },
        controller.signal,
      );
      const file = await desktop.saveFile(fileName, oneChunk(bytes));
      setMessage(file === null ? '' : `Written: ${file}`);
    } catch (thrown) {
      setMessage(failureText(thrown));
    } finally {
      stop();
      abort.current = null;
      setActive(null);
    }
  };
  return {
    active,
    message,
    asked,
    start,
    cancel: () => abort.current?.abort(),
    dropAsked: () => setAsked(null),
  };
}

function failureText(thrown: unknown): string {
  const { kind, message, hint } = toAppError(thrown);
  return kind === 'aborted'
    ? 'Report cancelled. No file was kept.'
    : `No report: ${message}${hint ? ` ${hint}` : ''}`;
}
