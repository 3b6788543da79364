import type { AppError } from '../../../src/core/base/errors.ts';
import { toAppError } from '../../../src/core/base/errors.ts';
import { isSample, type SampleBatch } from '../../../src/core/metric/metric.ts';
import { awakeMs, pause } from '../clock/jumps.ts';
import type { Clock, Log } from '../deps.ts';
import type { JournalEntry, SampleFlush, SampleKeeper, Sink } from './types.ts';

export interface Pipeline {
  /** tMs: epoch, engine's clock. */
  push(seriesId: number, tMs: number, value: number): void;
  /** The last entry of a key at a flush is the one stored, with the samples that led to it. */
  journal(entry: JournalEntry): void;
  /**
   * Hands over what has gathered, now. false = the store could not take it: it is kept and offered
   * again.
   */
  flush(): Promise<boolean>;
  /** Flushes, then closes the sinks, the last first. A second call does nothing. */
  close(): Promise<void>;
}

export interface PipelineOptions {
  clock: Clock;
  log: Log;
  runId: string;
  flushEveryMs: number;
  store: SampleKeeper;
  /** In the order in which they are given a batch. */
  sinks: readonly Sink[];
  /** Told once, when the patience with the store is over. */
  onStoreError: (error: AppError) => void;
  /** Told once for a sink that is given up. */
  onSinkError: (name: string, error: AppError) => void;
  /** The store may fail this long before the run is told; what gathers meanwhile is kept. */
  storePatienceMs?: number;
}

/**
 * Sources push, sinks get one batch a flush. Samples reach the sinks only after the store has them,
 * and only those it took: what is shown is safe, and a repeated reading is
 * counted nowhere twice. A store that fails keeps its batches here and is asked again, so that a
 * full disk that gets space in time loses nothing.
 */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { clock, log, runId, flushEveryMs, sinks, onSinkError } = options;
  const store = createStoreWriter(options);
  const followers = [...sinks];
  const stop = new AbortController();
  let gathered: number[] = [];
  let journal = new Map<string, JournalEntry>();
  let closed = false;

  function take(): SampleFlush | null {
    if (gathered.length === 0 && journal.size === 0) return null;
    const flush: SampleFlush = {
      runId,
      batch: Float64Array.from(gathered),
      journal: [...journal.values()],
    };
    return flush;
  }

  function toFollowers(batch: SampleBatch): void {
    for (const sink of [...followers]) {
      try {
        sink.accept(batch);
      } catch (thrown) {
        followers.splice(followers.indexOf(sink), 1);
        onSinkError(sink.name, toAppError(thrown));
      }
    }
  }

  function flushNow(): boolean {
    const flush = take();
    if (!flush) return true;
    const stored = store.write(flush);
    if (!stored) return false;
    gathered = [];
    journal = new Map();
    toFollowers(stored);
    return true;
  }

  async function loop(): Promise<void> {
    while (!stop.signal.aborted) {
      await pause(clock, Math.max(flushEveryMs, clock.grainMs?.() ?? 0), stop.signal);
      if (!stop.signal.aborted) flushNow();
    }
  }
  const running = loop();

  return {
    push(seriesId, tMs, value) {
      if (closed) return;
      if (isSample(tMs, value)) gathered.push(seriesId, tMs, value);
      else
        log.warn('A sample beyond all bounds was left out', { run: runId, seriesId, tMs, value });
    },
    journal(entry) {
      if (!closed) journal.set(entry.key, entry);
    },
    flush: async () => flushNow(),
    async close() {
      if (closed) return;
      stop.abort();
      await running;
      flushNow();
      if (gathered.length > 0)
        store.giveUp(
          toAppError(
            new Error(`${gathered.length / 3} samples could not be stored before the end`),
          ),
        );
      closed = true;
      for (const sink of sinks.toReversed()) {
        try {
          sink.close();
        } catch (error) {
          log.error('A sink did not close', {
            run: runId,
            sink: sink.name,
            error: toAppError(error).message,
          });
        }
      }
    },
  };
}

/** The store with the patience it is given. */
interface StoreWriter {
  /** What the store took; null = it could not take any. */
  write(flush: SampleFlush): SampleBatch | null;
  /** Tells that the store is given up, once. */
  giveUp(error: AppError): void;
}

function createStoreWriter({
  clock,
  log,
  runId,
  store,
  onStoreError,
  storePatienceMs = 30_000,
}: PipelineOptions): StoreWriter {
  let failingSinceMs: number | null = null;
  let gaveUp = false;
  const giveUp = (error: AppError): void => {
    if (gaveUp) return;
    gaveUp = true;
    onStoreError(error);
  };
  return {
    giveUp,
    write(flush) {
      try {
        const batch = store.append(flush);
        failingSinceMs = null;
        return batch;
      } catch (thrown) {
        const error = toAppError(thrown);
        failingSinceMs ??= awakeMs(clock);
        log.error('The samples could not be stored', {
          run: runId,
          error: error.message,
          waiting: flush.batch.length / 3,
        });
        if (awakeMs(clock) - failingSinceMs >= storePatienceMs) giveUp(error);
        return null;
      }
    },
  };
}
