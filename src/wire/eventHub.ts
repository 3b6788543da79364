import type { Emit } from './contract.ts';

/**
 * Hands each event to all subscribers; what hosts give `serve` as `subscribe`. A failing subscriber
 * does not stop the others.
 */
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
