import {
  type Client,
  type Emit,
  type EventName,
  type EventPayload,
  events,
  type Handlers,
  type Input,
  type MethodName,
  methods,
  type Output,
} from './contract.ts';
import { AppError, appErrorSchema, type AppErrorShape, fail, toAppError } from './errors.ts';
import { createEventGate } from './eventGate.ts';
import { overlong } from './overlong.ts';
import type { Port } from './ports.ts';

export type { Port } from './ports.ts';
export { memoryPorts, portFromMessagePort } from './ports.ts';

/** Everything that crosses a port. `event` carries a number that `ack` gives back: what is not acknowledged is what the other end has not taken yet. */
export type Message =
  | { k: 'call'; id: number; method: string; input: unknown }
  | { k: 'cancel'; id: number }
  | { k: 'done'; id: number; output: unknown }
  | { k: 'failed'; id: number; error: AppErrorShape }
  | { k: 'event'; n: number; event: EventName; payload: unknown }
  | { k: 'ack'; n: number }
  /** Samples of this run are wanted, or no longer. */
  | { k: 'follow'; runId: string; follows: boolean }
  /** Batches of samples of this run were dropped because this end was slow: ask for the window again. */
  | { k: 'gap'; runId: string };

/** Calls one port may have open at once; more are refused as `conflict`. */
const maxOpenCalls = 500;

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

/** A typed client over a port. A closed port rejects what is open, and every later call, with `unreachable`. */
export function createClient(port: Port): Client {
  const pending = new Map<number, Pending>();
  const listeners = new Map<EventName, Set<AnyListener>>();
  const stateListeners = new Set<(state: 'open' | 'closed') => void>();
  const gapListeners = new Set<(runId: string) => void>();
  const followers = new Map<string, number>();
  let nextId = 1;
  let open = true;
  const tellFollow = (runId: string, follows: boolean): void => {
    if (open) port.post({ k: 'follow', runId, follows } satisfies Message);
  };

  port.onMessage((data) => {
    const message = data as Message;
    switch (message.k) {
      case 'done':
      case 'failed': {
        const call = pending.get(message.id);
        if (call === undefined) return;
        call.forget();
        if (message.k === 'done') call.resolve(message.output);
        else call.reject(errorOf(message.error));
        return;
      }
      case 'event':
        for (const listener of listeners.get(message.event) ?? [])
          (listener as (payload: unknown) => void)(message.payload);
        port.post({ k: 'ack', n: message.n } satisfies Message);
        return;
      case 'gap':
        for (const listener of gapListeners) listener(message.runId);
        return;
      case 'call':
      case 'cancel':
      case 'follow':
      case 'ack':
        return;
    }
  });
  port.onClose(() => {
    if (!open) return;
    open = false;
    for (const call of [...pending.values()]) {
      call.forget();
      call.reject(closed());
    }
    for (const listener of stateListeners) listener('closed');
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
          port.post({ k: 'cancel', id } satisfies Message);
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
          port.post({ k: 'call', id, method, input } satisfies Message);
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

export interface ServeOptions {
  /** Called with what a handler threw, stack and all: for the log of the engine, never for the other end. */
  onInternal?: (method: string, thrown: unknown) => void;
}

/**
 * Answers calls that come over a port with `handlers`, and sends it the events of `subscribe` until it closes.
 * Input is parsed here, on every transport; a failure leaves as an AppError shape. Gives a function that closes the port.
 */
export function serve(
  port: Port,
  handlers: Handlers,
  subscribe: (emit: Emit) => () => void,
  options: ServeOptions = {},
): () => void {
  const running = new Map<number, AbortController>();
  const gate = createEventGate((message) => port.post(message));
  const unsubscribe = subscribe((event, payload) => gate.push(event, payload));

  const refuse = (id: number, error: AppError): void =>
    port.post({ k: 'failed', id, error: error.toShape() } satisfies Message);
  const answer = async (id: number, method: string, input: unknown): Promise<void> => {
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const output = await callHandler(handlers, method, input, controller.signal);
      if (running.has(id)) port.post({ k: 'done', id, output } satisfies Message);
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.kind === 'internal') options.onInternal?.(method, thrown);
      if (running.has(id)) refuse(id, error);
    } finally {
      running.delete(id);
    }
  };

  port.onMessage((data) => {
    const message = readRequest(data);
    if (message === null) return;
    switch (message.k) {
      case 'call':
        if (running.size >= maxOpenCalls)
          refuse(
            message.id,
            fail('conflict', `${maxOpenCalls} calls are open already.`, 'Wait for some to end.'),
          );
        else if (!running.has(message.id)) void answer(message.id, message.method, message.input);
        return;
      case 'cancel':
        running.get(message.id)?.abort();
        return;
      case 'ack':
        gate.ack(message.n);
        return;
      case 'follow':
        gate.follow(message.runId, message.follows);
        return;
    }
  });
  port.onClose(() => {
    unsubscribe();
    for (const controller of running.values()) controller.abort();
    running.clear();
  });
  return () => port.close();
}

/** One call with its input parsed. Throws invalidInput with the path of each fault; an unknown method is invalidInput too. */
export async function callHandler(
  handlers: Handlers,
  method: string,
  input: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  if (!Object.hasOwn(methods, method))
    throw fail('invalidInput', `The engine has no method ${JSON.stringify(method.slice(0, 80))}.`);
  const name = method as MethodName;
  const long = overlong(methods[name].input, input);
  if (long)
    throw fail('invalidInput', `${name}: ${long.path.join('.') || 'input'}: ${long.message}.`);
  const parsed = methods[name].input.safeParse(input);
  if (!parsed.success) {
    const faults = parsed.error.issues
      .slice(0, 5)
      .map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`);
    throw fail('invalidInput', `${name}: ${faults.join('; ')}.`);
  }
  // Input and handler belong to one name; the compiler cannot follow that through an index.
  const handler = handlers[name] as (input: unknown, signal: AbortSignal) => Promise<unknown>;
  return handler(parsed.data, signal);
}

type Request = Extract<Message, { k: 'call' | 'cancel' | 'ack' | 'follow' }>;
const isId = (value: unknown): boolean =>
  typeof value === 'string' && value.length > 0 && value.length <= 200;

/** What came in, when it is a request in shape; null otherwise. */
function readRequest(data: unknown): Request | null {
  if (typeof data !== 'object' || data === null || !('k' in data)) return null;
  const message = data as Record<string, unknown>;
  if (message['k'] === 'call')
    return Number.isSafeInteger(message['id']) && typeof message['method'] === 'string'
      ? (data as Request)
      : null;
  if (message['k'] === 'cancel')
    return Number.isSafeInteger(message['id']) ? (data as Request) : null;
  if (message['k'] === 'follow')
    return isId(message['runId']) && typeof message['follows'] === 'boolean'
      ? (data as Request)
      : null;
  return message['k'] === 'ack' && Number.isSafeInteger(message['n']) ? (data as Request) : null;
}

/** Hands each event to all subscribers; what hosts give `serve` as `subscribe`. A failing subscriber does not stop the others. */
export function createEventHub(onFault: (thrown: unknown) => void): {
  emit: Emit;
  subscribe: (emit: Emit) => () => void;
} {
  const subscribers = new Set<Emit>();
  return {
    emit(event, payload) {
      for (const subscriber of [...subscribers]) {
        try {
          subscriber(event, payload);
        } catch (thrown) {
          onFault(thrown);
        }
      }
    },
    subscribe(emit) {
      subscribers.add(emit);
      return () => {
        subscribers.delete(emit);
      };
    },
  };
}

export const eventNames = Object.keys(events) as EventName[];
