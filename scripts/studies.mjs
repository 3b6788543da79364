import { spawn } from 'node:child_process';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findNode24, root, runUnder24 } from './node24.mjs';

/**
 * Runs the ready-made studies through the whole engine on the simulated lab and holds them against
 * what was published.
 * `npm run studies -- [--report] [--seeds N] [E01 …]`: every line with --report, and what each
 * study rests on; else those that are missed. Each line as mean and
 * spread over N seeds of the measurement noise. Exit 1 when a line is missed that is not known to
 * be (resources/lab/knownMisses.json).
 * `npm run studies -- --real [--only E09] [--keep DIR] [--write]`: at small scale on real peers.
 */
async function main() {
  const node = findNode24();
  if (node === null) return 1;
  if (node !== process.execPath) return runUnder24(node, process.argv.slice(1));
  const { gallery } = await import('../workers/engine/gallery/index.ts');
  const { judgeLines } = await import('../workers/engine/gallery/judge.ts');
  const { knownMisses } = await import('../workers/engine/gallery/libraryParts.ts');
  const { basisInOrder, basisLine } = await import('../src/core/study/basisWords.ts');
  const asked = readArgs(gallery.map((entry) => entry.item.id));
  if (typeof asked === 'string') {
    process.stderr.write(`${asked}\n`);
    return 2;
  }
  if (asked.real) return runOnRealPeers(asked);
  const { ids, seeds, report } = asked;
  const startedAt = Date.now();
  const results = await inParallel(
    ids,
    Math.max(1, Math.min(2, cpus().length)),
    (id) => loadOf(gallery.find((entry) => entry.item.id === id)),
    (id) => runOne(node, id, seeds, (runs) => judgeLines(runs, knownMisses)),
  );
  const lines = results.flatMap((result) => result.lines);
  const shown = report ? lines : lines.filter((line) => !line.met);
  if (shown.length > 0) process.stdout.write(`\n${table(shown)}\n`);
  if (report)
    for (const { id, basis } of results)
      process.stdout.write(
        `\n${id} rests on\n${basisInOrder(basis)
          .map((row) => `  ${basisLine(row)}\n`)
          .join('')}`,
      );
  const missed = lines.filter((line) => !line.met);
  const worse = missed.filter((line) => line.knownMiss === null);
  const better = lines.filter((line) => line.met && line.id in knownMisses);
  const broken = results.filter((result) => result.fault !== null);
  if (missed.length > worse.length) {
    process.stdout.write('\nMissed, and known to be:\n');
    for (const line of missed)
      if (line.knownMiss !== null) process.stdout.write(`  ${line.id}: ${line.knownMiss}\n`);
  }
  for (const line of better)
    process.stdout.write(`${line.id} is met: it can leave resources/lab/knownMisses.json.\n`);
  for (const line of worse)
    process.stdout.write(`${line.id} is missed and was met before: ${line.label}\n`);
  for (const { id, fault } of broken) process.stdout.write(`${id}: ${fault}\n`);
  process.stdout.write(
    `\n${lines.length - missed.length} of ${lines.length} lines met, ` +
      `${missed.length - worse.length} known misses, ` +
      `by mean and spread over ${seeds} ${seeds === 1 ? 'seed' : 'seeds'}\n`,
  );
  process.stdout.write(
    `studies: ${lines.length - worse.length} passed, ${worse.length + broken.length} failed ` +
      `(${ids.length} studies, ${Math.round((Date.now() - startedAt) / 1_000)} s)\n`,
  );
  return worse.length + broken.length === 0 && lines.length > 0 ? 0 : 1;
}

/** The studies at small scale on servers and load programs of this machine: docs/studies-on-real-peers.md. */
async function runOnRealPeers({ ids, keep, write }) {
  const { installMissing, peerPackages } = await import('./testing/packages.ts');
  if (!installMissing(peerPackages)) return 2;
  const { runReal } = await import('./realStudies/main.ts');
  const { readMapping } = await import('./realStudies/mapping.ts');
  return runReal({
    studies: readMapping().filter(({ id }) => ids.includes(id)),
    keep,
    write,
    say: (line) => process.stdout.write(`${line}\n`),
  });
}

/** What is asked for; a sentence where it cannot be understood. */
function readArgs(known) {
  try {
    const { values, positionals } = parseArgs({
      args: process.argv.slice(2),
      allowPositionals: true,
      options: {
        report: { type: 'boolean' },
        seeds: { type: 'string' },
        real: { type: 'boolean' },
        only: { type: 'string', multiple: true },
        keep: { type: 'string' },
        write: { type: 'boolean' },
      },
    });
    const real = values.real ?? false;
    if (!real && (values.keep !== undefined || values.write))
      return '--keep and --write go with --real.';
    if (real && (values.report || values.seeds !== undefined))
      return '--report and --seeds are about the simulated lab; leave --real out.';
    const seeds = Number(values.seeds ?? '1');
    if (!Number.isInteger(seeds) || seeds < 1 || seeds > 100)
      return `--seeds ${values.seeds}: a whole number from 1 to 100 is needed.`;
    const asked = [...positionals, ...(values.only ?? [])].map((id) => id.toUpperCase());
    const unknown = asked.filter((id) => !known.includes(id));
    if (unknown.length > 0) return `Unknown: ${unknown.join(', ')}. Studies: ${known.join(', ')}.`;
    return {
      ids: known.filter((id) => asked.length === 0 || asked.includes(id)),
      seeds,
      report: values.report ?? false,
      real,
      keep: values.keep ?? null,
      write: values.write ?? false,
    };
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

/**
 * Seconds of load that a study simulates, over all of its workloads: the longest go first, so that
 * none is left alone at the end.
 */
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

/** One study under all seeds, in a process of its own. `fault`: why there is nothing to compare. */
function runOne(node, id, seeds, judge) {
  return new Promise((resolve) => {
    const child = spawn(
      node,
      [join(root, 'scripts', 'studyRunner.ts'), join(root, 'resources'), id, String(seeds)],
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
    child.on('error', (error) => resolve({ id, lines: [], basis: [], fault: error.message }));
    child.on('close', (code) => {
      if (code !== 0 || out === '') {
        resolve({ id, lines: [], basis: [], fault: err.trim() || `ended with exit code ${code}` });
        return;
      }
      const { overviews, seconds } = JSON.parse(out);
      const fault = overviews.map(faultOf).find((one) => one !== null) ?? null;
      const lines = fault === null ? judge(overviews.map((one) => one.expectations)) : [];
      const met = lines.filter((line) => line.met).length;
      process.stdout.write(
        `${id}  ${overviews[0].points.length} runs × ${seeds}, ${met} of ${lines.length} lines met, ` +
          `${seconds.toFixed(1)} s  ${overviews[0].spec.name}\n`,
      );
      resolve({ id, lines, basis: overviews[0].basis ?? [], fault });
    });
  });
}

function faultOf(overview) {
  if (overview.state !== 'done') return `ended ${overview.state}: ${overview.detail}`;
  const failed = overview.points.filter(
    (point) => point.state === 'failed' || point.state === 'aborted',
  );
  if (failed.length > 0) return `${failed.length} runs failed: ${failed[0].detail}`;
  return overview.expectations.length === 0 ? 'says nothing to compare' : null;
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
const verdict = (line) =>
  line.met ? 'met' : line.knownMiss === null ? 'MISSED' : 'missed (known)';
function table(lines) {
  const head = ['id', 'what', 'published', 'model', '±', 'unit', 'tolerance', 'inside', 'verdict'];
  const rows = lines.map((line) => [
    line.id,
    line.label,
    line.published,
    figure(line.mean),
    line.spread === null ? '–' : String(Number(line.spread.toPrecision(2))),
    line.unit,
    tolerance(line),
    `${line.insideOf}/${line.seeds}`,
    verdict(line),
  ]);
  const widths = head.map((title, i) =>
    Math.max(title.length, ...rows.map((row) => row[i].length)),
  );
  const right = new Set([3, 4]);
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
