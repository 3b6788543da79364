import * as z from 'zod';

import type { EngineOnLab } from './engineOnLab.ts';
import type { LoadSpan, TileCounter } from './tileCounts.ts';

/** One figure of a run by who counted it; null = who cannot tell it. */
export interface CountRow {
  what: string;
  tool: number;
  tilebench: number | null;
  server: number | null;
}

const first = z.object({ startUnixNs: z.number() });
const last = z.object({
  end: z.literal(true),
  seconds: z.number(),
  done: z.number(),
  requests: z.number(),
  counts: z.record(z.string(), z.number()).default({}),
  shown: z.object({ done: z.number() }).optional(),
});
type Told = z.infer<typeof last> & LoadSpan;

/** Messages that the loader leaves in each mailbox (`messages` of the tile's plan). */
const loadedMessages = 20;

/** First and last line of tilekit in the log of a workload. */
function toldBy(text: string): Told {
  const lines = text.split('\n').filter((line) => line.startsWith('{'));
  const startMs = first.parse(JSON.parse(lines[0] ?? '')).startUnixNs / 1e6;
  const end = last.parse(JSON.parse(lines.at(-1) ?? ''));
  return { ...end, startMs, endMs: startMs + end.seconds * 1_000 };
}

/** Largest difference from what the tool says, % of it. */
export const differencePct = ({ tool, tilebench, server }: CountRow): number =>
  Math.max(
    ...[tilebench, server].map((other) =>
      other === null ? 0 : tool === 0 ? Infinity : (Math.abs(other - tool) / tool) * 100,
    ),
  );

/** What a run on the tile came to, by the tool, by what Tilebench stored, and by the servers. */
export async function countRows(
  on: EngineOnLab,
  runId: string,
  counter: TileCounter,
): Promise<CountRow[]> {
  const { series } = await on.call('run.overview', { id: runId });
  const logs = await on.call('run.log', { id: runId });
  const told = (name: string): Told => toldBy(logs.find((log) => log.name === name)?.text ?? '');
  /** Sum of a rate over all of its seconds. */
  const stored = async (workloadId: string, perS: number): Promise<number> => {
    const def = series.find(
      (one) => one.entity.id === `t0.${workloadId}` && one.metric === 'throughput',
    );
    if (!def) throw new Error(`No throughput of ${workloadId}.`);
    const [data] = await on.call('run.samples', { runId, seriesIds: [def.id], maxPoints: 0 });
    return data!.value.reduce((sum, value) => sum + value, 0) / perS;
  };
  const [mail, web, shop] = [
    told('Tile 1 Mail server'),
    told('Tile 1 Web (Olio style)'),
    told('Tile 1 DVD Store'),
  ];
  const server = counter.counts({ mail, web, shop });
  const { accepted = 0, recipients = 0, appended = 0, deleted = 0 } = mail.counts;
  const inMailboxes = 10 * loadedMessages + (mail.shown?.done ?? 0) + appended - deleted;
  return [
    row('Mail: operations', mail.done, await stored('mail', 60), null),
    row('Mail: messages sent', accepted, null, server.accepted),
    row('Mail: copies for recipients', recipients, null, server.delivered),
    row('Mail: messages in mailboxes', inMailboxes, null, server.inMailboxes),
    row('Web: operations', web.done, await stored('olio', 1), server.pages),
    row('Web: requests', web.requests, null, server.requests),
    row(
      'DVD Store: orders',
      shop.counts['orders'] ?? 0,
      await stored('dvdstore', 60),
      server.orders,
    ),
  ];
}

const row = (
  what: string,
  tool: number,
  tilebench: number | null,
  server: number | null,
): CountRow => ({ what, tool, tilebench, server });

/** The table as it stands on a page of the guide. */
export function countTable(rows: readonly CountRow[]): string {
  const figure = (value: number | null): string =>
    value === null ? '–' : String(Math.round(value));
  return [
    '| counted | tool | Tilebench | server | difference |',
    '|---|---|---|---|---|',
    ...rows.map(
      (one) =>
        `| ${one.what} | ${figure(one.tool)} | ${figure(one.tilebench)} | ${figure(one.server)} | ` +
        `${differencePct(one).toFixed(2)} % |`,
    ),
    '',
  ].join('\n');
}
