import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

import { safeStorage } from 'electron';
import * as z from 'zod';

import type { SecretStore } from '../src/wire/parentSecrets.ts';

const fileSchema = z.record(z.string(), z.string());

/**
 * Secrets encrypted by the system's keychain, in one file. null where the system would store plain
 * text or has no keychain: then secrets last for the session only.
 */
export function openKeychain(path: string): SecretStore | null {
  if (!safeStorage.isEncryptionAvailable()) return null;
  // Electron 22 has no such function; there, availability already means a real keychain.
  const backend = (safeStorage as { getSelectedStorageBackend?: () => string })
    .getSelectedStorageBackend;
  if (
    process.platform === 'linux' &&
    ['basic_text', 'unknown'].includes(backend?.call(safeStorage) ?? '')
  )
    return null;
  const read = (): Record<string, string> =>
    existsSync(path) ? fileSchema.parse(JSON.parse(readFileSync(path, 'utf8'))) : {};
  const write = (all: Record<string, string>): void => {
    writeFileSync(`${path}.new`, JSON.stringify(all), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  };
  return {
    get(name) {
      const blob = read()[name];
      return blob === undefined ? null : safeStorage.decryptString(Buffer.from(blob, 'base64'));
    },
    set: (name, value) =>
      write({ ...read(), [name]: safeStorage.encryptString(value).toString('base64') }),
    remove(name) {
      write(Object.fromEntries(Object.entries(read()).filter(([key]) => key !== name)));
    },
  };
}
