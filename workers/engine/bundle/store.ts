import { fail } from '../../../src/core/base/errors.ts';
import type { SeriesData } from '../../../src/core/metric/metric.ts';
import type { RunRecord } from '../../../src/core/run/run.ts';
import { isEnd } from '../../../src/core/run/states.ts';
import type { Database } from '../db/types.ts';
import type { OpenBundle } from './read.ts';

/**
 * Stores a bundle's run under an id of its own, so that it lies beside the run it was made from.
 * Read twice: once to check every byte, once to store. The same file opened again gives the run
 * that is there. Returns the run's id, and whether it was not there before.
 */
export async function storeBundle(
  db: Database,
  bundle: OpenBundle,
  from: { fileName: string; sha256: string; atMs: number },
  signal: AbortSignal,
): Promise<{ id: string; isNew: boolean }> {
  const { record, manifest } = bundle;
  if (!isEnd(record.overview.state))
    throw fail(
      'invalidInput',
      `The run in ${from.fileName} is ${record.overview.state}, not over.`,
      'Ask for a bundle of the whole run.',
    );
  const id = `${record.overview.id}-b${from.sha256.slice(0, 8)}`;
  if (db.runs.find(id)?.imported?.complete === true) return { id, isNew: false };
  const pending = bundle.samples(signal);
  while ((await pending.next()).done !== true);

  const stored = (complete: boolean): RunRecord => ({
    ...record,
    overview: { ...record.overview, id },
    imported: { ...from, redacted: manifest.redacted, complete, format: 'Bundle' },
  });
  db.runs.remove(id);
  db.runs.save(stored(false));
  try {
    db.samples.defineSeries(id, record.overview.series);
    const batch = createBatch((samples) =>
      db.samples.append({ runId: id, batch: samples, journal: [] }),
    );
    for await (const data of bundle.samples(signal)) batch.add(data);
    batch.flush();
    for await (const { name, text } of bundle.logs()) db.runs.saveLog(id, name, text);
    db.samples.finish(id);
    db.runs.save(stored(true));
  } catch (thrown) {
    db.runs.remove(id);
    throw thrown;
  }
  return { id, isNew: true };
}

/** Samples of one wait for the disk. */
const batchSize = 20_000;

/** Gathers the samples of many small frames, so that each does not wait for the disk by itself. */
function createBatch(append: (samples: Float64Array) => void): {
  add(data: SeriesData): void;
  flush(): void;
} {
  let waiting: SeriesData[] = [];
  let count = 0;
  const flush = (): void => {
    const samples = new Float64Array(count * 3);
    let at = 0;
    for (const { seriesId, tMs, value } of waiting)
      for (let i = 0; i < tMs.length; i += 1) {
        samples[at] = seriesId;
        samples[at + 1] = tMs[i]!;
        samples[at + 2] = value[i]!;
        at += 3;
      }
    waiting = [];
    count = 0;
    if (samples.length > 0) append(samples);
  };
  return {
    add(data) {
      waiting.push(data);
      count += data.tMs.length;
      if (count >= batchSize) flush();
    },
    flush,
  };
}
