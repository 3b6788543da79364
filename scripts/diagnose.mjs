import { findNode24, runUnder24 } from './node24.mjs';

/** Seeds the rules were tuned on, and seeds they had never seen when they were written down. */
const sets = { tuned: [1, 212], 'held out': [1001, 1212] };
const targets = { top1: 0.9, top3: 0.98 };

/**
 * Measures the diagnosis: bottlenecks planted in random simulated labs, two runs each through the
 * whole engine, and what the rules say of them.
 * `npm run diagnose -- [--report] [--seeds 1-50]`: every case with --report, else those that are
 * wrong. Exit 1 where a target is missed.
 */
async function main() {
  const node = findNode24();
  if (node === null) return 1;
  if (node !== process.execPath) return runUnder24(node, process.argv.slice(1));
  const { injectFaults } = await import('../workers/engine/diagnosis/testing/inject.ts');
  const { confusion, firstRight, inFirstThree, precisionOf } =
    await import('../workers/engine/diagnosis/testing/precision.ts');
  const args = process.argv.slice(2);
  const range = args.includes('--seeds')
    ? /^(\d+)-(\d+)$/.exec(args[args.indexOf('--seeds') + 1] ?? '')
    : undefined;
  const unknown = args.filter(
    (arg, i) => arg !== '--report' && arg !== '--seeds' && args[i - 1] !== '--seeds',
  );
  if (range === null || unknown.length > 0) {
    process.stderr.write(`Usage: npm run diagnose -- [--report] [--seeds 1-50]\n`);
    return 2;
  }
  const wanted = range
    ? { [`seeds ${range[1]} to ${range[2]}`]: [Number(range[1]), Number(range[2])] }
    : sets;
  let missed = false;
  for (const [name, [from, to]] of Object.entries(wanted)) {
    process.stdout.write(`\n── ${name}: seeds ${from} to ${to} ──\n`);
    const startedAt = Date.now();
    const { verdicts, skipped } = await injectFaults(
      Array.from({ length: to - from + 1 }, (_, i) => from + i),
      (one) => {
        const right = firstRight(one) && inFirstThree(one);
        if (args.includes('--report') || !right) process.stdout.write(caseLine(one, right));
      },
    );
    const found = precisionOf(verdicts);
    process.stdout.write(`\n${confusion(verdicts)}\n`);
    process.stdout.write(
      `\n${found.cases} cases (${skipped.length} seeds in which nothing could be planted are left ` +
        `out), ${Math.round((Date.now() - startedAt) / 1_000)} s\n`,
    );
    for (const [what, one] of [
      ['all', found],
      ['one cause', found.single],
      ['two at once', found.two],
    ])
      process.stdout.write(
        `${what.padEnd(12)} ${String(one.cases).padStart(4)} cases  ` +
          `top-1 ${percent(one.top1)}  top-3 ${percent(one.top3)}\n`,
      );
    process.stdout.write(
      `${'no cause'.padEnd(12)} ${String(found.none.cases).padStart(4)} cases  ` +
        `none named ${percent(found.none.top1)}\n`,
    );
    process.stdout.write(
      `targets: ${targetLine('top-1', found.top1, targets.top1)}, ` +
        `${targetLine('top-3', found.top3, targets.top3)}; ` +
        `full processors blamed on storage: ${found.cpuOnStorage}\n`,
    );
    missed ||= found.top1 < targets.top1 || found.top3 < targets.top3 || found.cpuOnStorage > 0;
  }
  return missed ? 1 : 0;
}
const targetLine = (name, found, target) =>
  `${name} ${percent(target)} ${found >= target ? 'met' : 'MISSED'}`;

function caseLine(one, right) {
  const planted = (one.planted.join(' + ') || 'none').padEnd(28);
  const named = one.named.map((cause, i) => `${cause} ${one.scores[i].toFixed(2)}`).join(', ');
  return `${right ? '  ' : '! '}${String(one.seed).padStart(4)}  ${planted} → ${named || 'none'}\n`;
}
const percent = (share) => `${(share * 100).toFixed(1)} %`;

main().then(
  (code) => process.exit(code),
  (thrown) => {
    process.stderr.write(`${thrown instanceof Error ? thrown.stack : String(thrown)}\n`);
    process.exit(1);
  },
);
