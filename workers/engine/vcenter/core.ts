import { AppError, fail, toAppError } from '../../../src/core/base/errors.ts';
import type { VCenterConnection } from '../../../src/core/testbed/testbed.ts';
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

/** Session state of one vCenter. Nothing is sent before `login`. */
export function createCore(
  deps: { clock: Clock; log: Log },
  connection: VCenterConnection,
  password: string,
  transport: Transport,
): Core {
  const { clock, log } = deps;
  let cookie: string | null = null;
  let content: ServiceContent | null = null;
  let key = '';
  let generation = 0;
  let pendingLogin: Promise<void> | null = null;
  let refused: { error: AppError; atMs: number } | null = null;
  let closed = false;

  const call: Core['call'] = async (
    method,
    target,
    args = '',
    { signal, limitMs = callLimitMs, repeatable = true } = {},
  ) => {
    if (closed && method !== 'Logout')
      throw fail('conflict', `The session with vCenter ${connection.name} was closed.`);
    if (signal?.aborted)
      throw fail('aborted', `${method} on vCenter ${connection.name} was cancelled.`);
    const answer = await transport.post(envelope(method, target, args), {
      soapAction: `urn:vim25/${content?.about.apiVersion || firstVersion}`,
      cookie,
      limitMs,
      repeatable,
      signal,
    });
    if (answer.cookie) cookie = answer.cookie;
    return openEnvelope(`${method} on vCenter ${connection.name}`, answer.root);
  };
  const contentOf = (): ServiceContent => {
    if (!content) throw fail('conflict', `vCenter ${connection.name} was used before its login.`);
    return content;
  };

  const doLogin = async (signal?: AbortSignal): Promise<void> => {
    if (refused && clock.now() - refused.atMs < refusedPauseMs) throw refused.error;
    // A login on an old session is refused.
    cookie = null;
    const what = `Login to vCenter ${connection.name}`;
    content = decodeServiceContent(
      what,
      await call('RetrieveServiceContent', serviceInstance, '', { signal }),
    );
    try {
      const session = returned(
        await call(
          'Login',
          content.sessionManager,
          element('userName', connection.user) + element('password', password),
          { signal, repeatable: false },
        ),
      )[0];
      key = textOf(child(session, 'key')) ?? '';
      refused = null;
      generation += 1;
    } catch (error) {
      if (error instanceof AppError && error.kind === 'authFailed')
        refused = { error, atMs: clock.now() };
      throw error;
    }
  };
  /** One login at a time, whoever asks. */
  const login = (signal?: AbortSignal): Promise<void> => {
    pendingLogin ??= doLogin(signal).finally(() => {
      pendingLogin = null;
    });
    return pendingLogin;
  };

  return {
    connection,
    clock,
    log,
    call,
    login,
    content: contentOf,
    sessionKey: () => key,
    generation: () => generation,
    async withLogin(work, signal) {
      const before = generation;
      try {
        return await work();
      } catch (error) {
        if (!isNotAuthenticated(error) || closed) throw error;
        // Another call may have logged in meanwhile.
        if (generation === before) {
          log.info('The vCenter session has ended: logging in again', { vcenter: connection.name });
          // Shared by all callers: the signal of one must not end it for the others.
          await login();
          if (signal?.aborted)
            throw fail('aborted', `The call to vCenter ${connection.name} was cancelled.`);
        }
        return work();
      }
    },
    async logout() {
      if (closed) return;
      closed = true;
      try {
        if (content && cookie) await call('Logout', content.sessionManager, '', { limitMs: 5_000 });
      } catch (error) {
        log.debug('The vCenter session was not ended in order', {
          vcenter: connection.name,
          error: toAppError(error).message,
        });
      } finally {
        transport.close();
      }
    },
  };
}
