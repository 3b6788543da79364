import { fail } from '../../../../src/core/base/errors.ts';
import type { PowerSource } from '../../../../src/core/testbed/powerSources.ts';
import type { Identity, TestReport } from '../../../../src/wire/contract/connections.ts';
import type { MeterKeys, PowerMeter, PowerReading } from '../../deps/power.ts';
import { createFreshReadings, createValueGate } from '../../metrics/freshReadings.ts';
import { probe, readIdentity } from '../../tls/probe.ts';
import type { Endpoint } from '../../tls/tls.ts';
import type { MeterGround } from '../ground.ts';
import { secondsWords, uncertaintyWords, windowWords } from '../meterFacts.ts';
import { assumedUpdateMs, measureRefresh } from '../refresh.ts';
import { historyPath, historyStepMs, readHistory } from './history.ts';
import { type Candidate, chosenReading, findReadings, numberOf, pointedAt } from './readings.ts';
import { createRedfishSession, type RedfishSession } from './session.ts';

export type RedfishSource = Extract<PowerSource, { type: 'redfish' }>;

/** A history is read so often: it has 20 minutes, and 61 kB. */
const historyEveryMs = 30_000;

const endpointOf = ({ host, port, fingerprint256 }: RedfishSource, name: string): Endpoint => ({
  what: 'management controller',
  name,
  host,
  port,
  fingerprint256,
});

const sessionOf = (
  source: RedfishSource,
  { name, clock, log }: MeterGround,
  secret: () => Promise<string>,
): RedfishSession =>
  createRedfishSession({ to: endpointOf(source, name), user: source.user, secret, clock, log });

export const identifyRedfish = (
  source: RedfishSource,
  name: string,
  signal?: AbortSignal,
): Promise<Identity> => readIdentity(endpointOf(source, name), signal);

interface Way {
  path: string;
  pointer: string;
  label: string;
  history: string | null;
}

/** Finds what is to be read: the chosen reading, or the machine's by rule. */
async function findWay(
  source: RedfishSource,
  session: RedfishSession,
  name: string,
  signal?: AbortSignal,
): Promise<{ way: Way; candidates: Candidate[] }> {
  const candidates =
    source.reading === undefined || source.reading === ''
      ? await findReadings(session, signal)
      : [];
  const chosen = source.reading || chosenReading(candidates)?.reading;
  if (chosen === undefined) {
    const silent = candidates.filter(({ rank }) => rank !== null).length;
    throw fail(
      'notFound',
      silent > 0
        ? `The management controller ${name} says 0 W or nothing: the server has no power meter, or is off.`
        : `The management controller ${name} tells no watts of the whole machine.`,
      candidates.length > silent
        ? 'Choose one of its readings by hand, or another power source.'
        : 'Switch the server on, or use another power source: a PDU or a metered plug.',
    );
  }
  const [path = '', pointer = ''] = chosen.split('#');
  const { body } = await session.get(path, signal);
  const isControl = pointer.startsWith('/PowerControl/0/');
  return {
    candidates,
    way: {
      path,
      pointer,
      label: candidates.find(({ reading }) => reading === chosen)?.label ?? chosen,
      history: isControl ? historyPath(body) : null,
    },
  };
}

async function readNow(
  session: RedfishSession,
  { path, pointer }: Way,
  name: string,
  signal?: AbortSignal,
): Promise<{ watts: number; body: unknown; offsetMs: number | null }> {
  const { body, offsetMs } = await session.get(path, signal);
  const watts = numberOf(pointedAt(body, pointer));
  if (watts === null)
    throw fail(
      'notFound',
      `The management controller ${name} has no number at ${path}#${pointer}.`,
      'Empty the reading to have it found again, or choose another in Connections.',
    );
  if (watts <= 0)
    throw fail(
      'unreachable',
      `The management controller ${name} says ${watts} W: that is no reading.`,
      'A server that is on takes power: its meter is away, or starts. It is asked again.',
    );
  return { watts, body, offsetMs };
}

/** Time a sensor says of its reading, by our clock; null = it says none, or 1970. */
function readingTime(body: unknown, pointer: string, offsetMs: number | null): number | null {
  const said = pointer === '/Reading' ? pointedAt(body, '/ReadingTime') : null;
  const tMs = typeof said === 'string' ? Date.parse(said) : NaN;
  return Number.isFinite(tMs) && tMs > Date.UTC(2010) && offsetMs !== null ? tMs - offsetMs : null;
}

/**
 * The watts a management controller tells of its server. Where it keeps a history that is read, so
 * that what was missed comes later; else the present value, once for each time it is measured.
 */
export function openRedfish(source: RedfishSource, ground: MeterGround & MeterKeys): PowerMeter {
  const { name, clock, measuredMs, secret } = ground;
  const session = sessionOf(source, ground, secret);
  const isNew = createValueGate();
  const dated = createFreshReadings(1_000);
  let way: Way | null = null;
  let readHistoryAtMs = -Infinity;

  const known = async (signal?: AbortSignal): Promise<Way> =>
    (way ??= (await findWay(source, session, name, signal)).way);

  const fromHistory = async (
    path: string,
    sinceMs: number,
    signal?: AbortSignal,
  ): Promise<PowerReading[] | null> => {
    const { body, offsetMs } = await session.get(path, signal);
    const readings = offsetMs === null ? null : readHistory(body, offsetMs);
    readHistoryAtMs = clock.now();
    // The controller's clock is known to a second: what is less than half a step newer is the last.
    return readings?.filter(({ tMs }) => tMs > sinceMs + historyStepMs / 2) ?? null;
  };

  return {
    source: `Redfish on ${source.host}`,
    periodMs: source.periodMs,
    lagMs: measuredMs ?? assumedUpdateMs,
    decimals: 0,
    async read(signal, sinceMs = null) {
      const at = await known(signal);
      if (at.history !== null) {
        const nowMs = clock.now();
        if (nowMs - readHistoryAtMs < historyEveryMs) return [];
        const readings = await fromHistory(
          at.history,
          sinceMs ?? nowMs - historyStepMs * 3,
          signal,
        );
        if (readings !== null) return readings;
        way = { ...at, history: null };
      }
      const { watts, body, offsetMs } = await readNow(session, at, name, signal);
      const tMs = clock.now();
      const saidMs = readingTime(body, at.pointer, offsetMs);
      if (saidMs !== null) return dated.take(0, saidMs) ? [{ watts, tMs: saidMs }] : [];
      return isNew(watts, tMs, measuredMs ?? assumedUpdateMs) ? [{ watts, tMs }] : [];
    },
    async flush(sinceMs, signal) {
      if (!way?.history) return [];
      return (await fromHistory(way.history, sinceMs, signal)) ?? [];
    },
    async about(signal) {
      const { history, label } = await known(signal);
      return {
        scope: `the machine (${label})`,
        updateMs: history === null ? measuredMs : historyStepMs,
        lagMs: history === null ? (measuredMs ?? assumedUpdateMs) : historyEveryMs + historyStepMs,
        windowMs: history === null ? (source.windowMs ?? null) : historyStepMs,
        uncertaintyPct: source.uncertaintyPct ?? null,
      };
    },
    close: () => session.close(),
  };
}

/** Walks to a login, lists what there is in watts, and watches how often a new value comes. */
export async function testRedfish(
  source: RedfishSource,
  ground: MeterGround & { secret: string },
  signal?: AbortSignal,
): Promise<TestReport> {
  const { name, clock } = ground;
  const session = sessionOf(source, ground, () => Promise.resolve(ground.secret));
  let way: Way | null = null;
  let updateMs: number | null = null;
  let candidates: Candidate[] = [];
  try {
    const report = await probe(
      endpointOf(source, name),
      [
        [
          'authentication',
          () => session.login(signal),
          'Check user and password; a role that may read is enough.',
        ],
        [
          'reading',
          async () => {
            candidates = await findReadings(session, signal);
            ({ way } = await findWay(source, session, name, signal));
            const { watts } = await readNow(session, way, name, signal);
            return `${watts} W of ${labelOf(candidates, way)}. ${uncertaintyWords(source.uncertaintyPct)}`;
          },
          'Choose another reading, or another power source.',
        ],
        [
          'refresh',
          async () => {
            if (way!.history !== null) {
              updateMs = historyStepMs;
              return (
                `The controller keeps 20 minutes of ${secondsWords(historyStepMs)} means: read every ` +
                `${secondsWords(historyEveryMs)}, gaps are filled later.`
              );
            }
            const measured = await measureRefresh(
              async () => (await readNow(session, way!, name, signal)).watts,
              clock,
              signal,
            );
            ({ updateMs } = measured);
            return `${measured.words} ${windowWords(source.windowMs ?? null)}`;
          },
          'Test again.',
        ],
      ],
      { signal },
    );
    return {
      ...report,
      updateMs,
      ...(candidates.length > 0 ? { readings: readingsOf(candidates, way) } : {}),
    };
  } finally {
    await session.close();
  }
}

const readingIn = ({ path, pointer }: Way): string => `${path}#${pointer}`;
const labelOf = (candidates: readonly Candidate[], way: Way): string =>
  candidates.find(({ reading }) => reading === readingIn(way))?.label ?? way.label;

const readingsOf = (
  candidates: readonly Candidate[],
  way: Way | null,
): NonNullable<TestReport['readings']> =>
  candidates.map(({ reading, label, watts }) => ({
    reading,
    label,
    watts,
    chosen: way !== null && reading === readingIn(way),
  }));
