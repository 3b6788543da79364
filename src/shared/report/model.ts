/** A report as data: every format is made from this, so that all say the same. */
export interface Report {
  /** What it is: `Run Nightly #3`. */
  title: string;
  /** SIMULATED, REPLAY, not compliant, not comparable: each with its reason; shown first and on every page. */
  marks: readonly { word: string; reason: string }[];
  /** The verdict, one sentence. */
  sentence: string;
  facts: readonly (readonly [label: string, value: string])[];
  sections: readonly ReportSection[];
  /** Who made it, from what: the last line. */
  footer: string;
}
export interface ReportSection { title: string; notes: readonly string[]; tables: readonly ReportTable[]; charts: readonly ReportChart[] }
export interface ReportTable {
  title: string;
  columns: readonly { label: string; align: 'left' | 'right' }[];
  /** As shown; `–` where there is no value. */
  rows: readonly (readonly string[])[];
  empty: string;
}
export interface ReportLine { label: string; color: string; dash: readonly number[]; tMs: Float64Array; value: Float64Array; decimals: number; /** Further apart than this is a gap, and drawn as one. */ gapMs: number }
export interface ReportChart {
  title: string; unit: string;
  lines: readonly ReportLine[];
  limits: readonly { value: number; label: string }[];
  /** Relative to 0:00, in ms, as the lines' times. */
  phases: readonly { name: 'rampUp' | 'steady' | 'rampDown'; fromMs: number; toMs: number }[];
  /** In words: what the picture shows, for who does not see it. */
  summary: string;
}
