import type { FromEngine, ToEngine } from './hostMessages.ts';

/**
 * Where the process beside the engine keeps secrets: they outlive an engine that is started again.
 */
export interface SecretStore {
  get(name: string): string | null;
  set(name: string, value: string): void;
  remove(name: string): void;
}

/** In memory, forgotten with this process. */
export function memorySecrets(): SecretStore {
  const values = new Map<string, string>();
  return {
    get: (name) => values.get(name) ?? null,
    set: (name, value) => {
      values.set(name, value);
    },
    remove: (name) => {
      values.delete(name);
    },
  };
}

/**
 * The answer to what the engine asks of the store. Never throws: a store that fails is told to the
 * engine.
 */
export function answerSecret(
  store: SecretStore,
  { id, op, name, value }: Extract<FromEngine, { k: 'secret' }>,
): ToEngine {
  try {
    if (op === 'get') return { k: 'secret', id, value: store.get(name) };
    if (op === 'set') store.set(name, value ?? '');
    else store.remove(name);
    return { k: 'secret', id, value: null };
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown.message : String(thrown);
    return { k: 'secret', id, value: null, error };
  }
}
