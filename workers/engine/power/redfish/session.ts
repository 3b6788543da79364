import { type AppError, fail } from '../../../../src/core/base/errors.ts';
import type { Clock, Log } from '../../deps.ts';
import type { Endpoint } from '../../tls/tls.ts';
import { createJsonClient, type JsonAnswer, type JsonClient } from '../jsonClient.ts';

const callLimitMs = 15_000;
const logoutLimitMs = 5_000;
/** After a refused password nothing is tried for so long: a controller locks accounts. */
const refusedPauseMs = 60_000;
/** Longest wait that a busy controller may ask for. */
const longestRetryMs = 60_000;
const sessionsPath = '/redfish/v1/SessionService/Sessions';

export interface RedfishAnswer {
  body: unknown;
  /** The controller's clock less ours, in ms, to the second of its `Date`; null = it tells none. */
  offsetMs: number | null;
}

/** One controller, and the one session that is kept with it. */
export interface RedfishSession {
  /**
   * Reads a resource, logged in. Throws AppError: authFailed, notFound, unreachable (also where it
   * is busy), timedOut, untrusted.
   */
  get(path: string, signal?: AbortSignal): Promise<RedfishAnswer>;
  /** Logs in, if need be; says how. */
  login(signal?: AbortSignal): Promise<string>;
  /** Ends the session; throws nothing. */
  close(): Promise<void>;
}

type Access =
  { by: 'session'; token: string; location: string | null } | { by: 'basic'; header: string };

interface Context {
  to: Endpoint;
  user: string;
  secret: () => Promise<string>;
  clock: Pick<Clock, 'now'>;
  log: Log;
  client: JsonClient;
  state: {
    access: Access | null;
    opening: Promise<Access> | null;
    /** An answer that stands until then: nothing is sent before. */
    holdOff: { error: AppError; untilMs: number } | null;
    closed: boolean;
  };
}

/**
 * Sessions of Redfish (DSP0266): one is opened at the first call, ended at `close`. A controller
 * that gives no token is asked with Basic authentication.
 */
export function createRedfishSession(
  options: Pick<Context, 'to' | 'user' | 'secret' | 'clock' | 'log'>,
): RedfishSession {
  const context: Context = {
    ...options,
    client: createJsonClient(options.to, { isPlain: false }),
    state: { access: null, opening: null, holdOff: null, closed: false },
  };
  return {
    get: (path, signal) => get(context, path, signal),
    async login(signal) {
      const access = await accessOf(context, signal);
      return access.by === 'session'
        ? `${options.user} has a session.`
        : `${options.user} is known with each call (Basic): the controller gives no session.`;
    },
    close: () => close(context),
  };
}

const peer = ({ to }: Context): string => `${to.what} ${to.name} (${to.host}:${to.port})`;

async function get(context: Context, path: string, signal?: AbortSignal): Promise<RedfishAnswer> {
  const access = await accessOf(context, signal);
  let answer = await send(context, path, access, signal);
  if (answer.status === 401 && access.by === 'session') {
    // Sessions end by themselves, and with the controller: one more try with a new one.
    if (context.state.access === access) context.state.access = null;
    answer = await send(context, path, await accessOf(context, signal), signal);
  }
  if (answer.status === 200 && typeof answer.body === 'object' && answer.body !== null) {
    const said = Date.parse(answer.headers.date ?? '');
    return {
      body: answer.body,
      offsetMs: Number.isFinite(said) ? said - context.clock.now() : null,
    };
  }
  throw refusal(context, path, answer);
}

function send(
  { client }: Context,
  path: string,
  access: Access,
  signal: AbortSignal | undefined,
): Promise<JsonAnswer> {
  return client.send({
    path,
    limitMs: callLimitMs,
    signal,
    headers:
      access.by === 'session' ? { 'x-auth-token': access.token } : { authorization: access.header },
  });
}

/** One login at a time, whoever asks. */
function accessOf(context: Context, signal?: AbortSignal): Promise<Access> {
  const { state, clock } = context;
  if (state.closed) throw fail('conflict', `The session with ${peer(context)} was closed.`);
  if (state.holdOff && clock.now() < state.holdOff.untilMs) throw state.holdOff.error;
  if (state.access) return Promise.resolve(state.access);
  state.opening ??= open(context, signal)
    .then((access) => (state.access = access))
    .finally(() => {
      state.opening = null;
    });
  return state.opening;
}

async function open(context: Context, signal?: AbortSignal): Promise<Access> {
  const { client, user, state } = context;
  const password = await context.secret();
  const answer = await client.send({
    method: 'POST',
    path: sessionsPath,
    body: { UserName: user, Password: password },
    limitMs: callLimitMs,
    signal,
  });
  const token = answer.headers['x-auth-token'];
  state.holdOff = null;
  if (answer.status < 300 && typeof token === 'string' && token !== '')
    return { by: 'session', token, location: sessionPath(answer) };
  if (answer.status < 300 || answer.status === 404 || answer.status === 405)
    return {
      by: 'basic',
      header: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
    };
  throw refusal(context, sessionsPath, answer);
}

/** Where the session is ended: `Location`, with or without the host, or what the answer says. */
function sessionPath({ headers, body }: JsonAnswer): string | null {
  const said = headers.location ?? (body as { '@odata.id'?: unknown } | undefined)?.['@odata.id'];
  if (typeof said !== 'string') return null;
  const path = said.replace(/^https?:\/\/[^/]+/, '');
  return path.startsWith('/redfish/') ? path : null;
}

/** What an answer that is no reading means, and whether to wait before the next try. */
function refusal(context: Context, path: string, answer: JsonAnswer): AppError {
  const { state, clock, user } = context;
  const { status } = answer;
  const said = extendedInfo(answer.body);
  const holdOff = (error: AppError, ms: number): AppError => {
    state.holdOff = { error, untilMs: clock.now() + ms };
    return error;
  };
  if (status === 401 || (path === sessionsPath && (status === 400 || status === 403))) {
    state.access = null;
    return holdOff(
      fail(
        'authFailed',
        `${peer(context)} refuses the login of ${user} (HTTP ${status}${said}).`,
        'Check user and password; some controllers also refuse when too many sessions are open.',
      ),
      refusedPauseMs,
    );
  }
  if (status === 403)
    return fail(
      'authFailed',
      `${user} may not read ${path} of ${peer(context)} (HTTP 403${said}).`,
      'Give the user the role ReadOnly.',
    );
  if (status === 404)
    return fail(
      'notFound',
      `${peer(context)} has no ${path}.`,
      'Check that Redfish is on there, and empty the reading to have it found again.',
    );
  if (status === 503 || status === 429) {
    const seconds = Number(answer.headers['retry-after']);
    const waitMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 0;
    return holdOff(
      fail(
        'unreachable',
        `${peer(context)} is busy (HTTP ${status}${said}).`,
        'It is asked again; controllers are busy while the server starts or firmware is loaded.',
      ),
      Math.min(waitMs, longestRetryMs),
    );
  }
  return fail(
    'unreachable',
    status === 200
      ? `${peer(context)} answers ${path} with no JSON object.`
      : `${peer(context)} answers ${path} with HTTP ${status}${said}.`,
    'Check that address and port are those of a Redfish service.',
  );
}

/** `: its words`, where the error says any. */
function extendedInfo(body: unknown): string {
  const error = (body as { error?: Record<string, unknown> } | undefined)?.error;
  const info = error?.['@Message.ExtendedInfo'];
  const first = Array.isArray(info) ? (info[0] as { Message?: unknown } | undefined) : undefined;
  const words = first?.Message ?? error?.['message'];
  return typeof words === 'string' && words !== '' ? `: ${words.slice(0, 200)}` : '';
}

async function close(context: Context): Promise<void> {
  const { state, client, log, to } = context;
  if (state.closed) return;
  state.closed = true;
  try {
    // One that is being opened must not be left behind.
    const access = state.access ?? (await state.opening?.catch(() => null)) ?? null;
    if (access?.by === 'session' && access.location !== null)
      await client.send({
        method: 'DELETE',
        path: access.location,
        headers: { 'x-auth-token': access.token },
        limitMs: logoutLimitMs,
      });
  } catch (error) {
    log.debug('The session of a controller was not ended in order', {
      meter: to.name,
      error: String(error),
    });
  } finally {
    client.close();
  }
}
