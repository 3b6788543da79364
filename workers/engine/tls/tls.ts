import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import https from 'node:https';
import net from 'node:net';
import tls from 'node:tls';

import { AppError, fail } from '../../../src/core/base/errors.ts';
import { sayCode } from '../../../src/core/base/systemWords.ts';

/** Where a peer is and what it must present. */
export interface Endpoint {
  /** What it is, in words: `vCenter`. */
  what: string;
  name: string;
  host: string;
  port: number;
  fingerprint256: string | undefined;
}

const connectLimitMs = 10_000;
const place = (to: Endpoint): string => `${to.what} ${to.name} (${to.host}:${to.port})`;
/** Our own limit and the caller's signal as one. */
export function bounded(limitMs: number, signal?: AbortSignal): AbortSignal {
  const limit = AbortSignal.timeout(limitMs);
  return signal ? AbortSignal.any([signal, limit]) : limit;
}

/**
 * Any failure of the network as AppError; `signal` tells a cancelled call from one that took too
 * long.
 */
export function networkError(to: Endpoint, error: unknown, signal?: AbortSignal): AppError {
  if (error instanceof AppError) return error;
  if (signal?.aborted)
    return new AppError(
      { kind: 'aborted', message: `The call to ${place(to)} was cancelled.` },
      { cause: error },
    );
  const { code = '', name = '', message = String(error) } = error as Partial<NodeJS.ErrnoException>;
  if (name === 'TimeoutError' || name === 'AbortError' || code === 'ETIMEDOUT')
    return new AppError(
      {
        kind: 'timedOut',
        message: `${place(to)} did not answer in time.`,
        hint: `Check the network path and the load of the ${to.what}.`,
      },
      { cause: error },
    );
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new AppError(
      {
        kind: 'unreachable',
        message: `The name ${to.host} of ${place(to)} does not resolve.`,
        hint: 'Check the spelling and the DNS of this machine.',
      },
      { cause: error },
    );
  const said = sayCode(code) ?? `cannot be reached (${code || message.slice(0, 200)})`;
  return new AppError(
    {
      kind: 'unreachable',
      message: `${place(to)} ${said}.`,
      hint: `Check that the ${to.what} runs, the port, and firewalls in between.`,
    },
    { cause: error },
  );
}

/**
 * Without a listener an error of an idle connection would end the process. Whoever uses the
 * connection next finds it destroyed.
 */
function tolerateIdleErrors<S extends net.Socket>(socket: S): S {
  return socket.on('error', () => undefined);
}

/** Addresses of the name; none is asked for a literal address. */
export async function resolveName(to: Endpoint, signal?: AbortSignal): Promise<string[]> {
  if (net.isIP(to.host)) return [to.host];
  try {
    const found = await lookup(to.host, { all: true });
    signal?.throwIfAborted();
    return found.map((f) => f.address);
  } catch (error) {
    throw networkError(to, error, signal);
  }
}

export async function openTcp(to: Endpoint, signal?: AbortSignal): Promise<net.Socket> {
  const socket = net.connect({
    host: to.host,
    port: to.port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 15_000,
  });
  try {
    await once(socket, 'connect', { signal: bounded(connectLimitMs, signal) });
    return tolerateIdleErrors(socket);
  } catch (error) {
    socket.destroy();
    throw networkError(to, error, signal);
  }
}

/**
 * Does the TLS handshake and nothing more. Trust is decided by `verifyTrust` afterwards, because a
 * pinned certificate need not chain to a CA; nothing may be written to the socket before that.
 */
export async function handshake(
  to: Endpoint,
  socket: net.Socket,
  signal?: AbortSignal,
): Promise<tls.TLSSocket> {
  const secure = tls.connect({
    socket,
    host: to.host,
    servername: net.isIP(to.host) ? '' : to.host,
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
  });
  try {
    await once(secure, 'secureConnect', { signal: bounded(connectLimitMs, signal) });
    return tolerateIdleErrors(secure);
  } catch (error) {
    secure.destroy();
    const known = networkError(to, error, signal);
    if (known.kind !== 'unreachable') throw known;
    throw new AppError(
      {
        kind: 'unreachable',
        message: `${place(to)} does not speak TLS on this port: ${(error as Error).message.slice(0, 200)}`,
        hint: `The ${to.what} API is served by HTTPS, usually on port 443.`,
      },
      { cause: error },
    );
  }
}

export interface Presented {
  fingerprint: string;
  subject: string;
  issuer: string | null;
  validToMs: number | null;
  authorized: boolean;
  reason: string | null;
}
/** The certificate the other end presented, and whether the system's CAs vouch for it. */
export function presented(socket: tls.TLSSocket): Presented {
  const certificate = socket.getPeerCertificate();
  // A certificate without names has no such object, whatever its type says.
  const names = (value: tls.Certificate | undefined): string => {
    const one = value?.CN ?? value?.O ?? '';
    return Array.isArray(one) ? one.join(', ') : one;
  };
  const validToMs = Date.parse(certificate.valid_to);
  // Typed as Error, but Node sets a code or an Error.
  const reason = socket.authorized ? null : String(socket.authorizationError);
  return {
    fingerprint: certificate.fingerprint256,
    subject: names(certificate.subject) || '(no subject)',
    issuer: names(certificate.issuer) || null,
    validToMs: Number.isFinite(validToMs) ? validToMs : null,
    authorized: socket.authorized,
    reason,
  };
}

/**
 * Throws `untrusted` unless the certificate is the pinned one or, without a pin, vouched for by the
 * system's CAs.
 */
export function verifyTrust(to: Endpoint, socket: tls.TLSSocket): void {
  const { fingerprint, subject, authorized, reason } = presented(socket);
  if (to.fingerprint256 !== undefined) {
    if (fingerprint === to.fingerprint256) return;
    throw fail(
      'untrusted',
      `The certificate of ${place(to)} has changed: ${fingerprint} instead of ${to.fingerprint256}.`,
      `Ask who runs the ${to.what} whether its certificate was replaced; only then trust the new one.`,
      { expected: to.fingerprint256, actual: fingerprint ?? null, subject },
    );
  }
  if (!authorized)
    throw fail(
      'untrusted',
      `No certificate authority of this system vouches for ${place(to)}: it ` +
        `${sayCode(reason ?? '') ?? `cannot be verified (${reason ?? 'no reason is given'})`}.`,
      `Compare the fingerprint with the ${to.what} and trust it.`,
      { expected: null, actual: fingerprint ?? null, subject, technical: reason },
    );
}

/** A verified connection: nothing was sent on it but the handshake. */
async function openVerified(to: Endpoint, signal?: AbortSignal): Promise<tls.TLSSocket> {
  const socket = await handshake(to, await openTcp(to, signal), signal);
  try {
    verifyTrust(to, socket);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/**
 * An agent whose sockets are all verified before a request gets one. Without session resumption: a
 * resumed session shows no certificate.
 */
export function verifyingAgent(to: Endpoint, keepAlive: boolean): https.Agent {
  const agent = new https.Agent({
    keepAlive,
    maxSockets: 6,
    maxFreeSockets: 2,
    maxCachedSessions: 0,
  });
  agent.createConnection = (_options, callback) => {
    openVerified(to).then(
      (socket) => callback?.(null, socket),
      (error: unknown) => callback?.(error as Error, undefined as never),
    );
    return undefined;
  };
  return agent;
}
