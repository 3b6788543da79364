import { messagesOf } from './mail.ts';
import type { TileServers } from './tile.ts';

/** What the servers of the tile counted by themselves while one load went on. */
export interface ServerCounts {
  /** Pages that nginx answered, by its access log: one for an operation of a user. */
  pages: number;
  /** All of its requests, with what belongs to the pages. */
  requests: number;
  /** Rows that came into the table of orders. */
  orders: number;
  /** Messages that Postfix took, by its own log. */
  accepted: number;
  /** Copies that it handed to Dovecot, one for each recipient, by the same log. */
  delivered: number;
  /** Messages in all mailboxes after the load, as files. */
  inMailboxes: number;
}

/** When a load began and ended, Unix time. */
export interface LoadSpan {
  startMs: number;
  endMs: number;
}

export interface TileCounter {
  counts(spans: Readonly<Record<'mail' | 'web' | 'shop', LoadSpan>>): ServerCounts;
  stop(): void;
}

const everyMs = 1_000;
/**
 * How long a load waits for what it sent last (`drainS` of its driver). What comes later is no load:
 * at the end of a run each driver looks once more at its server, by two pages and a message.
 */
const answeredMs = 2_000;
const deliveredMs = 5_000;
/** Orders of the small data set: 1,000 a month for a year. */
const loadedOrders = 12_000;

/**
 * Counts at the servers from now on. Shop and mailboxes are emptied at the end of a run, so both
 * are looked at while it goes on.
 */
export function countAtServers({ web, shop, mail }: TileServers): TileCounter {
  const users = Array.from({ length: mail.mailboxes }, (_, i) => `user${i + 1}`);
  const orders: { atMs: number; count: number }[] = [];
  const messages: { atMs: number; count: number }[] = [];
  const look = (): void => {
    const atMs = Date.now();
    messages.push({
      atMs,
      count: users.flatMap((user) => messagesOf(mail.dovecot.home(user))).length,
    });
    const count = rowsOf(shop);
    if (count !== null) orders.push({ atMs, count });
  };
  const timer = setInterval(look, everyMs);
  const mostAfter = (seen: typeof orders, fromMs: number): number =>
    Math.max(0, ...seen.filter(({ atMs }) => atMs >= fromMs).map(({ count }) => count));
  return {
    counts(spans) {
      const lines = web
        .log()
        .filter(({ atMs }) => atMs >= spans.web.startMs && atMs <= spans.web.endMs + answeredMs);
      const log = mail.postfix.log(spans.mail.startMs, spans.mail.endMs + deliveredMs);
      return {
        pages: lines.filter(({ path }) => !path.startsWith('/static/')).length,
        requests: lines.length,
        orders: mostAfter(orders, spans.shop.startMs) - loadedOrders,
        accepted: log.filter((line) => /postfix\/qmgr\[\d+\]: \w+: from=.* active\)/.test(line))
          .length,
        delivered: log.filter((line) => /postfix\/lmtp\[\d+\]: .* status=sent /.test(line)).length,
        // Nothing is deleted after the end of the load but by emptying, which makes it fewer.
        inMailboxes: mostAfter(messages, spans.mail.endMs),
      };
    },
    stop: () => clearInterval(timer),
  };
}

/** Rows in the table of orders; null where it is not there, or is being dropped. */
function rowsOf({ ask, database }: TileServers['shop']): number | null {
  const table = `table_schema='${database}' AND table_name='orders'`;
  try {
    return ask(`SELECT COUNT(*) FROM information_schema.tables WHERE ${table}`) === '1'
      ? Number(ask(`SELECT COUNT(*) FROM ${database}.orders`))
      : null;
  } catch (thrown) {
    if (String(thrown).includes("doesn't exist")) return null;
    throw thrown;
  }
}
