import { fail } from '../../../../src/core/base/errors.ts';
import type { PowerSource } from '../../../../src/core/testbed/powerSources.ts';
import type { TestReport } from '../../../../src/wire/contract/connections.ts';
import type { Log } from '../../deps.ts';
import type { MeterKeys, PowerMeter, PowerReading } from '../../deps/power.ts';
import { probe } from '../../tls/probe.ts';
import type { MeterGround } from '../ground.ts';
import { secondsWords, uncertaintyWords } from '../meterFacts.ts';
import { type LineClient, openLines } from './lines.ts';
import * as protocol from './protocol.ts';

export type PtdSource = Extract<PowerSource, { type: 'ptd' }>;

const stopLimitMs = 5_000;
/** A first sample may take its time: a meter on USB starts in 17 s. */
const firstSampleTries = 25;

/** Connects, sets the ranges and starts to measure. */
async function begin(
  source: PtdSource,
  wasOurs: boolean,
  signal?: AbortSignal,
): Promise<{ client: LineClient; model: string }> {
  const client = await openLines(source.host, source.port, signal);
  try {
    const model = await protocol.greet(client, signal);
    // What we began before the connection broke still runs; somebody else's is not ended.
    if (wasOurs) await protocol.stop(client, signal);
    for (const [of, range] of [
      ['V', source.voltsRange],
      ['A', source.ampsRange],
    ] as const)
      if (range !== undefined) await protocol.setRange(client, of, range, signal);
    await protocol.start(client, source.periodMs, signal);
    return { client, model };
  } catch (error) {
    client.close();
    throw error;
  }
}

async function endIn(client: LineClient, log: Log): Promise<void> {
  try {
    await protocol.stop(client, AbortSignal.timeout(stopLimitMs));
  } catch (error) {
    log.debug('PTDaemon was not stopped in order', { error: String(error) });
  } finally {
    client.close();
  }
}

const away = (source: PtdSource): Error =>
  fail(
    'unreachable',
    `PTDaemon ${source.host}:${source.port} has lost its meter.`,
    'Check the meter and its cable, then start PTDaemon again: it does not find the meter by itself.',
  );

/**
 * A meter behind PTDaemon: it measures while this is open, and its unread samples are taken each
 * time, with their own times. Those are of its machine's zone and clock: the least difference
 * between a sample and its arrival aligns them.
 */
export function openPtd(source: PtdSource, { clock, log }: MeterGround & MeterKeys): PowerMeter {
  let opening: Promise<LineClient> | null = null;
  let wasOurs = false;
  let alignMs = Infinity;
  const open = async (signal?: AbortSignal): Promise<LineClient> => {
    const { client } = await begin(source, wasOurs, signal);
    wasOurs = true;
    return client;
  };
  return {
    source: `PTDaemon on ${source.host}`,
    periodMs: source.periodMs,
    lagMs: source.periodMs,
    decimals: 2,
    async read(signal): Promise<PowerReading[]> {
      opening ??= open(signal);
      try {
        const client = await opening;
        const { samples, lost } = await protocol.readSamples(client, signal);
        const nowMs = clock.now();
        for (const { localMs } of samples) alignMs = Math.min(alignMs, nowMs - localMs);
        if (samples.length === 0 && lost) throw away(source);
        return samples.map(({ localMs, watts }) => ({ watts, tMs: localMs + alignMs }));
      } catch (error) {
        void opening?.then(
          (client) => client.close(),
          () => undefined,
        );
        opening = null;
        throw error;
      }
    },
    about: () =>
      Promise.resolve({
        scope: source.scope ?? 'what the meter feeds',
        updateMs: source.periodMs,
        lagMs: 2 * source.periodMs,
        windowMs: source.periodMs,
        uncertaintyPct: source.uncertaintyPct ?? null,
      }),
    async close() {
      const client = await opening?.catch(() => null);
      opening = null;
      if (client) await endIn(client, log);
    },
  };
}

/** Greets, sets the ranges, measures until a first sample came, and stops. */
export async function testPtd(
  source: PtdSource,
  { name, clock, log }: MeterGround,
  signal?: AbortSignal,
): Promise<TestReport> {
  const to = {
    what: 'PTDaemon',
    name,
    host: source.host,
    port: source.port,
    fingerprint256: undefined,
  };
  let client: LineClient | null = null;
  try {
    const report = await probe(
      to,
      [
        [
          'permission',
          async () => {
            const begun = await begin(source, false, signal);
            ({ client } = begun);
            return `${begun.model} measures. ${await protocol.rangeWords(client, signal)}`;
          },
          'Check that PTDaemon runs and nobody else measures with it.',
        ],
        [
          'reading',
          async () => {
            for (let tries = 0; tries < firstSampleTries; tries += 1) {
              await clock.sleep(source.periodMs, signal);
              const { samples, lost } = await protocol.readSamples(client!, signal);
              const last = samples.at(-1);
              if (last)
                return (
                  `${last.watts} W${source.scope ? ` of ${source.scope}` : ''}. ` +
                  uncertaintyWords(source.uncertaintyPct)
                );
              if (lost) throw away(source);
            }
            throw fail(
              'timedOut',
              'PTDaemon gave no sample.',
              'Check the meter, and start PTDaemon again.',
            );
          },
          'Check the meter and its cable.',
        ],
        [
          'refresh',
          () =>
            Promise.resolve(
              `A sample every ${secondsWords(source.periodMs)} as asked for, each the mean over it. ` +
                'This source was not yet run against the original PTDaemon.',
            ),
          'Test again.',
        ],
      ],
      { signal, isPlain: true },
    );
    return { ...report, updateMs: report.ok ? source.periodMs : null };
  } finally {
    if (client) await endIn(client, log);
  }
}
