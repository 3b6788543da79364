import { type AppError, fail } from '../../../src/core/base/errors.ts';
import type { SshHost } from '../deps/ssh.ts';
import type { EsxtopColumn } from './counters.ts';
import { createEsxtopRows } from './rows.ts';

/** What a login may print before, at most. */
const longestNoise = 64 * 1_024;
const headMark = '(PDH-CSV ';

export interface EsxtopWatch {
  /** For words. */ hostName: string;
  everyS: number;
  /** Rows beside the first; it ends by itself after them, whoever is connected. */
  rows: number;
  place: (column: EsxtopColumn) => number | null;
  onHead?: () => void;
  /** A row with its time as the host's clock tells it, taken as UTC. */
  onRow: (hostMs: number, values: Float64Array) => void;
}

/** `-n` bounds it; without a terminal's name some versions do not start. */
const esxtopCommand = (everyS: number, rows: number): string =>
  `export TERM=xterm; exec esxtop -b -d ${everyS} -n ${rows + 1}`;

/**
 * Runs esxtop on a host and hands on its rows as they come, until there were so many or `signal`
 * fires. Its first row is left out: its rates are since the host started, or zero. Throws notFound
 * where there is no esxtop, conflict where it says no, and what `SshHost.stream` throws.
 */
export async function watchEsxtop(
  host: Pick<SshHost, 'stream'>,
  watch: EsxtopWatch,
  signal: AbortSignal,
): Promise<void> {
  const { hostName, everyS, rows, place, onHead, onRow } = watch;
  let isFirst = true;
  let seen = 0;
  const refusal = (what: string): AppError =>
    fail(
      'conflict',
      `esxtop on ${hostName} printed what cannot be read: ${what}.`,
      'Run esxtop -b -n 1 there by hand, and see whether its first line begins with (PDH-CSV 4.0).',
    );
  const reader = createEsxtopRows({
    place,
    onHead: () => onHead?.(),
    onRow(timeMs, values) {
      seen += 1;
      if (!isFirst) onRow(timeMs, values);
      isFirst = false;
    },
    onBadRow: () => undefined,
    refuse: (what) => {
      throw refusal(what);
    },
  });
  const push = fromHead((bytes) => reader.push(bytes), refusal);
  const { code, stderrTail } = await host.stream(esxtopCommand(everyS, rows), push, signal);
  if (code === 127)
    throw fail(
      'notFound',
      `There is no esxtop on ${hostName}.`,
      'Name a login to the ESXi host itself, as root or as a user that may run esxtop there.',
    );
  if (code !== 0 || seen === 0)
    throw fail(
      'conflict',
      `esxtop on ${hostName} ended with ${code ?? 'no exit code'} after ${seen} rows` +
        `${stderrTail.trim() === '' ? '' : `: ${stderrTail.trim().slice(-300)}`}.`,
      'Run esxtop -b -n 2 there by hand, as the user of this login.',
    );
}

/** Leaves out what a login prints before the head. */
function fromHead(
  push: (bytes: Uint8Array) => void,
  refusal: (what: string) => AppError,
): (bytes: Uint8Array) => void {
  let noise: Buffer | null = Buffer.alloc(0);
  return (bytes) => {
    if (noise === null) {
      push(bytes);
      return;
    }
    noise = Buffer.concat([noise, bytes]);
    const at = noise.indexOf(headMark);
    if (at === -1) {
      if (noise.length > longestNoise) throw refusal(`no head in its first ${longestNoise} bytes`);
      return;
    }
    const head = noise.subarray(Math.max(0, noise[at - 1] === 0x22 ? at - 1 : at));
    noise = null;
    push(head);
  };
}

/** Zones differ by quarters of an hour. */
const quarterMs = 900_000;

/**
 * How much later than UTC a host prints its times: the nearest quarter of an hour to what its clock
 * really says. Heads name a zone and do not agree on its sign.
 */
export const zoneOf = (printedMs: number, hostNowMs: number): number =>
  Math.round((printedMs - hostNowMs) / quarterMs) * quarterMs;
