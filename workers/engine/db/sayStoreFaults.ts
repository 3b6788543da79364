import { type AppError, fail, toAppError } from '../../../src/core/base/errors.ts';
import type { Handlers } from '../../../src/wire/contract.ts';
import { restoreHint } from './backups.ts';
import { isFullDisk } from './room.ts';
import type { Database } from './types.ts';

type Handle = (input: unknown, signal: AbortSignal) => Promise<unknown>;

const causeOf = (thrown: unknown): unknown =>
  typeof thrown === 'object' && thrown !== null && 'cause' in thrown ? thrown.cause : null;
const codeOf = (thrown: unknown): string => (thrown as { code?: string } | null)?.code ?? '';

/** Codes by which SQLite says that a page of the file is not as it was written. */
const isDamaged = (thrown: unknown): boolean => /^SQLITE_(?:CORRUPT|NOTADB)/.test(codeOf(thrown));

/**
 * Every command says in the same words what keeps it from the database: a full disk with the folder
 * and its free space, a damaged file with its name and the newest copy. Only small tables are
 * checked at the start, so that damage may show later.
 */
export function sayStoreFaults(
  handlers: Handlers,
  dataDir: string,
  { room, file }: Pick<Database, 'room' | 'file'>,
): Handlers {
  const wordsFor = (thrown: unknown): AppError | null => {
    const faults = [thrown, causeOf(thrown)];
    const full = faults.find(isFullDisk);
    if (full !== undefined) return room.error(codeOf(full));
    const damaged = faults.find(isDamaged);
    if (damaged === undefined) return null;
    return fail(
      'internal',
      `The database ${file} is damaged: ${toAppError(damaged).message}.`,
      `What does not lie in the damaged part can still be looked at and exported. ${restoreHint(dataDir, file)}`,
      { code: codeOf(damaged) },
    );
  };
  const said = Object.entries(handlers).map(([name, handler]) => {
    // One generic call cannot carry the map's types method by method.
    const handle = handler as Handle;
    const told: Handle = async (input, signal) => {
      try {
        return await handle(input, signal);
      } catch (thrown) {
        throw wordsFor(thrown) ?? thrown;
      }
    };
    return [name, told];
  });
  return Object.fromEntries(said) as Handlers;
}
