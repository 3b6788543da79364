import { AppError, appErrorSchema, fail, toAppError } from '../core/base/errors.ts';
import type {
  Client,
  EventName,
  EventPayload,
  Input,
  LinkState,
  MethodName,
  Output,
} from './contract.ts';
import { appVersion, contractVersion } from './contract/version.ts';
import { type BeatClock, startHeartbeat } from './heartbeat.ts';
import type { Reply, Request } from './messages.ts';
import type { Port } from './ports.ts';

const closed = (): AppError =>
  fail(
    'unreachable',
    'The engine is not connected.',
    'It is started again by itself; if it stays away, see the log in the data folder.',
  );

interface Pending {
  resolve(output: unknown): void;
  reject(error: AppError): void;
  forget(): void;
}
/** Erased listener: `on` keeps event and payload type together. */
type AnyListener = (payload: never) => void;

export interface ClientOptions {
  /**
   * Where given, the other end is asked for signs of life, and the port is closed when none come.
   */
  clock?: BeatClock;
}

/**
 * A typed client over a port. A closed port rejects what is open, and every later call, with
 * `unreachable`.
 */
export function createClient(port: Port, options: ClientOptions = {}): Client {
  const pending = new Map<number, Pending>();
  const listeners = new Map<EventName, Set<AnyListener>>();
  const stateListeners = new Set<(state: LinkState) => void>();
  const gapListeners = new Set<(runId: string) => void>();
  const followers = new Map<string, number>();
  let nextId = 1;
  let open = true;
  const post = (message: Request): void => port.post(message);
  const tellState = (state: LinkState): void => {
    for (const listener of stateListeners) listener(state);
  };
  const tellFollow = (runId: string, follows: boolean): void => {
    if (open) post({ k: 'follow', runId, follows });
  };

  post({ k: 'hello', contract: contractVersion, version: appVersion });
  const heartbeat = options.clock
    ? startHeartbeat(
        options.clock,
        () => post({ k: 'ping' }),
        () => port.close(),
      )
    : null;
  port.onMessage((data) => {
    heartbeat?.heard();
    // The engine is of this program, and says so in its hello: what its messages hold is parsed
    // there.
    const message = data as Reply;
    switch (message.k) {
      case 'hello':
        tellState(message.contract === contractVersion ? 'open' : 'otherVersion');
        return;
      case 'done':
      case 'failed': {
        const call = message.id === null ? undefined : pending.get(message.id);
        if (call === undefined) return;
        call.forget();
        if (message.k === 'done') call.resolve(message.output);
        else call.reject(errorOf(message.error));
        return;
      }
      case 'event':
        for (const listener of listeners.get(message.event as EventName) ?? [])
          (listener as (payload: unknown) => void)(message.payload);
        post({ k: 'ack', n: message.n });
        return;
      case 'gap':
        for (const listener of gapListeners) listener(message.runId);
        return;
      case 'pong':
        return;
    }
  });
  port.onClose(() => {
    if (!open) return;
    open = false;
    heartbeat?.stop();
    for (const call of [...pending.values()]) {
      call.forget();
      call.reject(closed());
    }
    tellState('closed');
  });

  return {
    call<M extends MethodName>(
      method: M,
      input: Input<M>,
      signal?: AbortSignal,
    ): Promise<Output<M>> {
      return new Promise<Output<M>>((resolve, reject) => {
        if (!open) {
          reject(closed());
          return;
        }
        if (signal?.aborted) {
          reject(toAppError(aborted()));
          return;
        }
        const id = nextId++;
        const onAbort = (): void => {
          post({ k: 'cancel', id });
          pending.get(id)?.forget();
          reject(toAppError(aborted()));
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        pending.set(id, {
          resolve: (output) => resolve(output as Output<M>),
          reject,
          forget() {
            pending.delete(id);
            signal?.removeEventListener('abort', onAbort);
          },
        });
        try {
          post({ k: 'call', id, method, input });
        } catch (thrown) {
          pending.get(id)?.forget();
          reject(toAppError(thrown));
        }
      });
    },
    on<E extends EventName>(event: E, listener: (payload: EventPayload<E>) => void) {
      const set = listeners.get(event) ?? new Set<AnyListener>();
      listeners.set(event, set.add(listener));
      return () => {
        set.delete(listener);
      };
    },
    follow(runId) {
      const before = followers.get(runId) ?? 0;
      followers.set(runId, before + 1);
      if (before === 0) tellFollow(runId, true);
      let following = true;
      return () => {
        if (!following) return;
        following = false;
        const left = (followers.get(runId) ?? 1) - 1;
        if (left > 0) followers.set(runId, left);
        else {
          followers.delete(runId);
          tellFollow(runId, false);
        }
      };
    },
    onGap(listener) {
      gapListeners.add(listener);
      return () => {
        gapListeners.delete(listener);
      };
    },
    onState(listener) {
      stateListeners.add(listener);
      return () => {
        stateListeners.delete(listener);
      };
    },
    close: () => port.close(),
  };
}

function aborted(): AppError {
  return fail('aborted', 'The operation was cancelled.');
}

/** The other end is another process: its error is data until it was checked. */
function errorOf(shape: unknown): AppError {
  const parsed = appErrorSchema.safeParse(shape);
  return parsed.success
    ? new AppError(parsed.data)
    : fail('internal', 'The engine failed with an error that cannot be read.');
}
