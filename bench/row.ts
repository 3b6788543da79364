/** One line of a bench. `budget` bounds `ratio` from above, or `value` where there is no ratio. */
export interface BenchRow { label: string; value: number; unit: string; ratio?: number; budget?: number }
export interface BenchResult { name: string; rows: BenchRow[] }
