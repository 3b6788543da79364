import { fail } from '../src/core/base/errors.ts';
import { sayCode } from '../src/core/base/systemWords.ts';
import { secretVariable } from '../src/core/plan/secretUse.ts';
import type { SecretRef } from '../src/core/testbed/secretRef.ts';
import type { Secrets } from './engine/deps.ts';
import { errorCode } from './errorCode.ts';
import { readSmallFile } from './smallFile.ts';

/** Where secrets of the kind `{keychain: id}` are kept. `get` gives null when there is none. */
export interface Vault {
  readonly kind: 'keychain' | 'session';
  get(id: string): Promise<string | null>;
  set(id: string, value: string): Promise<void>;
  remove(id: string): Promise<void>;
}

/** Secrets in this process's memory, forgotten when it ends. */
export function sessionVault(): Vault {
  const values = new Map<string, string>();
  return {
    kind: 'session',
    get: async (id) => values.get(id) ?? null,
    set: async (id, value) => {
      values.set(id, value);
    },
    remove: async (id) => {
      values.delete(id);
    },
  };
}

/**
 * Resolves `{env}`, `{file}` and `{keychain}` references. A file's last line break is not part of
 * the secret. Errors: authFailed, naming the reference and never its value.
 */
export function createSecrets(
  vault: Vault,
  env: Readonly<Record<string, string | undefined>>,
): Secrets {
  return {
    get kind() {
      return vault.kind;
    },
    async sourceOf(ref) {
      if (!('keychain' in ref)) return ref;
      const variable = secretVariable(ref.keychain);
      return (await vault.get(ref.keychain)) === null && env[variable] !== undefined
        ? { env: variable }
        : ref;
    },
    async get(ref: SecretRef) {
      if ('env' in ref)
        return (
          env[ref.env] ??
          missing(
            `The environment variable ${ref.env} is not set.`,
            `Set ${ref.env} before the start.`,
          )
        );
      if ('file' in ref) return readSecretFile(ref.file);
      const variable = secretVariable(ref.keychain);
      return (
        (await vault.get(ref.keychain)) ??
        env[variable] ??
        missing(
          'No password or passphrase is stored for this connection.',
          vault.kind === 'keychain'
            ? 'Enter it in Connections.'
            : 'Enter it in Connections (it is kept for this session only).',
          `Secret ${ref.keychain}. For a start without a window: ${variable} in the environment.`,
        )
      );
    },
    set: (id, value) => vault.set(id, value),
    remove: (id) => vault.remove(id),
  };
}

function missing(message: string, hint: string, technical?: string): never {
  throw fail('authFailed', message, hint, technical === undefined ? undefined : { technical });
}

const maxBytes = 64 * 1024;

async function readSecretFile(path: string): Promise<string> {
  const read = await readSmallFile(path, maxBytes).catch((thrown: unknown) => {
    const code = errorCode(thrown);
    if (code === null) throw thrown;
    return missing(
      `The secret file ${path} ${sayCode(code) ?? `cannot be read (${code})`}.`,
      'Check its path and permissions.',
    );
  });
  const only = 'Name a file that holds the secret only.';
  if ('refused' in read) return missing(`The secret file ${path} ${read.refused}.`, only);
  if (read.bytes.includes(0)) return missing(`The secret file ${path} is not text.`, only);
  return read.bytes.toString('utf8').replace(/\r?\n$/, '');
}
