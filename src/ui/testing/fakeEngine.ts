import { fail } from '../../core/base/errors.ts';
import { createClient } from '../../wire/channel.ts';
import {
  type Client,
  type Emit,
  type Handlers,
  type Input,
  type LinkState,
  type MethodName,
  methods,
  type Output,
} from '../../wire/contract.ts';
import { createPort, type Port } from '../../wire/ports.ts';
import { serve } from '../../wire/serve.ts';

export type Answers = {
  [M in MethodName]?: (input: Input<M>, signal: AbortSignal) => Output<M> | Promise<Output<M>>;
};
export type Calls = { method: MethodName; input: unknown }[];
export interface FakeEngine {
  client: Client;
  calls: Calls;
  emit: Emit;
  /** Says that the link is now so. */
  link: (state: LinkState) => void;
}

/**
 * An engine that answers as told, at the other end of the real channel: what passes is cloned, and
 * inputs, outputs and events are parsed. A method without an answer fails.
 */
export function startFakeEngine(answers: Answers): FakeEngine {
  const calls: Calls = [];
  const [near, far] = promptPorts();
  let send: Emit = () => undefined;
  const names = Object.keys(methods) as MethodName[];
  const handlers = Object.fromEntries(
    names.map((method) => [
      method,
      async (input: Input<typeof method>, signal: AbortSignal) => {
        calls.push({ method, input });
        const answer = answers[method] as
          ((input: unknown, signal: AbortSignal) => unknown) | undefined;
        if (!answer) throw fail('internal', `The test gives no answer to ${method}.`);
        return answer(input, signal);
      },
    ]),
  ) as unknown as Handlers;
  serve(
    far,
    handlers,
    (emit) => {
      send = emit;
      return () => {
        send = () => undefined;
      };
    },
    { checksOutputs: true },
  );
  const links = new Set<(state: LinkState) => void>();
  return {
    client: {
      ...createClient(near),
      onState: (listener) => {
        links.add(listener);
        return () => {
          links.delete(listener);
        };
      },
    },
    calls,
    emit: (event, payload) => send(event, payload),
    link: (state) => {
      for (const listener of [...links]) listener(state);
    },
  };
}

/** A pair of ports without a turn between them: what a test emits has arrived when it looks. */
function promptPorts(): [Port, Port] {
  const ends: ReturnType<typeof createPort>[] = [];
  const end = (other: number): ReturnType<typeof createPort> =>
    createPort(
      (data) => ends[other]?.receive(structuredClone(data)),
      () => ends[other]?.closed(),
    );
  ends.push(end(1), end(0));
  return [ends[0]!.port, ends[1]!.port];
}
