/** Where the samples of a step are: a series of an entity over a measurement period. */
export interface SampleLink {
  entityId: string;
  metric: 'throughput';
  periodIndex: number;
}
/** One line of the calculation, in words and with its operands. */
export interface ScoreStep {
  key: string;
  label: string;
  /** What was done, three figures an operand; `exact` is the same with six decimals. */
  calculation: string;
  exact: string;
  value: number | null;
  unit: string;
  /** Where the rule or the figure is from; empty = it says itself. */
  source: string;
  /** The period whose value became the result. */
  chosen: boolean;
  children: ScoreStep[];
  /** The measurements behind a workload's or operation's mean. */
  samples?: SampleLink;
}
