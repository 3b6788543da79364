import { fail } from '../../../src/shared/errors.ts';
import { isEnd, type RunRecord } from '../../../src/shared/run.ts';
import type { Database } from '../db/types.ts';
import type { OpenBundle } from './read.ts';

/**
 * Stores a bundle's run under an id of its own, so that it lies beside the run it was made from. Read twice: once to
 * check every byte, once to store. The same file opened again gives the run that is there. Returns the run's id.
 */
export async function storeBundle(
  db: Database,
  bundle: OpenBundle,
  from: { fileName: string; sha256: string; atMs: number },
  signal: AbortSignal,
): Promise<string> {
  const { record, manifest } = bundle;
  if (!isEnd(record.overview.state))
    throw fail(
      'invalidInput',
      `The run in ${from.fileName} is ${record.overview.state}, not over.`,
      'Ask for a bundle of the whole run.',
    );
  const id = `${record.overview.id}-b${from.sha256.slice(0, 8)}`;
  if (db.runs.get(id)?.imported?.complete === true) return id;
  let samples = 0;
  for await (const part of bundle.samples(signal)) samples += part.tMs.length;
  if (samples !== manifest.run.sampleCount)
    throw fail(
      'invalidInput',
      `${from.fileName} holds ${samples} samples, its manifest says ${manifest.run.sampleCount}.`,
      'Ask for the bundle again.',
    );

  const stored = (complete: boolean): RunRecord => ({
    ...record,
    overview: { ...record.overview, id },
    imported: { ...from, redacted: manifest.redacted, complete, format: 'Bundle' },
  });
  db.runs.remove(id);
  db.runs.save(stored(false));
  try {
    db.samples.defineSeries(id, record.overview.series);
    for await (const { seriesId, tMs, value } of bundle.samples(signal)) {
      const batch = new Float64Array(tMs.length * 3);
      for (let i = 0; i < tMs.length; i += 1) {
        batch[i * 3] = seriesId;
        batch[i * 3 + 1] = tMs[i]!;
        batch[i * 3 + 2] = value[i]!;
      }
      db.samples.append({ runId: id, batch, journal: [] });
    }
    for (const { name, text } of bundle.logs) db.runs.saveLog(id, name, text);
    db.samples.finish(id);
    db.runs.save(stored(true));
  } catch (thrown) {
    db.runs.remove(id);
    throw thrown;
  }
  return id;
}
