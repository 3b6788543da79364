/** One line of a bench. */
export interface BenchRow {
  label: string;
  value: number;
  unit: string;
  /** Against the anchor in the same run. */ ratio?: number;
  /** Highest ratio (or value, where there is no ratio) allowed. */ budget?: number;
}
export interface BenchResult {
  name: string;
  rows: BenchRow[];
}
