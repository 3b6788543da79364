import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

import * as z from 'zod';

import { fail } from '../src/core/base/errors.ts';
import type { TrustStore } from './engine/ssh/types.ts';
import { errorCode } from './errorCode.ts';

const fileSchema = z.record(z.string(), z.string());

/**
 * The app's own memory of host keys, `host:port` → `SHA256:…`, in one JSON file that is replaced as
 * a whole. Throws conflict when the file is damaged: a lost memory must not pass as "never seen".
 */
export function createTrustFile(path: string): TrustStore {
  const read = (): Record<string, string> => {
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (thrown) {
      if (errorCode(thrown) === 'ENOENT') return {};
      throw thrown;
    }
    try {
      return fileSchema.parse(JSON.parse(text));
    } catch (thrown) {
      throw fail(
        'conflict',
        `The file of trusted host keys is damaged: ${path}: ${String(thrown)}`,
        'Restore it from a backup, or remove it and check each host key again.',
      );
    }
  };
  const name = (host: string, port: number): string => `${host.toLowerCase()}:${port}`;
  return {
    get: (host, port) => read()[name(host, port)] ?? null,
    save(host, port, sha256) {
      const text = `${JSON.stringify({ ...read(), [name(host, port)]: sha256 }, null, 2)}\n`;
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const partial = `${path}.${process.pid}`;
      const file = openSync(partial, 'w', 0o600);
      try {
        writeSync(file, text);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(partial, path);
    },
  };
}
