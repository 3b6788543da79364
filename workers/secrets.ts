import { readFile, stat } from 'node:fs/promises';

import { fail } from '../src/shared/errors.ts';
import type { SecretRef } from '../src/shared/testbed.ts';
import type { Secrets } from './engine/deps.ts';
import { errorCode } from './errorCode.ts';

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

/** Name of the environment variable that stands in for a keychain entry where there is no keychain: `TILEBENCH_SECRET_VC1` for `vc1`. */
export function secretVariable(id: string): string {
  return `TILEBENCH_SECRET_${id.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}`;
}

/**
 * Resolves `{env}`, `{file}` and `{keychain}` references. A file's last line break is not part of the secret.
 * Errors: authFailed, naming the reference and never its value.
 */
export function createSecrets(
  vault: Vault,
  env: Readonly<Record<string, string | undefined>>,
): Secrets {
  return {
    kind: vault.kind,
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
          `No password or passphrase is stored for ${ref.keychain}.`,
          vault.kind === 'keychain'
            ? 'Enter it in Connections.'
            : `Enter it in Connections (it is kept for this session only), or set ${variable} before the start.`,
        )
      );
    },
    set: (id, value) => vault.set(id, value),
    remove: (id) => vault.remove(id),
  };
}

function missing(message: string, hint: string): never {
  throw fail('authFailed', message, hint);
}

async function readSecretFile(path: string): Promise<string> {
  try {
    if ((await stat(path)).size > 64 * 1024)
      missing(
        `The secret file ${path} is larger than 64 KiB.`,
        'Name a file that holds the secret only.',
      );
    return (await readFile(path, 'utf8')).replace(/\r?\n$/, '');
  } catch (thrown) {
    const code = errorCode(thrown);
    if (code !== null)
      missing(
        `The secret file ${path} cannot be read (${code}).`,
        'Check its path and permissions.',
      );
    throw thrown;
  }
}
