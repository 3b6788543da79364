import { readdirSync } from 'node:fs';

import type { BenchResult, BenchRow } from './row.ts';

/**
 * Runs every bench, or those named, and prints each figure with its ratio against the anchor of the
 * same run, its budget and whether it holds. Ends with 1 when a figure is over its budget by more
 * than the tolerance: 10 %, or --tolerance=<percent>.
 */
const tolerancePct = Number(
  /^--tolerance=(\d+(?:\.\d+)?)$/.exec(
    process.argv.find((argument) => argument.startsWith('--tolerance')) ?? '',
  )?.[1] ?? 10,
);
const own = new Set(['main.ts', 'row.ts', 'time.ts', 'demoRecord.ts']);
const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && !own.has(file))
  .map((file) => file.slice(0, -3))
  .sort();
const unknown = asked.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`No such bench: ${unknown.join(', ')}. Benches: ${names.join(', ')}.\n`);
  process.exit(2);
}

const over = ({ value, ratio, budget }: BenchRow, pct: number): boolean =>
  budget !== undefined && (ratio ?? value) > budget * (1 + pct / 100);
const wordOf = (row: BenchRow): string =>
  !over(row, 0) ? 'ok' : over(row, tolerancePct) ? 'OVER' : 'over, in tolerance';
const figure = (value: number): string =>
  Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
let missed = 0;
for (const name of names.filter((one) => asked.length === 0 || asked.includes(one))) {
  const { run } = (await import(`./${name}.ts`)) as { run: () => Promise<BenchResult[]> };
  for (const { name: title, rows } of await run()) {
    process.stdout.write(`\n${title}\n`);
    for (const row of rows) {
      const bound =
        row.budget === undefined
          ? ''
          : `  budget ${row.ratio === undefined ? '' : 'ratio '}≤ ${row.budget}  ${wordOf(row)}`;
      process.stdout.write(
        `  ${row.label.padEnd(72)} ${figure(row.value).padStart(9)} ` +
          `${row.unit.padEnd(14)}${row.ratio === undefined ? '' : ` × ${row.ratio.toFixed(2)}`}${bound}\n`,
      );
      if (over(row, tolerancePct)) missed += 1;
    }
  }
}
process.stdout.write(
  `\n${
    missed === 0
      ? `Every budget holds, with a tolerance of ${tolerancePct} %.`
      : `${missed} ${missed === 1 ? 'figure is' : 'figures are'} over budget by more than ` +
        `${tolerancePct} %.`
  }\n`,
);
process.exit(missed > 0 ? 1 : 0);
