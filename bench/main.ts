import { readdirSync } from 'node:fs';
import type { BenchResult, BenchRow } from './row.ts';

/** Runs every bench, or those named, prints each figure with its ratio against the anchor of the same run; --check ends with 1 when a budget is missed. */
const own = new Set(['main.ts', 'row.ts', 'demoRecord.ts']);
const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const names = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.ts') && !own.has(file)).map((file) => file.slice(0, -3)).sort();
const unknown = asked.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`No such bench: ${unknown.join(', ')}. Benches: ${names.join(', ')}.\n`);
  process.exit(2);
}

const over = ({ value, ratio, budget }: BenchRow): boolean => budget !== undefined && (ratio ?? value) > budget;
const figure = (value: number): string => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3));
let missed = 0;
for (const name of names.filter((one) => asked.length === 0 || asked.includes(one))) {
  const { run } = await import(`./${name}.ts`) as { run: () => Promise<BenchResult[]> };
  for (const { name: title, rows } of await run()) {
    process.stdout.write(`\n${title}\n`);
    for (const row of rows) {
      const bound = row.budget === undefined ? '' : `  budget ${row.ratio === undefined ? '' : 'ratio '}≤ ${row.budget}  ${over(row) ? 'OVER' : 'within'}`;
      process.stdout.write(`  ${row.label.padEnd(64)} ${figure(row.value).padStart(9)} ${row.unit.padEnd(14)}${row.ratio === undefined ? '' : ` × ${row.ratio.toFixed(2)}`}${bound}\n`);
      if (over(row)) missed += 1;
    }
  }
}
process.stdout.write(`\n${missed === 0 ? 'Every budget holds.' : `${missed} budgets missed.`}\n`);
process.exit(process.argv.includes('--check') && missed > 0 ? 1 : 0);
