import { type SampleFormat, sampleForms } from '../../../src/core/history/exportForms.ts';
import type { RunRecord } from '../../../src/core/run/run.ts';
import type { Output } from '../../../src/wire/contract.ts';
import { safeName } from './fileName.ts';
import type { PageWriter, Samples } from './types.ts';
import { writers } from './writers.ts';

export interface Exporter {
  /**
   * One page of a run's export, written as `shown` where that is given (the record redacted): the
   * bytes of all pages, joined, are the file. The cursor of the first is null, of each other the
   * one the page before it gave. Throws invalidInput for a cursor that is none of ours.
   */
  page(
    record: RunRecord,
    format: SampleFormat,
    cursor: string | null,
    shown?: RunRecord,
  ): Output<'run.export'>;
}

/** Pages of exports, each form by its writer, which is made when it is asked for first. */
export function createExporter(db: Samples): Exporter {
  const open = new Map<SampleFormat, PageWriter>();
  return {
    page(stored, format, cursor, record = stored) {
      const write = open.get(format) ?? writers[format](db);
      open.set(format, write);
      return {
        fileName: exportName(record, sampleForms[format].suffix),
        ...write(stored.overview.id, record, cursor),
      };
    },
  };
}

/** Name of a run's file: what is not measured on the real lab says so. */
export const exportName = ({ overview }: RunRecord, suffix: string): string =>
  `${safeName(overview.name)}${overview.origin === 'real' ? '' : `-${overview.origin.toUpperCase()}`}.${suffix}`;
