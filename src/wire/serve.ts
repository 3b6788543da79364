import type * as z from 'zod';

import { type AppError, fail, toAppError } from '../core/base/errors.ts';
import { overlong } from '../core/base/overlong.ts';
import { schemaFaults } from '../core/base/schemaFaults.ts';
import { type Emit, type EventName, type Handlers, type MethodName, methods } from './contract.ts';
import { eventOf, inputOf, outputOf } from './contract/strict.ts';
import { appVersion, contractVersion } from './contract/version.ts';
import { createEventGate } from './eventGate.ts';
import { type Reply, type Request, requestSchema } from './messages.ts';
import type { Port } from './ports.ts';

/** Calls one port may have open at once; more are refused as `conflict`. */
const maxOpenCalls = 500;

export interface ServeOptions {
  /**
   * Called with what a handler threw, stack and all: for the log of the engine, never for the other
   * end.
   */
  onInternal?: (method: string, thrown: unknown) => void;
  /**
   * Parses what leaves as well: for tests and development. An output that does not fit is an error,
   * an event is thrown back to who emitted it.
   */
  checksOutputs?: boolean;
}

/**
 * Answers calls that come over a port with `handlers`, and sends it the events of `subscribe` until
 * it closes. Both begin with `hello`: before it, and after one of another contract, calls are
 * refused and no event is sent. Input is parsed here, on every transport; a failure leaves as an
 * AppError shape. Gives a function that closes the port.
 */
export function serve(
  port: Port,
  handlers: Handlers,
  subscribe: (emit: Emit) => () => void,
  options: ServeOptions = {},
): () => void {
  const { checksOutputs = false } = options;
  const running = new Map<number, AbortController>();
  const post = (reply: Reply): void => port.post(reply);
  const gate = createEventGate(post);
  let refusal: AppError | null = fail(
    'invalidInput',
    'The first message of a client is its hello.',
    'See docs/protocol.md.',
  );
  let unsubscribe: (() => void) | null = null;

  const refuse = (id: number | null, error: AppError): void =>
    post({ k: 'failed', id, error: error.toShape() });
  const answer = async (id: number, method: string, input: unknown): Promise<void> => {
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const output = await callHandler(handlers, method, input, controller.signal, checksOutputs);
      if (running.has(id)) post({ k: 'done', id, output });
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.kind === 'internal') options.onInternal?.(method, thrown);
      if (running.has(id)) refuse(id, error);
    } finally {
      running.delete(id);
    }
  };
  const greet = (hello: Extract<Request, { k: 'hello' }>): void => {
    post({ k: 'hello', contract: contractVersion, version: appVersion });
    refusal = refusalOf(hello);
    if (refusal !== null) {
      unsubscribe?.();
      unsubscribe = null;
    } else
      unsubscribe ??= subscribe((event, payload) => {
        if (checksOutputs) checkEvent(event, payload);
        gate.push(event, payload);
      });
  };

  port.onMessage((data) => {
    const parsed = requestSchema.safeParse(data);
    if (!parsed.success) {
      refuse(idOf(data), fail('invalidInput', `A message is none: ${faultsOf(parsed.error)}.`));
      return;
    }
    const message = parsed.data;
    switch (message.k) {
      case 'hello':
        greet(message);
        return;
      case 'call':
        if (refusal !== null) refuse(message.id, refusal);
        else if (running.size >= maxOpenCalls)
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
      case 'ping':
        post({ k: 'pong' });
        return;
    }
  });
  port.onClose(() => {
    unsubscribe?.();
    for (const controller of running.values()) controller.abort();
    running.clear();
  });
  return () => port.close();
}

/** Why who says this hello is not answered, or null. */
function refusalOf({ contract, version }: Extract<Request, { k: 'hello' }>): AppError | null {
  if (contract === null || contract === contractVersion) return null;
  return fail(
    'conflict',
    `This page or program is of another version than the engine: ${version} (contract ` +
      `${contract}) against ${appVersion} (contract ${contractVersion}).`,
    'Reload the page, or update the program.',
  );
}

/**
 * One call with its input parsed. Throws invalidInput with the path of each fault; an unknown
 * method is invalidInput too.
 */
export async function callHandler(
  handlers: Handlers,
  method: string,
  input: unknown,
  signal: AbortSignal,
  checksOutput = false,
): Promise<unknown> {
  const name = methodOf(method);
  const parsed = parseInput(name, input);
  // Input and handler belong to one name; the compiler cannot follow that through an index.
  const handler = handlers[name] as (input: unknown, signal: AbortSignal) => Promise<unknown>;
  const output = await handler(parsed, signal);
  if (checksOutput) checkOutput(name, output);
  return output;
}

function methodOf(method: string): MethodName {
  if (!Object.hasOwn(methods, method))
    throw fail('invalidInput', `The engine has no method ${JSON.stringify(method.slice(0, 80))}.`);
  return method as MethodName;
}

/** Throws invalidInput with the path of each fault. */
function parseInput(method: MethodName, input: unknown): unknown {
  const long = overlong(methods[method].input, input);
  if (long)
    throw fail('invalidInput', `${method}: ${long.path.join('.') || 'input'}: ${long.message}.`);
  const parsed = inputOf(method).safeParse(input);
  if (!parsed.success) throw fail('invalidInput', `${method}: ${faultsOf(parsed.error)}.`);
  return parsed.data;
}

/** Throws internal with the path of what does not fit the contract. */
function checkOutput(method: MethodName, output: unknown): void {
  const parsed = outputOf(method).safeParse(output);
  if (!parsed.success)
    throw fail('internal', `The output of ${method} does not fit: ${faultsOf(parsed.error)}.`);
}

/** As `checkOutput`, of an event. */
export function checkEvent(event: EventName, payload: unknown): void {
  const parsed = eventOf(event).safeParse(payload);
  if (!parsed.success)
    throw fail('internal', `The event ${event} does not fit: ${faultsOf(parsed.error)}.`);
}

const faultsOf = (error: z.ZodError): string =>
  schemaFaults(error)
    .slice(0, 5)
    .map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`)
    .join('; ');

/** Of a message that is none, as far as it can be told who waits for its answer. */
const idOf = (data: unknown): number | null =>
  typeof data === 'object' && data !== null && 'id' in data && Number.isSafeInteger(data.id)
    ? Math.max(0, Number(data.id))
    : null;
