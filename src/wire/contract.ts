import type * as z from 'zod';

import { appMethods } from './contract/app.ts';
import { compareMethods } from './contract/compare.ts';
import { studyCompareMethods } from './contract/compareStudies.ts';
import { connectionMethods } from './contract/connections.ts';
import { customerLabMethods } from './contract/customerLab.ts';
import { events } from './contract/events.ts';
import { guestMethods } from './contract/guests.ts';
import { historyMethods } from './contract/history.ts';
import { leavingMethods } from './contract/leaving.ts';
import { planMethods } from './contract/plans.ts';
import { runMethods } from './contract/runs.ts';
import { storyMethods } from './contract/stories.ts';
import { studyMethods } from './contract/studies.ts';
import { testbedMethods } from './contract/testbeds.ts';

export { events };

interface Method {
  /** It stores something, or does something outside: a command, whose refusal must be seen. */
  changes: boolean;
  input: z.ZodType;
  output: z.ZodType;
}
/**
 * Every method, once: input and output, each in the file of its domain. Names are `noun.verb` and
 * grep to every hop.
 */
export const methods = {
  ...appMethods,
  ...connectionMethods,
  ...testbedMethods,
  ...guestMethods,
  ...planMethods,
  ...runMethods,
  ...compareMethods,
  ...studyMethods,
  ...studyCompareMethods,
  ...customerLabMethods,
  ...leavingMethods,
  ...historyMethods,
  ...storyMethods,
} as const satisfies Record<string, Method>;

export type MethodName = keyof typeof methods;
export type CommandName = {
  [M in MethodName]: (typeof methods)[M]['changes'] extends true ? M : never;
}[MethodName];
export type ReadName = Exclude<MethodName, CommandName>;
export type EventName = keyof typeof events;
/** As the caller writes it: defaults may be left out. */
export type Input<M extends MethodName> = z.input<(typeof methods)[M]['input']>;
export type ParsedInput<M extends MethodName> = z.output<(typeof methods)[M]['input']>;
export type Output<M extends MethodName> = z.output<(typeof methods)[M]['output']>;
export type EventPayload<E extends EventName> = z.output<(typeof events)[E]>;

/** What the engine implements. Forget a method and it does not compile. */
export type Handlers = {
  [M in MethodName]: (input: ParsedInput<M>, signal: AbortSignal) => Promise<Output<M>>;
};
export type Emit = <E extends EventName>(event: E, payload: EventPayload<E>) => void;

/**
 * `open`: the engine has said hello. `otherVersion`: it did, with another contract; it refuses every
 * call as `conflict`.
 */
export type LinkState = 'open' | 'closed' | 'otherVersion';

/**
 * What a screen holds: it reads and listens. Commands go the store's way (`useSendCommand`,
 * mutations), where each refusal is shown.
 */
export interface Reader extends Pick<Client, 'on' | 'follow' | 'onGap' | 'onState'> {
  call<M extends ReadName>(method: M, input: Input<M>, signal?: AbortSignal): Promise<Output<M>>;
}

/** What the store and the command line hold. */
export interface Client {
  call<M extends MethodName>(method: M, input: Input<M>, signal?: AbortSignal): Promise<Output<M>>;
  on<E extends EventName>(event: E, listener: (payload: EventPayload<E>) => void): () => void;
  /**
   * Asks the engine for the samples of this run, until the function it gives is called. Counted:
   * two who follow a run share it; kept over a new port.
   */
  follow(runId: string): () => void;
  /**
   * Called when samples of a followed run were left out because this end was slow: what is missing
   * can be read with `run.samples`.
   */
  onGap(listener: (runId: string) => void): () => void;
  /**
   * Called when the port opens, closes or comes back; a closed port rejects pending calls with
   * `unreachable`.
   */
  onState(listener: (state: LinkState) => void): () => void;
  close(): void;
}
