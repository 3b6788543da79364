import { AppError, fail, toAppError } from '../../../src/core/base/errors.ts';
import type { VCenterConnection } from '../../../src/core/testbed/connection.ts';
import type { Clock, Log } from '../deps.ts';
import {
  decodeServiceContent,
  element,
  envelope,
  isNotAuthenticated,
  type MoRef,
  openEnvelope,
  returned,
  type ServiceContent,
} from './soap.ts';
import type { Transport } from './transport.ts';
import { child, textOf, type XmlNode } from './xml.ts';

export interface CallOptions {
  signal?: AbortSignal | undefined;
  limitMs?: number;
  /** False for what must not happen twice. */
  repeatable?: boolean;
}

/** A logged-in connection that all calls go through. */
export interface Core {
  readonly connection: VCenterConnection;
  readonly clock: Clock;
  readonly log: Log;
  /** One method; gives the `<…Response>` element. Faults throw. */
  call(method: string, target: MoRef, args?: string, options?: CallOptions): Promise<XmlNode>;
  content(): ServiceContent;
  sessionKey(): string;
  /** Counts logins: what belongs to a session (views, cached counters) is void when it changes. */
  generation(): number;
  /**
   * Does the work; after NotAuthenticated, in either of its forms, logs in again and does it once
   * more.
   */
  withLogin<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  login(signal?: AbortSignal): Promise<void>;
  logout(): Promise<void>;
}

const serviceInstance: MoRef = { type: 'ServiceInstance', id: 'ServiceInstance' };
/** Known to every vCenter since 6.5; the real version is asked for before the login. */
const firstVersion = '6.5';
const callLimitMs = 60_000;
/** After a refused login the next try waits: many tries a minute would lock the account. */
const refusedPauseMs = 60_000;

interface Context {
  clock: Clock;
  log: Log;
  connection: VCenterConnection;
  password: string;
  transport: Transport;
  /** Session state of one vCenter. */
  state: {
    cookie: string | null;
    content: ServiceContent | null;
    key: string;
    generation: number;
    pendingLogin: Promise<void> | null;
    refused: { error: AppError; atMs: number } | null;
    closed: boolean;
  };
}

/** The calls to one vCenter, and the session they belong to. Nothing is sent before `login`. */
export function createCore(
  deps: { clock: Clock; log: Log },
  connection: VCenterConnection,
  password: string,
  transport: Transport,
): Core {
  const { clock, log } = deps;
  const state: Context['state'] = {
    cookie: null,
    content: null,
    key: '',
    generation: 0,
    pendingLogin: null,
    refused: null,
    closed: false,
  };
  const context: Context = { clock, log, connection, password, transport, state };
  return {
    connection,
    clock,
    log,
    call: (method, target, args, options) => callMethod(context, method, target, args, options),
    login: (signal) => loginOnce(context, signal),
    content: () => {
      if (!state.content)
        throw fail('conflict', `vCenter ${connection.name} was used before its login.`);
      return state.content;
    },
    sessionKey: () => state.key,
    generation: () => state.generation,
    withLogin: (work, signal) => workWithLogin(context, work, signal),
    logout: () => endSession(context),
  };
}

async function callMethod(
  { connection, transport, state }: Context,
  method: string,
  target: MoRef,
  args = '',
  { signal, limitMs = callLimitMs, repeatable = true }: CallOptions = {},
): Promise<XmlNode> {
  if (state.closed && method !== 'Logout')
    throw fail('conflict', `The session with vCenter ${connection.name} was closed.`);
  if (signal?.aborted)
    throw fail('aborted', `${method} on vCenter ${connection.name} was cancelled.`);
  const answer = await transport.post(envelope(method, target, args), {
    soapAction: `urn:vim25/${state.content?.about.apiVersion || firstVersion}`,
    cookie: state.cookie,
    limitMs,
    repeatable,
    signal,
  });
  if (answer.cookie) state.cookie = answer.cookie;
  return openEnvelope(`${method} on vCenter ${connection.name}`, answer.root);
}

/** One login at a time, whoever asks. */
function loginOnce(context: Context, signal?: AbortSignal): Promise<void> {
  const { state } = context;
  state.pendingLogin ??= login(context, signal).finally(() => {
    state.pendingLogin = null;
  });
  return state.pendingLogin;
}

async function login(context: Context, signal?: AbortSignal): Promise<void> {
  const { clock, connection, password, state } = context;
  if (state.refused && clock.now() - state.refused.atMs < refusedPauseMs) throw state.refused.error;
  // A login on an old session is refused.
  state.cookie = null;
  const content = decodeServiceContent(
    `Login to vCenter ${connection.name}`,
    await callMethod(context, 'RetrieveServiceContent', serviceInstance, '', { signal }),
  );
  state.content = content;
  try {
    const session = returned(
      await callMethod(
        context,
        'Login',
        content.sessionManager,
        element('userName', connection.user) + element('password', password),
        { signal, repeatable: false },
      ),
    )[0];
    state.key = textOf(child(session, 'key')) ?? '';
    state.refused = null;
    state.generation += 1;
  } catch (error) {
    if (error instanceof AppError && error.kind === 'authFailed')
      state.refused = { error, atMs: clock.now() };
    throw error;
  }
}

async function workWithLogin<T>(
  context: Context,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const { log, connection, state } = context;
  const before = state.generation;
  try {
    return await work();
  } catch (error) {
    if (!isNotAuthenticated(error) || state.closed) throw error;
    // Another call may have logged in meanwhile.
    if (state.generation === before) {
      log.info('The vCenter session has ended: logging in again', { vcenter: connection.name });
      // Shared by all callers: the signal of one must not end it for the others.
      await loginOnce(context);
      if (signal?.aborted)
        throw fail('aborted', `The call to vCenter ${connection.name} was cancelled.`);
    }
    return work();
  }
}

async function endSession(context: Context): Promise<void> {
  const { log, connection, transport, state } = context;
  if (state.closed) return;
  state.closed = true;
  try {
    if (state.content && state.cookie)
      await callMethod(context, 'Logout', state.content.sessionManager, '', { limitMs: 5_000 });
  } catch (error) {
    log.debug('The vCenter session was not ended in order', {
      vcenter: connection.name,
      error: toAppError(error).message,
    });
  } finally {
    transport.close();
  }
}
