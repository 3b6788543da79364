import * as z from 'zod';

import { fail } from '../../../src/shared/errors.ts';
import { createDocumentReader } from '../workloads/jsonDocuments.ts';
import type { ImportFormat } from './types.ts';

const direction = z.object({
  iops: z.number().default(0),
  total_ios: z.number().default(0),
  clat_ns: z
    .object({
      N: z.number().default(0),
      mean: z.number().default(0),
      max: z.number().default(0),
      percentile: z.record(z.string(), z.number()).default({}),
    })
    .default({ N: 0, mean: 0, max: 0, percentile: {} }),
});
const fioDocument = z.object({
  timestamp_ms: z.number(),
  jobs: z
    .array(
      z.object({
        jobname: z.string().max(300).default('fio'),
        job_runtime: z.number().default(0),
        read: direction,
        write: direction,
      }),
    )
    .min(1)
    .max(10_000),
});
type Job = z.infer<typeof fioDocument>['jobs'][number];

/** fio's JSON (`--output-format=json`), one document or several: the figures of each job at the time of its document. */
export const fioFile: ImportFormat = {
  id: 'fio',
  title: 'fio JSON',
  matches: (beginning) => /"fio version"\s*:/.test(beginning),
  open(sink, { fileName }) {
    const ids = new Map<string, number>();
    const idOf = (
      job: string,
      metric:
        'throughput' | 'readIops' | 'writeIops' | 'latencyMeanMs' | 'latencyP95Ms' | 'latencyP99Ms',
      unit: string,
    ): number => {
      const key = `${job} ${metric}`;
      const id =
        ids.get(key) ??
        sink.define({
          metric,
          unit,
          decimals: 3,
          periodMs: 1_000,
          source: 'fio',
          entity: { kind: 'workload', id: `fio.${job}`, name: job },
        });
      ids.set(key, id);
      return id;
    };
    let documents = 0;
    let bad = 0;
    const take = (text: string): void => {
      let value: unknown = null;
      try {
        value = JSON.parse(text);
      } catch (thrown) {
        if (!(thrown instanceof SyntaxError)) throw thrown;
      }
      const parsed = fioDocument.safeParse(value);
      if (!parsed.success) {
        bad += 1;
        return;
      }
      documents += 1;
      for (const job of parsed.data.jobs) putJob(job, parsed.data.timestamp_ms);
    };
    const putJob = (job: Job, tMs: number): void => {
      const { read, write, jobname } = job;
      sink.add(idOf(jobname, 'throughput', 'IOPS'), tMs, read.iops + write.iops);
      sink.add(idOf(jobname, 'readIops', 'IOPS'), tMs, read.iops);
      sink.add(idOf(jobname, 'writeIops', 'IOPS'), tMs, write.iops);
      const count = read.clat_ns.N + write.clat_ns.N;
      if (count === 0) return;
      sink.add(
        idOf(jobname, 'latencyMeanMs', 'ms'),
        tMs,
        (read.clat_ns.N * read.clat_ns.mean + write.clat_ns.N * write.clat_ns.mean) / count / 1e6,
      );
      // Percentiles of two directions cannot be joined: only a job of one direction has one.
      if (read.clat_ns.N > 0 && write.clat_ns.N > 0) return;
      const { percentile } = read.clat_ns.N > 0 ? read.clat_ns : write.clat_ns;
      for (const [metric, key] of [
        ['latencyP95Ms', '95.000000'],
        ['latencyP99Ms', '99.000000'],
      ] as const)
        if (percentile[key] !== undefined)
          sink.add(idOf(jobname, metric, 'ms'), tMs, percentile[key] / 1e6);
    };
    const reader = createDocumentReader(0, take, () => {
      bad += 1;
    });
    return {
      push: (bytes) => reader.push(bytes),
      end() {
        if (documents === 0)
          throw fail(
            'invalidInput',
            `${fileName}: no result of fio.`,
            'Run fio with --output-format=json.',
          );
        sink.note(
          `${documents} results of ${fileName}; figures of fio are means since the start of its job.${bad > 0 ? ` ${bad} parts could not be read.` : ''}`,
        );
      },
    };
  },
};
