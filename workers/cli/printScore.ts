import { quantityText } from '../../src/core/base/format.ts';
import type { RunOverview } from '../../src/core/run/run.ts';
import { formatResult } from '../../src/core/score/score.ts';
import { workloadTotals } from '../../src/core/score/totals.ts';
import type { Terminal } from './output.ts';

/**
 * The score as the field prints it, or why there is none, and what each workload did in all tiles
 * together.
 */
export function printScore(terminal: Terminal, { score }: Pick<RunOverview, 'score'>): void {
  if (score === null) return;
  terminal.out(
    score.total === null
      ? `Score: none${score.missing[0] === undefined ? '' : ` (${score.missing[0]})`}`
      : `Score: ${formatResult(score)}`,
  );
  // Of a benchmark of two parts each is a result, also where they make no total.
  const parts = [
    ['Application', score.application],
    ['Infrastructure operations', score.infrastructure],
  ] as const;
  if (score.infrastructure != null)
    for (const [name, part] of parts)
      if (part != null) terminal.out(`${name}: ${part.toFixed(2)} × reference`);
  for (const { name, unit, total, balance } of workloadTotals(score).filter((t) => t.scored))
    if (total !== null)
      terminal.out(
        `${name}: ${quantityText(total, unit)} in ` +
          `all${balance === null ? '' : `, least tile ${(balance * 100).toFixed(1)} % of the most`}`,
      );
}
