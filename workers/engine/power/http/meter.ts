import { type AppError, fail } from '../../../../src/core/base/errors.ts';
import type { PowerSource } from '../../../../src/core/testbed/powerSources.ts';
import type { Identity, TestReport } from '../../../../src/wire/contract/connections.ts';
import type { MeterKeys, PowerMeter } from '../../deps/power.ts';
import { probe, readIdentity } from '../../tls/probe.ts';
import type { Endpoint } from '../../tls/tls.ts';
import type { MeterGround } from '../ground.ts';
import { createJsonClient, type JsonAnswer } from '../jsonClient.ts';
import { createPolledMeter, type Polled, type PolledBasis, polledSteps } from '../polled.ts';

export type HttpSource = Extract<PowerSource, { type: 'http' }>;

const callLimitMs = 10_000;
/** After a refused login nothing is tried for so long: some devices lock their users out. */
const refusedPauseMs = 60_000;

const endpointOf = ({ host, port, fingerprint256 }: HttpSource, name: string): Endpoint => ({
  what: 'meter',
  name,
  host,
  port,
  fingerprint256,
});

const basisOf = (source: HttpSource): PolledBasis => ({
  source: `HTTP on ${source.host}`,
  periodMs: source.periodMs,
  gives: source.gives,
  scope: source.scope,
  uncertaintyPct: source.uncertaintyPct,
  windowMs: source.windowMs,
});

export const identifyHttp = (
  source: HttpSource,
  name: string,
  signal?: AbortSignal,
): Promise<Identity> => readIdentity(endpointOf(source, name), signal);

/** What a URL cannot hold is escaped; what is escaped already stays. */
export const escaped = (request: string): string =>
  request.replace(/[^\x21-\x7e]|["<>\\^`{|}]/gu, encodeURIComponent);

/** What stands in an answer at a dotted path; undefined = nothing. */
export function valueAt(body: unknown, path: string): unknown {
  let at = body;
  for (const key of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

/** A number, or one written as text as Prometheus does; null = neither. */
function numeric(value: unknown): number | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const number = typeof value === 'string' && value.trim() === '' ? NaN : Number(value);
  return Number.isFinite(number) ? number : null;
}

/** Asks and reads: one connection, kept. */
function createReader(
  source: HttpSource,
  { name, clock }: MeterGround,
  secret: () => Promise<string>,
): { read: (signal?: AbortSignal) => Promise<Polled>; close: () => void } {
  const to = endpointOf(source, name);
  const client = createJsonClient(to, { isPlain: source.scheme === 'http' });
  const peer = `meter ${name} (${source.host}:${source.port})`;
  let refused: { error: AppError; untilMs: number } | null = null;
  const headers = async (): Promise<Record<string, string>> => {
    if (source.auth === 'none') return {};
    const known = await secret();
    return {
      authorization:
        source.auth === 'bearer'
          ? `Bearer ${known}`
          : `Basic ${Buffer.from(`${source.user ?? ''}:${known}`).toString('base64')}`,
    };
  };
  return {
    close: () => client.close(),
    async read(signal) {
      if (refused && clock.now() < refused.untilMs) throw refused.error;
      const answer = await client.send({
        path: escaped(source.request),
        headers: await headers(),
        limitMs: callLimitMs,
        signal,
      });
      if (answer.status !== 200) {
        const error = refusal(peer, source, answer);
        if (error.kind === 'authFailed') refused = { error, untilMs: clock.now() + refusedPauseMs };
        throw error;
      }
      return readingOf(peer, source, answer);
    },
  };
}

function readingOf(peer: string, source: HttpSource, { body, text }: JsonAnswer): Polled {
  if (body === undefined)
    throw fail(
      'notFound',
      `The ${peer} answers with no JSON: "${text.slice(0, 80)}".`,
      'Check port and request: it must be the one that answers in JSON.',
    );
  const found = numeric(valueAt(body, source.path));
  if (found === null)
    throw fail(
      'notFound',
      `The ${peer} has no number at ${source.path}: "${text.slice(0, 120)}".`,
      'Correct where the number is; of a query, see that it has a result now.',
    );
  // To twelve digits: a factor such as 0.1 must not show the noise of binary fractions.
  const value = Number((found * source.factor).toPrecision(12));
  if (value < 0)
    throw fail(
      'notFound',
      `The ${peer} says ${found} at ${source.path}: less than nothing is no reading.`,
      'Many devices say -1 for what they do not measure; a clamp the wrong way round counts backwards.',
    );
  const said = source.timePath ? valueAt(body, source.timePath) : undefined;
  const mark = typeof said === 'string' || typeof said === 'number' ? String(said) : null;
  return { value, mark };
}

function refusal(peer: string, { auth, request }: HttpSource, { status }: JsonAnswer): AppError {
  if (status === 401 || status === 403)
    return fail(
      'authFailed',
      `The ${peer} refuses ${auth === 'none' ? 'who does not log in' : 'the login'} (HTTP ${status}).`,
      auth === 'none' ? 'Choose a login.' : 'Check user and password, or the token.',
    );
  if (status >= 300 && status < 400)
    return fail(
      'unreachable',
      `The ${peer} leads elsewhere (HTTP ${status}), which is not followed.`,
      'Name the place itself: its transport, address and request.',
    );
  if (status === 404)
    return fail('notFound', `The ${peer} has no ${request}.`, 'Correct the request.');
  return fail(
    'unreachable',
    `The ${peer} answers HTTP ${status}.`,
    'It is asked again; check the device.',
  );
}

export function openHttp(source: HttpSource, ground: MeterGround & MeterKeys): PowerMeter {
  const { read, close } = createReader(source, ground, ground.secret);
  return createPolledMeter(basisOf(source), ground, read, close);
}

/** Walks to the answer, reads its number, and watches how often a new one comes. */
export async function testHttp(
  source: HttpSource,
  ground: MeterGround & { secret: string },
  signal?: AbortSignal,
): Promise<TestReport> {
  const { read, close } = createReader(source, ground, () => Promise.resolve(ground.secret));
  const { steps, measured } = polledSteps(basisOf(source), ground, read, signal);
  try {
    const report = await probe(endpointOf(source, ground.name), steps, {
      signal,
      isPlain: source.scheme === 'http',
    });
    return { ...report, ...measured() };
  } finally {
    close();
  }
}
