import { spawn } from 'node:child_process';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { findNode24, root, runUnder24 } from './node24.mjs';

/**
 * Runs the ready-made studies through the whole engine on the simulated lab and holds them against what was published.
 * `npm run studies -- [--report] [E01 …]`: every line with --report, else those that are outside. Exit 1 when any is.
 */
async function main() {
  const node = findNode24();
  if (node === null) return 1;
  if (node !== process.execPath) return runUnder24(node, process.argv.slice(1));
  const { gallery } = await import('../workers/engine/gallery/index.ts');
  const args = process.argv.slice(2);
  const asked = args.filter((arg) => !arg.startsWith('--')).map((arg) => arg.toUpperCase());
  const known = gallery.map((entry) => entry.item.id);
  const unknown = [
    ...asked.filter((id) => !known.includes(id)),
    ...args.filter((arg) => arg.startsWith('--') && arg !== '--report'),
  ];
  if (unknown.length > 0) {
    process.stderr.write(`Unknown: ${unknown.join(', ')}. Studies: ${known.join(', ')}.\n`);
    return 2;
  }
  const ids = known.filter((id) => asked.length === 0 || asked.includes(id));
  const startedAt = Date.now();
  const results = await inParallel(
    ids,
    Math.max(1, Math.min(2, cpus().length)),
    (id) => loadOf(gallery.find((entry) => entry.item.id === id)),
    (id) => runOne(node, id),
  );
  const lines = results.flatMap((result) => result.lines);
  const shown = args.includes('--report') ? lines : lines.filter((line) => !line.inside);
  if (shown.length > 0) process.stdout.write(`\n${table(shown)}\n`);
  const outside = lines.filter((line) => !line.inside).length;
  const broken = results.filter((result) => result.fault !== null);
  for (const { id, fault } of broken) process.stdout.write(`${id}: ${fault}\n`);
  process.stdout.write(
    `\nstudies: ${lines.length - outside} passed, ${outside + broken.length} failed (${ids.length} studies, ${Math.round((Date.now() - startedAt) / 1_000)} s)\n`,
  );
  return outside + broken.length === 0 && lines.length > 0 ? 0 : 1;
}

/** Seconds of load that a study simulates, over all of its workloads: the longest go first, so that none is left alone at the end. */
function loadOf({ study, plan, testbeds, profiles }) {
  const runs = study.axes.reduce((product, axis) => product * axis.values.length, study.repeats);
  const { rampUpS, steadyS, rampDownS } = plan.phases;
  const tiles = Math.max(...testbeds.map((one) => one.tiles.length));
  return runs * (rampUpS + steadyS + rampDownS) * tiles * profiles[0].workloads.length;
}

async function inParallel(items, width, cost, work) {
  const results = [];
  const queue = items
    .map((item, place) => ({ item, place }))
    .sort((a, b) => cost(b.item) - cost(a.item));
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let next = queue.shift(); next; next = queue.shift())
        results[next.place] = await work(next.item);
    }),
  );
  return results;
}

/** One study in a process of its own. `fault`: why there is nothing to compare. */
function runOne(node, id) {
  return new Promise((resolve) => {
    const child = spawn(
      node,
      [join(root, 'scripts', 'studyRunner.ts'), join(root, 'resources'), id],
      { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let out = '';
    let err = '';
    child.stdout.on('data', (part) => {
      out += part;
    });
    child.stderr.on('data', (part) => {
      err += part;
    });
    child.on('error', (error) => resolve({ id, lines: [], fault: error.message }));
    child.on('close', (code) => {
      if (code !== 0 || out === '') {
        resolve({ id, lines: [], fault: err.trim() || `ended with exit code ${code}` });
        return;
      }
      const { overview, seconds } = JSON.parse(out);
      const lines = overview.expectations;
      const outside = lines.filter((line) => !line.inside).length;
      process.stdout.write(
        `${id}  ${overview.points.length} runs, ${lines.length - outside} of ${lines.length} lines inside, ${seconds.toFixed(1)} s  ${overview.spec.name}\n`,
      );
      const failed = overview.points.filter(
        (point) => point.state === 'failed' || point.state === 'aborted',
      );
      const fault =
        overview.state !== 'done'
          ? `ended ${overview.state}: ${overview.detail}`
          : failed.length > 0
            ? `${failed.length} runs failed: ${failed[0].detail}`
            : lines.length === 0
              ? 'says nothing to compare'
              : null;
      resolve({ id, lines, fault });
    });
  });
}

const figure = (value) =>
  value === null
    ? '–'
    : Math.abs(value) >= 1_000
      ? value.toFixed(0)
      : String(Number(value.toPrecision(4)));
function tolerance({ low, high }) {
  if (low === null) return high === null ? '' : `≤ ${figure(high)}`;
  return high === null ? `≥ ${figure(low)}` : `${figure(low)} … ${figure(high)}`;
}
function table(lines) {
  const head = ['id', 'what', 'model', 'unit', 'published', 'difference', 'tolerance', 'inside'];
  const rows = lines.map((line) => [
    line.id,
    line.label,
    figure(line.model),
    line.unit,
    line.published,
    line.difference === null ? '–' : `${line.difference >= 0 ? '+' : ''}${figure(line.difference)}`,
    tolerance(line),
    line.inside ? 'yes' : 'NO',
  ]);
  const widths = head.map((title, i) =>
    Math.max(title.length, ...rows.map((row) => row[i].length)),
  );
  const right = new Set([2, 5]);
  const text = (row) =>
    row
      .map((cell, i) => (right.has(i) ? cell.padStart(widths[i]) : cell.padEnd(widths[i])))
      .join('  ')
      .trimEnd();
  return [text(head), ...rows.map(text)].join('\n');
}

main().then(
  (code) => process.exit(code),
  (thrown) => {
    process.stderr.write(`${thrown instanceof Error ? thrown.stack : String(thrown)}\n`);
    process.exit(1);
  },
);
