import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs';

import { createSessions, type Sessions } from './sessions.ts';

/** A ticket that was printed is good for this long. */
export const ticketMs = 10 * 60_000;
/** Tickets held at once; the oldest is forgotten. */
const maxTickets = 64;

/** Who may come in: a ticket of one use is exchanged for a cookie of the browser's own. */
export interface Entry {
  /** A ticket of one use, good for `forMs`. */
  issue(forMs: number): string;
  /** Takes a ticket; true once for each that is good. */
  redeem(ticket: string): boolean;
  /**
   * The `Set-Cookie` of who came in with a ticket, another each time. Its name holds the port,
   * because a browser keeps the cookies of all ports of a host together.
   */
  cookie(port: number): string;
  /** Whether a `Cookie` header holds that of a known browser. */
  admits(header: string | undefined, port: number): boolean;
}

const secret = (): string => randomBytes(32).toString('base64url');
const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const nameOf = (port: number): string => `tilebench-${port}`;

export function createEntry(
  sessions: Sessions = createSessions(),
  now: () => number = Date.now,
): Entry {
  /** By digest, so that a look-up tells nothing by its time. */
  const tickets = new Map<string, number>();
  return {
    issue(forMs) {
      const ticket = secret();
      tickets.set(digest(ticket), now() + forMs);
      for (const oldest of tickets.keys()) {
        if (tickets.size <= maxTickets) break;
        tickets.delete(oldest);
      }
      return ticket;
    },
    redeem(ticket) {
      const key = digest(ticket);
      const untilMs = tickets.get(key);
      tickets.delete(key);
      return untilMs !== undefined && now() < untilMs;
    },
    cookie: (port) => `${nameOf(port)}=${sessions.begin()}; Path=/; HttpOnly; SameSite=Strict`,
    admits: (header, port) =>
      (header ?? '')
        .split(';')
        .map((part) => part.trim())
        .filter((part) => part.startsWith(`${nameOf(port)}=`))
        .some((part) => sessions.knows(part.slice(nameOf(port).length + 1))),
  };
}

/** A page that goes to an address at once. `address` is one of ours: it holds no markup. */
export const hopPage = (address: string): string => {
  const text = address.replaceAll('&', '&amp;');
  return (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="referrer" ' +
    'content="no-referrer"><meta http-equiv="refresh" ' +
    `content="0;url=${text}"><title>Tilebench</title><p><a href="${text}">Open ` +
    'Tilebench</a></p></html>\n'
  );
};

/**
 * A file that opens the console in any browser of its owner: it leads to an address with a ticket.
 * Mode 600, written whole. So neither an argument nor the list of processes holds what lets
 * somebody in.
 */
export function writeEntryFile(path: string, address: string): void {
  const partial = `${path}.${process.pid}.part`;
  writeFileSync(partial, hopPage(address), { mode: 0o600 });
  // What a crash left keeps its mode when it is written again.
  chmodSync(partial, 0o600);
  renameSync(partial, path);
}

export const removeEntryFile = (path: string): void => rmSync(path, { force: true });
