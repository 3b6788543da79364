import { MessageChannel, Worker } from 'node:worker_threads';

import { type AppError, fail, toAppError } from '../src/core/base/errors.ts';
import { type Handlers, methods } from '../src/wire/contract.ts';
import type { Port } from '../src/wire/ports.ts';
import { memoryPorts, portFromMessagePort } from '../src/wire/ports.ts';
import { serve } from '../src/wire/serve.ts';
import type { DemoThreadData, FromDemo, ToDemo } from './demoMessages.ts';

export interface DemoHost {
  /**
   * A port to the simulated workspace; the first call starts it. Never rejects: a workspace that
   * cannot start answers every call with why.
   */
  connect(): Promise<Port>;
  /** Ends its engine in order; a thread that does not end within the time is ended. */
  close(): Promise<void>;
}
export interface DemoHostOptions extends DemoThreadData {
  /** `demoThread` as Node can run it: the source, or its bundle. */
  threadFile: string;
  /** Default 60,000 ms: a start takes about a second. */
  startLimitMs?: number;
}

const stopLimitMs = 10_000;
interface Running {
  worker: Worker;
  ready: Promise<void>;
  ended: Promise<void>;
}

/**
 * Runs the simulated workspace in a worker thread: started when first asked for, kept, and started
 * again when it died.
 */
export function createDemoHost(options: DemoHostOptions): DemoHost {
  const { threadFile, startLimitMs = 60_000, ...data } = options;
  let running: Running | null = null;
  let closed = false;

  function start(): Running {
    const worker = new Worker(threadFile, {
      workerData: { ...data } satisfies DemoThreadData,
      name: 'tilebench-demo',
    });
    const ended = new Promise<void>((done) => {
      worker.once('exit', () => {
        if (running?.worker === worker) running = null;
        done();
      });
    });
    const ready = new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(
          fail(
            'timedOut',
            `The simulated workspace did not start within ${startLimitMs / 1_000} s.`,
            `See the log in ${data.dataDir}.`,
          ),
        );
        void worker.terminate();
      }, startLimitMs);
      const settle = (act: () => void): void => {
        clearTimeout(timer);
        act();
      };
      worker.on('message', (message: FromDemo) => {
        if (message.k === 'ready') settle(resolve);
        else
          settle(() =>
            reject(
              fail(
                'conflict',
                `The simulated workspace cannot start: ${message.message}`,
                message.hint,
              ),
            ),
          );
      });
      worker.once('error', (thrown) =>
        settle(() =>
          reject(
            fail(
              'internal',
              `The simulated workspace failed: ${toAppError(thrown).message}`,
              `See the log in ${data.dataDir}.`,
            ),
          ),
        ),
      );
      worker.once('exit', () =>
        settle(() =>
          reject(
            fail(
              'internal',
              'The simulated workspace ended while it started.',
              `See the log in ${data.dataDir}.`,
            ),
          ),
        ),
      );
    });
    // Told to whoever connects; nobody may.
    ready.catch(() => undefined);
    return { worker, ready, ended };
  }

  return {
    async connect() {
      if (closed) return refusing(fail('unreachable', 'The simulated workspace is closing.'));
      const mine = (running ??= start());
      try {
        await mine.ready;
      } catch (thrown) {
        if (running === mine) running = null;
        return refusing(toAppError(thrown));
      }
      const { port1, port2 } = new MessageChannel();
      mine.worker.postMessage({ k: 'port', port: port2 } satisfies ToDemo, [port2]);
      return portFromMessagePort(port1);
    },
    async close() {
      closed = true;
      const mine = running;
      if (!mine) return;
      mine.worker.postMessage({ k: 'stop' } satisfies ToDemo);
      const hard = setTimeout(() => {
        void mine.worker.terminate();
      }, stopLimitMs);
      await mine.ended;
      clearTimeout(hard);
    },
  };
}

/** A port whose every call is refused with one error. */
function refusing(error: AppError): Port {
  const [near, far] = memoryPorts();
  const refuse = async (): Promise<never> => {
    throw error;
  };
  serve(
    far,
    Object.fromEntries(Object.keys(methods).map((name) => [name, refuse])) as unknown as Handlers,
    () => () => undefined,
  );
  return near;
}
