import { formatExact } from '../charts/format.ts';
import { threeFigures } from '../../shared/compareVerdict.ts';
import type { PeriodScore, Score, TileScore, WorkloadScore } from '../../shared/score.ts';
import { counted } from './runWords.ts';

/** One line of the calculation. `calculation` is what was done, `exact` the same with all digits. */
export interface ScoreStep {
  key: string; label: string; calculation: string; exact: string; value: number | null;
  /** The period whose value became the result. */
  chosen: boolean;
  children: ScoreStep[];
}

const ruleWords: Readonly<Record<string, string>> = { median: 'median', mean: 'mean', worst: 'least' };
const all = (value: number | null): string => (value === null ? 'missing' : formatExact(value, 6));
const short = (value: number | null): string => (value === null ? 'missing' : threeFigures(value));

function workloadStep(periodIndex: number, tile: number, w: WorkloadScore): ScoreStep {
  const key = `p${periodIndex}.t${tile}.${w.workloadId}`;
  const measured = `${short(w.throughput)} ${w.unit} (mean of ${counted(w.samples, 'sample')})`;
  if (!w.scored) return { key, label: w.name, calculation: `${measured}; not scored, must stay alive`, exact: `${all(w.throughput)} ${w.unit}`, value: null, chosen: false, children: [] };
  return { key, label: w.name, calculation: `${measured} ÷ ${short(w.reference)} ${w.unit}`, exact: `${all(w.throughput)} ${w.unit} ÷ ${all(w.reference)} ${w.unit} = ${all(w.ratio)}`, value: w.ratio, chosen: false, children: [] };
}

function tileStep(periodIndex: number, { tile, score, workloads }: TileScore): ScoreStep {
  const ratios = workloads.filter((w) => w.scored).map((w) => w.ratio);
  const power = ratios.length === 1 ? '' : ` ^ (1/${ratios.length})`;
  return {
    key: `p${periodIndex}.t${tile}`, label: `Tile ${tile + 1}`, calculation: `geometric mean of ${counted(ratios.length, 'ratio')}: (${ratios.map(short).join(' × ')})${power}`,
    exact: `(${ratios.map(all).join(' × ')})${power} = ${all(score)}`, value: score, chosen: false, children: workloads.map((w) => workloadStep(periodIndex, tile, w)),
  };
}

function periodStep(period: PeriodScore, chosen: boolean): ScoreStep {
  const parts = period.tiles.map((t) => t.score);
  return {
    key: `p${period.index}`, label: `Period ${period.index + 1}`, calculation: `sum over ${counted(parts.length, 'tile')}: ${parts.map(short).join(' + ')}`,
    exact: `${parts.map(all).join(' + ')} = ${all(period.total)}`, value: period.total, chosen, children: period.tiles.map((t) => tileStep(period.index, t)),
  };
}

/** The whole calculation from the total down to the raw means, every step with its operands. */
export function scoreSteps(score: Score): ScoreStep {
  const totals = score.periods.map((p) => p.total);
  return {
    key: 'total', label: 'Result', calculation: `${ruleWords[score.periodRule] ?? score.periodRule} of ${counted(totals.length, 'period')}: ${totals.map(short).join(', ')}`,
    exact: `${ruleWords[score.periodRule] ?? score.periodRule} of ${totals.map(all).join(', ')} = ${all(score.total)}`, value: score.total, chosen: false,
    children: score.periods.map((p) => periodStep(p, p.index === score.chosenPeriod)),
  };
}
