import { Worker } from 'node:worker_threads';

/**
 * A synchronous endless loop lets nothing else in this thread run: another thread watches, says
 * which case it was, and ends the process.
 */
export interface Watchdog {
  /** A case begins; `head` is what is printed of it should it never end. */
  begin(head: string): void;
  end(): void;
  close(): Promise<number>;
}

const headBytes = 2_048;
const program = `
const { workerData } = require('node:worker_threads');
const { writeSync } = require('node:fs');
const facts = new Int32Array(workerData.shared, 0, 2);
const head = new Uint8Array(workerData.shared, 8);
let last = 0, sinceMs = Date.now();
setInterval(() => {
  const now = Atomics.load(facts, 0);
  // Odd: a case is going on.
  if (now !== last || now % 2 === 0) { last = now; sinceMs = Date.now(); return; }
  if (Date.now() - sinceMs < workerData.limitMs) return;
  writeSync(2, '\\nNo end after ' + workerData.limitMs + ' ms: ' + workerData.name + '\\n'
    + Buffer.from(head.slice(0, Atomics.load(facts, 1))).toString('utf8') + '\\n');
  process.kill(process.pid, 'SIGKILL');
}, 500);
`;

/** Ends this process with the case's head on stderr when one case keeps it busy for `limitMs`. */
export function startWatchdog(name: string, limitMs: number): Watchdog {
  const shared = new SharedArrayBuffer(8 + headBytes);
  const facts = new Int32Array(shared, 0, 2);
  const head = new Uint8Array(shared, 8);
  const worker = new Worker(program, { eval: true, workerData: { shared, name, limitMs } });
  worker.unref();
  return {
    begin(text) {
      // Into a shared array nothing is encoded directly.
      const bytes = new TextEncoder().encode(text).subarray(0, headBytes);
      head.set(bytes);
      Atomics.store(facts, 1, bytes.length);
      Atomics.add(facts, 0, 1);
    },
    end() {
      Atomics.add(facts, 0, 1);
    },
    close: () => worker.terminate(),
  };
}
