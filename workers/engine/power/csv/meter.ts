import { type FileHandle, open as openFile } from 'node:fs/promises';

import { AppError, fail } from '../../../../src/core/base/errors.ts';
import { median } from '../../../../src/core/stats/summary.ts';
import type { PowerSource } from '../../../../src/core/testbed/powerSources.ts';
import type { TestReport } from '../../../../src/wire/contract/connections.ts';
import type { MeterKeys, PowerMeter, PowerReading } from '../../deps/power.ts';
import { walk } from '../../tls/probe.ts';
import type { MeterGround } from '../ground.ts';
import { secondsWords, uncertaintyWords, windowWords } from '../meterFacts.ts';
import { readHead, type ReadRow } from './rows.ts';

export type CsvSource = Extract<PowerSource, { type: 'csv' }>;

/** Read at once at most, and kept of what lies in the future: a day of seconds. */
const chunkBytes = 4_000_000;
const mostKept = 100_000;
/** So many rows tell how often one is written. */
const rowsLooked = 100;
/** A file that got no row for so many times its usual step, and no less than this, is silent. */
const silentSteps = 3;
const silentMs = 30_000;

interface Follower {
  /** Rows that came since the last call, in the order of the file. */
  read(): Promise<PowerReading[]>;
}

/** Reads a file as it grows, from where it was read to; one that was begun anew from its start. */
function createFollower(source: CsvSource): Follower {
  const where = `The file ${source.path}`;
  let offset = 0;
  let rest = Buffer.alloc(0);
  let readRow: ReadRow | null = null;

  const readFrom = async (file: FileHandle): Promise<PowerReading[]> => {
    const { size } = await file.stat();
    if (size < offset) {
      offset = 0;
      rest = Buffer.alloc(0);
      readRow = null;
    }
    const rows: PowerReading[] = [];
    while (offset < size) {
      const bytes = Buffer.alloc(Math.min(chunkBytes, size - offset));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, offset);
      if (bytesRead === 0) break;
      offset += bytesRead;
      // The last line may still be written: it waits for its end.
      const all = Buffer.concat([rest, bytes.subarray(0, bytesRead)]);
      const end = all.lastIndexOf(0x0a) + 1;
      rest = all.subarray(end);
      if (rest.length > chunkBytes)
        throw fail('notFound', `${where} has no lines.`, 'Name a CSV file.');
      for (const line of all.subarray(0, end).toString('utf8').split(/\r?\n/)) {
        if (line.trim() === '') continue;
        if (readRow === null) readRow = readHead(line, source, where);
        else {
          const row = readRow(line);
          if (row) rows.push(row);
        }
      }
      // Of a file of months only the end is of use.
      if (rows.length > mostKept) rows.splice(0, rows.length - mostKept);
    }
    return rows;
  };
  return {
    async read() {
      let file: FileHandle | null = null;
      try {
        file = await openFile(source.path, 'r');
        if (!(await file.stat()).isFile())
          throw fail('notFound', `${where} is no file.`, 'Name a CSV file.');
        return await readFrom(file);
      } catch (error) {
        throw error instanceof AppError ? error : fileError(where, error);
      } finally {
        await file?.close();
      }
    },
  };
}

function fileError(where: string, error: unknown): AppError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return fail(
    'notFound',
    code === 'ENOENT'
      ? `${where} does not exist.`
      : `${where} cannot be read (${code || message.slice(0, 200)}).`,
    "Correct the path: it is one of the engine's machine, readable by its user.",
  );
}

/** How often a row is written; null = too few rows to tell. */
function stepOf(rows: readonly PowerReading[]): number | null {
  const last = rows.slice(-rowsLooked);
  const steps = last
    .slice(1)
    .map(({ tMs }, i) => tMs - last[i]!.tMs)
    .filter((ms) => ms > 0);
  return steps.length < 2 ? null : median(steps);
}

/** When a row was written, to the second, against this machine's clock. */
function agoWords(ageMs: number): string {
  const wholeMs = Math.round(ageMs / 1_000) * 1_000;
  return wholeMs < 0
    ? `${secondsWords(-wholeMs)} in the future: that clock is ahead`
    : `${secondsWords(wholeMs)} ago`;
}

/**
 * The rows of a file, each with its own time: what was written while nobody read comes later. Rows
 * of a time to come wait for it, rows from before the run are none of it.
 */
export function openCsv(source: CsvSource, { clock }: MeterGround & MeterKeys): PowerMeter {
  const follower = createFollower(source);
  let kept: PowerReading[] = [];
  let stepMs: number | null = null;
  let lastMs = -Infinity;

  const readOn = async (): Promise<void> => {
    const rows = await follower.read();
    stepMs ??= stepOf([...kept, ...rows]);
    kept = [...kept, ...rows].slice(-mostKept);
  };
  const due = (sinceMs: number, nowMs: number): PowerReading[] => {
    const ripe = kept.filter(({ tMs }) => tMs <= nowMs);
    kept = kept.filter(({ tMs }) => tMs > nowMs);
    lastMs = Math.max(lastMs, ...ripe.slice(-1).map(({ tMs }) => tMs));
    return ripe.filter(({ tMs }) => tMs > sinceMs);
  };
  return {
    source: `CSV on ${source.path}`,
    periodMs: source.periodMs,
    lagMs: source.periodMs,
    decimals: 1,
    async read(_signal, sinceMs = null) {
      await readOn();
      const nowMs = clock.now();
      // Without a run a person wants to see the newest one.
      const newest = sinceMs === null ? -Infinity : sinceMs;
      const readings = due(newest, nowMs);
      const patienceMs = Math.max(silentMs, silentSteps * (stepMs ?? 0));
      if (readings.length === 0 && nowMs - lastMs > patienceMs)
        throw fail(
          'unreachable',
          lastMs === -Infinity
            ? `The file ${source.path} has no row with a time and watts yet.`
            : `The file ${source.path} got its last row ${agoWords(nowMs - lastMs)}.`,
          "Start the meter's program; where its clock is off, say by how much.",
        );
      return sinceMs === null ? readings.slice(-1) : readings;
    },
    async flush(sinceMs) {
      await readOn();
      return due(sinceMs, clock.now());
    },
    async about() {
      await readOn();
      return {
        scope: source.scope ?? 'what the meter feeds',
        updateMs: stepMs,
        lagMs: stepMs === null ? null : stepMs + source.periodMs,
        windowMs: source.windowMs ?? null,
        uncertaintyPct: source.uncertaintyPct ?? null,
      };
    },
    close: () => undefined,
  };
}

/** Opens the file, finds its columns, and says how old its last row is and how often one comes. */
export async function testCsv(
  source: CsvSource,
  { clock }: MeterGround,
  signal?: AbortSignal,
): Promise<TestReport> {
  const follower = createFollower(source);
  let rows: PowerReading[] = [];
  let updateMs: number | null = null;
  const report = await walk(
    [
      [
        'permission',
        async () => {
          rows = await follower.read();
          const count = `${rows.length === mostKept ? 'at least ' : ''}${rows.length} rows`;
          return `${source.path} has ${count} with ${source.timeColumn} and ${source.wattsColumn}.`;
        },
        'Correct the path and the heads.',
      ],
      [
        'reading',
        () => {
          const last = rows.at(-1);
          if (!last)
            throw fail(
              'notFound',
              `${source.path} has no row with a time and watts yet.`,
              "Start the meter's program and test again; a time is year-month-day with a time, or seconds since 1970.",
            );
          return Promise.resolve(
            `${last.watts} W${source.scope ? ` of ${source.scope}` : ''}, written ` +
              `${agoWords(clock.now() - last.tMs)}. ` +
              uncertaintyWords(source.uncertaintyPct),
          );
        },
        'See whether its program writes.',
      ],
      [
        'refresh',
        () => {
          updateMs = stepOf(rows);
          return Promise.resolve(
            [
              updateMs === null
                ? 'Too few rows to tell how often one comes.'
                : `A row every ${secondsWords(updateMs)}.`,
              windowWords(source.windowMs ?? null),
            ].join(' '),
          );
        },
        'Test again.',
      ],
    ],
    signal,
  );
  return { ...report, updateMs };
}
