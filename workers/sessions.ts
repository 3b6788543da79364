import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

import * as z from 'zod';

/** A browser is known for this long after it was last seen. */
export const knownForMs = 7 * 86_400_000;
/** Browsers known at once; the one that was not seen for longest is forgotten. */
const maxSessions = 64;
/** Being seen is written down no more often than this. */
const noteEveryMs = 3_600_000;

/** Browsers that were let in. */
export interface Sessions {
  /** Lets another one in, and gives the secret that it is known by. */
  begin(): string;
  /** Whether a secret is that of one that was let in. */
  knows(secret: string): boolean;
}

const fileSchema = z.strictObject({
  tilebenchSessions: z.literal(1),
  sessions: z
    .array(
      z.strictObject({
        digest: z.string().regex(/^[0-9a-f]{64}$/),
        seenMs: z.number().min(0).max(8.64e15),
      }),
    )
    .max(maxSessions),
});
type Known = z.infer<typeof fileSchema>['sessions'];

const digest = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/**
 * Sessions that outlive the process, so that an open page connects again to a console that was
 * stopped and started. The file (mode 600) holds digests only: reading it lets nobody in. One that
 * cannot be read is as none: all come in anew.
 * `path` null = in memory. `onFault` hears what keeps the file from being read or written.
 */
export function createSessions(
  options: { path?: string | null; now?: () => number; onFault?: (thrown: unknown) => void } = {},
): Sessions {
  const { path = null, now = Date.now, onFault = () => undefined } = options;
  /**
   * When each was last seen, by digest: a look-up by it tells nothing of the secret by its time.
   */
  const seen = new Map<string, number>();
  for (const one of read()) seen.set(one.digest, one.seenMs);

  function read(): Known {
    if (path === null || !existsSync(path)) return [];
    try {
      return fileSchema.parse(JSON.parse(readFileSync(path, 'utf8'))).sessions;
    } catch (thrown) {
      onFault(thrown);
      return [];
    }
  }
  function write(): void {
    if (path === null) return;
    const text = JSON.stringify({
      tilebenchSessions: 1,
      sessions: [...seen].map(([key, seenMs]) => ({ digest: key, seenMs })),
    } satisfies z.infer<typeof fileSchema>);
    try {
      const partial = `${path}.${process.pid}.part`;
      writeFileSync(partial, text, { mode: 0o600 });
      chmodSync(partial, 0o600);
      renameSync(partial, path);
    } catch (thrown) {
      onFault(thrown);
    }
  }
  function forget(): void {
    const oldest = [...seen].sort(([, a], [, b]) => a - b);
    for (const [index, [key, seenMs]] of oldest.entries())
      if (now() - seenMs >= knownForMs || index < oldest.length - maxSessions) seen.delete(key);
  }

  return {
    begin() {
      const secret = randomBytes(32).toString('base64url');
      seen.set(digest(secret), now());
      forget();
      write();
      return secret;
    },
    knows(secret) {
      const key = digest(secret);
      const seenMs = seen.get(key);
      if (seenMs === undefined || now() - seenMs >= knownForMs) return false;
      if (now() - seenMs >= noteEveryMs) {
        seen.set(key, now());
        write();
      }
      return true;
    },
  };
}
