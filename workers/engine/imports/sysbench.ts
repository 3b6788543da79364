import { fail } from '../../../src/shared/errors.ts';
import { lineImport } from './lines.ts';
import type { ImportFormat } from './types.ts';

// 0.5: `[  46s] threads: 32, tps: 14336.08, reads: …, response time: 2.33ms (95%), errors: 0.00`
// 1.0: `[ 5s ] thds: 2 tps: 20.01 qps: 400.22 (r/w/o: …) lat (ms,95%): 3.43 err/s: 0.00 reconn/s: 0.00`, and `eps:` for cpu.
const interval = /^\[\s*(\d+(?:\.\d+)?)s\s*\].*?\b(tps|eps):\s*([\d.]+)/;
const latency = /lat \(ms,(\d+)%\):\s*([\d.]+)|response time:\s*([\d.]+)ms \((\d+)%\)/;
const failures = /\berr(?:ors|\/s):\s*([\d.]+)/;

/** Interval lines of sysbench 0.5 and 1.0 (`--report-interval`). */
export const sysbench: ImportFormat = {
  id: 'sysbench',
  title: 'sysbench log',
  matches: (beginning) =>
    /^sysbench \d/m.test(beginning) ||
    (/^\[\s*\d+(?:\.\d+)?s\s*\]/m.test(beginning) && /\b(?:tps|eps):/.test(beginning)),
  open(sink, { fileName, startMs }) {
    let lines = 0;
    let lastS = 0;
    let everyS = 1;
    const ids = new Map<string, number>();
    const entity = { kind: 'workload' as const, id: 'sysbench', name: 'sysbench' };
    const idOf = (
      metric: 'throughput' | 'latencyP95Ms' | 'latencyP99Ms' | 'errorRate',
      unit: string,
    ): number => {
      const id =
        ids.get(metric) ??
        sink.define({
          metric,
          unit,
          decimals: 2,
          periodMs: everyS * 1_000,
          source: 'sysbench',
          entity,
        });
      ids.set(metric, id);
      return id;
    };
    return lineImport(
      fileName,
      (line) => {
        const found = interval.exec(line);
        if (!found) return;
        lines += 1;
        const seconds = Number(found[1]);
        everyS = Math.max(1, seconds - lastS);
        lastS = seconds;
        const tMs = startMs + seconds * 1_000;
        sink.add(
          idOf('throughput', found[2] === 'tps' ? 'tps' : 'events/s'),
          tMs,
          Number(found[3]),
        );
        const late = latency.exec(line);
        const share = late === null ? null : Number(late[1] ?? late[4]);
        if (late !== null && (share === 95 || share === 99))
          sink.add(
            idOf(share === 95 ? 'latencyP95Ms' : 'latencyP99Ms', 'ms'),
            tMs,
            Number(late[2] ?? late[3]),
          );
        const errors = failures.exec(line);
        if (errors !== null) sink.add(idOf('errorRate', '1/s'), tMs, Number(errors[1]));
      },
      () => {
        if (lines === 0)
          throw fail(
            'invalidInput',
            `${fileName}: no interval line of sysbench.`,
            'Run sysbench with --report-interval=1, and choose its output.',
          );
        sink.note(
          `${lines} interval lines of ${fileName}. The log has no date: its time 0 was put where the import began.`,
        );
      },
    );
  },
};
