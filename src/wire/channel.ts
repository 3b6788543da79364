import { createCalls } from './calls.ts';
import type { Client, EventName, EventPayload, LinkState } from './contract.ts';
import { appVersion, contractVersion } from './contract/version.ts';
import { type BeatClock, startHeartbeat } from './heartbeat.ts';
import type { Reply, Request } from './messages.ts';
import type { Port } from './ports.ts';

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
  const listeners = new Map<EventName, Set<AnyListener>>();
  const stateListeners = new Set<(state: LinkState) => void>();
  const gapListeners = new Set<(runId: string) => void>();
  let open = true;
  const post = (message: Request): void => port.post(message);
  const tellState = (state: LinkState): void => {
    for (const listener of stateListeners) listener(state);
  };
  const calls = createCalls(post, () => open);

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
      case 'failed':
        calls.settle(message);
        return;
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
    calls.rejectAll();
    tellState('closed');
  });

  return {
    call: calls.call,
    on<E extends EventName>(event: E, listener: (payload: EventPayload<E>) => void) {
      const set = listeners.get(event) ?? new Set<AnyListener>();
      listeners.set(event, set.add(listener));
      return () => {
        set.delete(listener);
      };
    },
    follow: createFollowing((runId, follows) => {
      if (open) post({ k: 'follow', runId, follows });
    }),
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

/** Counts who follows a run: only the first and the last of them are told to the engine. */
function createFollowing(
  tell: (runId: string, follows: boolean) => void,
): (runId: string) => () => void {
  const followers = new Map<string, number>();
  return (runId) => {
    const before = followers.get(runId) ?? 0;
    followers.set(runId, before + 1);
    if (before === 0) tell(runId, true);
    let following = true;
    return () => {
      if (!following) return;
      following = false;
      const left = (followers.get(runId) ?? 1) - 1;
      if (left > 0) followers.set(runId, left);
      else {
        followers.delete(runId);
        tell(runId, false);
      }
    };
  };
}
