import type { Handlers } from '../../../src/wire/contract.ts';
import { isFullDisk, type Room } from './room.ts';

type Handle = (input: unknown, signal: AbortSignal) => Promise<unknown>;

const causeOf = (thrown: unknown): unknown =>
  typeof thrown === 'object' && thrown !== null && 'cause' in thrown ? thrown.cause : null;

/** Every command that cannot store on a full disk says so in the same words, with the folder and its free space. */
export function sayFullDisk(handlers: Handlers, room: Pick<Room, 'error'>): Handlers {
  const said = Object.entries(handlers).map(([name, handler]) => {
    // One generic call cannot carry the map's types method by method.
    const handle = handler as Handle;
    const told: Handle = async (input, signal) => {
      try {
        return await handle(input, signal);
      } catch (thrown) {
        const full = [thrown, causeOf(thrown)].find(isFullDisk) as { code: string } | undefined;
        throw full === undefined ? thrown : room.error(full.code);
      }
    };
    return [name, told];
  });
  return Object.fromEntries(said) as Handlers;
}
