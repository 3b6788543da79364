import { fail } from '../../../../src/core/base/errors.ts';
import type { LineClient } from './lines.ts';

/*
 * The protocol of SPEC PTDaemon as public clients of it speak it (MLCommons power-dev,
 * ptd_client_server/lib/server.py; SPECpower's guide): a command a line, an answer a line, and
 * `RL` with the unread samples.
 */

/** A sample: watts, and the time PTDaemon wrote it, in the zone of its machine, taken as UTC. */
export interface PtdSample {
  localMs: number;
  watts: number;
}
export interface PtdSamples {
  samples: PtdSample[];
  /** Samples whose watts stand for none: -1 not measured, -2 the meter is away. */
  lost: boolean;
}

const one = (): number => 0;

/** Greets, and gives what the meter is. Throws notFound where this is no PTDaemon. */
export async function greet(client: LineClient, signal?: AbortSignal): Promise<string> {
  const [hello = ''] = await client.ask('Hello', one, signal);
  if (!/PTDaemon/i.test(hello))
    throw fail(
      'notFound',
      `What answers there is no PTDaemon: "${hello.slice(0, 80)}".`,
      'Check address and port: 8888 where it was not set.',
    );
  const [identity = ''] = await client.ask('Identify', one, signal);
  const model = identity.split(',')[0] ?? '';
  if (/mode=temperature/i.test(identity))
    throw fail(
      'notFound',
      `${model} measures temperature, not power.`,
      'Name the port of the PTDaemon of the power meter.',
    );
  return model === '' ? 'a meter without a name' : model;
}

/** Sets a range, `A` or `V`. Throws conflict with PTDaemon's words where it refuses. */
export async function setRange(
  client: LineClient,
  of: 'A' | 'V',
  range: string,
  signal?: AbortSignal,
): Promise<void> {
  const [answer = ''] = await client.ask(`SR,${of},${range}`, one, signal);
  if (!/changed/i.test(answer))
    throw fail(
      'conflict',
      `PTDaemon does not set the range ${range} ${of}: ${answer.slice(0, 120)}.`,
      'Choose a range of the meter, or leave it as it stands.',
    );
}

/** The ranges as they are, in words. */
export async function rangeWords(client: LineClient, signal?: AbortSignal): Promise<string> {
  const [answer = ''] = await client.ask('RR', one, signal);
  const [, ampAuto, amps, voltAuto, volts] = answer.split(',');
  if (!answer.startsWith('Ranges,') || volts === undefined) return 'Ranges: not told.';
  const isAuto = ampAuto === '1' || voltAuto === '1';
  const isFixed = ampAuto === '0' && voltAuto === '0';
  return isAuto
    ? 'It chooses ranges by itself, which SPEC forbids in a submission: set them.'
    : isFixed
      ? `Ranges ${amps} A, ${volts} V.`
      : 'Ranges: not told.';
}

/** Starts measuring. Throws conflict where somebody measures already. */
export async function start(
  client: LineClient,
  intervalMs: number,
  signal?: AbortSignal,
): Promise<void> {
  const [answer = ''] = await client.ask(`Go,${intervalMs},0,tilebench`, one, signal);
  if (!/^Starting/i.test(answer))
    throw fail(
      'conflict',
      `PTDaemon does not begin to measure: ${answer.slice(0, 120)}.`,
      'Somebody else may measure with it: let that end, or start PTDaemon again.',
    );
}

export const stop = (client: LineClient, signal?: AbortSignal): Promise<string[]> =>
  client.ask('Stop', one, signal);

/** Samples that were not read yet. */
export async function readSamples(client: LineClient, signal?: AbortSignal): Promise<PtdSamples> {
  const [head = '', ...lines] = await client.ask(
    'RL',
    (first) => Number(/^Last (\d+) samples?/i.exec(first)?.[1] ?? 0),
    signal,
  );
  if (!/^(Last|No unread|No data|Insufficient)/i.test(head))
    throw fail('conflict', `PTDaemon gives no samples: ${head.slice(0, 120)}.`, 'Start it again.');
  const samples: PtdSample[] = [];
  let lost = false;
  for (const line of lines) {
    const [, time = '', watts = ''] = /^Time,([^,]+),Watts,(-?[\d.]+)/.exec(line) ?? [];
    const localMs = timeOf(time);
    const value = Number(watts);
    if (watts === '' || localMs === null || !Number.isFinite(value)) continue;
    // Several channels: the sum stands first.
    if (value < 0) lost = true;
    else samples.push({ localMs, watts: value });
  }
  return { samples, lost };
}

/** `11-23-2026 14:05:09.250`. */
function timeOf(text: string): number | null {
  const parts = /^(\d{2})-(\d{2})-(\d{4}) (\d{2}):(\d{2}):(\d{2})\.(\d{3})$/.exec(text);
  if (!parts) return null;
  const [month, day, year, hour, minute, second, ms] = parts.slice(1).map(Number);
  return Date.UTC(year!, month! - 1, day, hour, minute, second, ms);
}
