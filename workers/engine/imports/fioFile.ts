import { createHash } from 'node:crypto';

import { counted } from '../../../src/core/base/counted.ts';
import { fail } from '../../../src/core/base/errors.ts';
import {
  createFioReader,
  type FioDocument,
  fioInterval,
  type FioTotals,
  fioTotals,
  isAnotherFioRun,
  noFioTotals,
} from '../workloads/fioFormat.ts';
import type { ImportFormat } from './types.ts';

/** A result of thousands of jobs with their latency bins. */
const largestDocument = 32 * 1024 ** 2;

type Metric =
  'throughput' | 'readIops' | 'writeIops' | 'latencyMeanMs' | 'latencyP95Ms' | 'latencyP99Ms';

/**
 * fio's JSON (`--output-format=json` or `json+`). One document is the mean of its run; those of
 * `--status-interval` count since the start, and each interval is the difference of two. Jobs of
 * one name are side by side: their I/Os are summed.
 */
export const fioFile: ImportFormat = {
  matches: (beginning) => /"fio version"\s*:/.test(beginning),
  open(sink, { fileName }) {
    const ids = new Map<string, number>();
    const last = new Map<string, FioTotals>();
    const seen = new Set<string>();
    let documents = 0;
    let bad = 0;
    let short = 0;
    const put = (
      job: string,
      metric: Metric,
      unit: string,
      spanMs: number,
      tMs: number,
      value: number | null,
    ): void => {
      if (value === null) return;
      const key = `${job} ${metric}`;
      const id =
        ids.get(key) ??
        sink.define({
          metric,
          unit,
          decimals: 3,
          periodMs: Math.max(1_000, Math.round(spanMs / 1_000) * 1_000),
          source: 'fio',
          entity: { kind: 'workload', id: `fio.${job}`, name: job },
        });
      ids.set(key, id);
      sink.add(id, tMs, value);
    };
    const take = ({ jobs, tMs }: FioDocument): void => {
      // The same result again: it would look like another run, or like none.
      const key = createHash('sha256')
        .update(JSON.stringify([tMs, jobs]))
        .digest('base64');
      if (seen.has(key)) {
        bad += 1;
        return;
      }
      seen.add(key);
      documents += 1;
      const byName = new Map<string, FioDocument['jobs']>();
      for (const job of jobs) byName.set(job.jobname, [...(byName.get(job.jobname) ?? []), job]);
      let measured = false;
      for (const [name, own] of byName) {
        const now = fioTotals(own, tMs);
        const before = last.get(name);
        const base = before && !isAnotherFioRun(before, now) ? before : noFioTotals(tMs);
        const found = fioInterval(base, now, base === before ? undefined : 1);
        if (!found) continue;
        measured = true;
        last.set(name, now);
        const span = found.spanMs;
        put(name, 'throughput', 'IOPS', span, tMs, found.iops);
        put(name, 'readIops', 'IOPS', span, tMs, found.readIops);
        put(name, 'writeIops', 'IOPS', span, tMs, found.writeIops);
        put(name, 'latencyMeanMs', 'ms', span, tMs, found.latencyMeanMs);
        put(name, 'latencyP95Ms', 'ms', span, tMs, found.latencyP95Ms);
        put(name, 'latencyP99Ms', 'ms', span, tMs, found.latencyP99Ms);
      }
      if (!measured) short += 1;
    };
    const reader = createFioReader(0, take, () => (bad += 1), largestDocument);
    return {
      push: (bytes) => reader.push(bytes),
      end() {
        reader.end();
        if (documents === 0)
          throw fail(
            'invalidInput',
            `${fileName}: no result of fio could be read${bad > 0 ? `; ${bad} damaged parts` : ''}.`,
            'Run fio 3 with --output-format=json, and choose its output.',
          );
        sink.note(
          `${counted(documents, 'result')} of ${fileName}; each figure is of the time since the result ` +
            'before, the first since the start of its job.',
        );
        if (short > 0)
          sink.note(
            `${counted(short, 'result')} of them ${short === 1 ? 'comes' : 'come'} too soon ` +
              `after the one before for a rate, and ${short === 1 ? 'gives' : 'give'} no ` +
              'figure.',
          );
        if (bad > 0) sink.leaveOut(bad, 'part');
      },
    };
  },
};
