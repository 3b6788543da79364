import type { AppError } from '../../../src/core/base/errors.ts';
import { toAppError } from '../../../src/core/base/errors.ts';
import { isSample } from '../../../src/core/metric/metric.ts';
import { awakeMs, pause } from '../clock/jumps.ts';
import type { Clock, Log } from '../deps.ts';
import type { JournalEntry, SampleFlush, Sink } from './types.ts';

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
  /** Flushes, then closes the sinks in order. A second call does nothing. */
  close(): Promise<void>;
}

export interface PipelineOptions {
  clock: Clock;
  log: Log;
  runId: string;
  flushEveryMs: number;
  /** Closed in this order: verdict, live, store, whatever order they are given in. */
  sinks: readonly Sink[];
  /** Told once for a sink that is given up; for the store, told when its patience is over. */
  onSinkError: (name: Sink['name'], error: AppError) => void;
  /** The store may fail this long before the run is told; what gathers meanwhile is kept. */
  storePatienceMs?: number;
}

const closeOrder: readonly Sink['name'][] = ['verdict', 'live', 'store'];

/**
 * Sources push, sinks get one batch a flush. Samples reach the live and verdict sinks only after
 * the store has them, and only those it took: what is shown is safe, and a repeated reading is
 * counted nowhere twice. A store that fails keeps its batches here and is asked again, so that a
 * full disk that gets space in time loses nothing.
 */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { clock, log, runId, flushEveryMs, onSinkError } = options;
  const sinks = [...options.sinks].sort(
    (a, b) => closeOrder.indexOf(a.name) - closeOrder.indexOf(b.name),
  );
  const store = createStoreWriter(options, sinks);
  const followers = sinks.filter((sink) => sink.name !== 'store');
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

  function toFollowers(flush: SampleFlush): void {
    for (const sink of [...followers]) {
      try {
        sink.write(flush);
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
      for (const sink of sinks) {
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

/** The store sink with its patience. */
interface StoreWriter {
  /** What the store took; null = it could not take any. */
  write(flush: SampleFlush): SampleFlush | null;
  /** Tells that the store is given up, once. */
  giveUp(error: AppError): void;
}

function createStoreWriter(
  { clock, log, runId, onSinkError, storePatienceMs = 30_000 }: PipelineOptions,
  sinks: readonly Sink[],
): StoreWriter {
  const store = sinks.find((sink) => sink.name === 'store');
  let failingSinceMs: number | null = null;
  let gaveUp = false;
  const giveUp = (error: AppError): void => {
    if (gaveUp) return;
    gaveUp = true;
    onSinkError('store', error);
  };
  return {
    giveUp,
    write(flush) {
      if (!store) return flush;
      try {
        const batch = store.write(flush);
        failingSinceMs = null;
        return { ...flush, batch };
      } catch (thrown) {
        const error = toAppError(thrown);
        failingSinceMs ??= awakeMs(clock);
        log.error('The store sink failed', {
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
