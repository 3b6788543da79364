import type { Comparison, Distributions } from '../compare/index.ts';
import type { Diagnosis } from '../diagnosis/diagnosis.ts';
import type { RunRecord } from '../run/run.ts';
import type { ReportLine } from './model.ts';

/**
 * One row of the comparison over the whole run; a line a run in the order of the comparison, null
 * where it was not measured.
 */
export interface OverlayRow {
  label: string;
  unit: string;
  lines: readonly (Pick<ReportLine, 'tMs' | 'value' | 'gapMs'> | null)[];
}

/** What the report of a comparison is written from. */
export interface CompareReportInput {
  comparison: Comparison;
  /** In the order of the comparison's runs. */
  records: readonly RunRecord[];
  distributions: readonly Distributions[];
  /** Metrics that have distributions and are not drawn. */
  undrawn: readonly string[];
  overlays: readonly OverlayRow[];
  /** Of a pair that may be compared; null = not asked, or nothing to say. */
  diagnosis: Diagnosis | null;
  appVersion: string;
  madeAtMs: number;
}
