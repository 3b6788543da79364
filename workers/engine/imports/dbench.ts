import { fail } from '../../../src/core/base/errors.ts';
import { dbench as driver } from '../workloads/dbench.ts';
import { createRepeats } from './dropped.ts';
import type { ImportFormat } from './types.ts';

/** A second head of the tool: another run. */
const head = /^(?:dbench version|Running for \d+ seconds)/;

const interval = /^\s*\d+\s+\d+\s+[\d.]+ MB\/sec\s+(warmup|execute)\s+(\d+) sec/;

/** Logs of dbench 3 and 4, read as its driver reads them; version 3 prints no latency. */
export const dbenchFile: ImportFormat = {
  // Blanks of one line only: over line ends a file of nothing else would be searched for hours.
  matches: (beginning) =>
    /^[ \t]*\d+[ \t]+\d+[ \t]+[\d.]+ MB\/sec[ \t]+(?:warmup|execute)[ \t]+\d+ sec/m.test(beginning),
  open(sink, { fileName, startMs }) {
    const ids = new Map<string, number>();
    let samples = 0;
    const seen = new Map<string, number>();
    const decoder = new TextDecoder();
    let line = '';
    const parser = driver.parser(driver.params.parse({}), {
      startMs,
      intervalMs: 1_000,
      emit(metric, tMs, value) {
        const { unit, decimals } = driver
          .series(driver.params.parse({}))
          .find((one) => one.metric === metric)!;
        const id =
          ids.get(metric) ??
          sink.define({
            metric,
            unit,
            decimals,
            periodMs: 1_000,
            source: 'dbench',
            entity: { kind: 'workload', id: 'dbench', name: 'dbench' },
          });
        ids.set(metric, id);
        if (metric === 'throughput') samples += 1;
        sink.add(id, tMs, value);
      },
    });
    let repeated = 0;
    let repeats = createRepeats();
    let phase = '';
    let lastS = 0;
    const refuse = (one: string): never => {
      throw fail(
        'invalidInput',
        `${fileName}: "${one.slice(0, 60)}" begins a second log of dbench. Two logs are two runs, not one curve.`,
        'Cut the file there, and import each part.',
      );
    };
    const look = (one: string): void => {
      const key = head.exec(one)?.[0].replace(/\d+/, 'n');
      if (key !== undefined) {
        seen.set(key, (seen.get(key) ?? 0) + 1);
        if (seen.get(key)! > 1) refuse(one);
      }
      const [, found, seconds] = interval.exec(one) ?? [];
      if (found === undefined) return;
      if (found !== phase) {
        if (found === 'warmup' && phase === 'execute') refuse(one);
        phase = found;
        lastS = 0;
        repeats = createRepeats();
      }
      const atS = Number(seconds);
      if (repeats(atS, one)) repeated += 1;
      else if (atS < lastS) refuse(one);
      lastS = Math.max(lastS, atS);
    };
    /** The driver's parser leaves out what counts back; here it is said. */
    const refuseSecond = (text: string): void => {
      const lines = (line + text).split('\n');
      line = (lines.pop() ?? '').slice(0, 200);
      for (const one of lines) look(one);
    };
    return {
      push(bytes) {
        refuseSecond(decoder.decode(bytes, { stream: true }));
        parser.push(bytes);
      },
      end() {
        parser.end();
        if (samples === 0)
          throw fail(
            'invalidInput',
            `${fileName}: no line of dbench with its throughput.`,
            'Choose what dbench printed.',
          );
        sink.note(
          `${samples} lines of ${fileName}. dbench prints means since the start of its ` +
            'phase; each rate is the difference of two. The log has no date: its time 0 was ' +
            'put where the import began.',
        );
        if (parser.badLines + repeated > 0) sink.leaveOut(parser.badLines + repeated, 'line');
      },
    };
  },
};
