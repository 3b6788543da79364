import type { IncomingMessage } from 'node:http';

/**
 * Longest path with query of a request, in characters; longest is that of a page of the
 * application.
 */
export const maxTargetChars = 2_048;

/** A request as far as this server reads it. */
export interface Target {
  path: string;
  query: URLSearchParams;
}

/**
 * The path and query of a request target, or null: too long, or not of the form that browsers send
 * (`/path?query`). By hand, because `new URL` throws for some targets and takes `//host/path` for
 * another host's.
 */
export function targetOf(text: string | undefined): Target | null {
  if (text === undefined || text.length > maxTargetChars || !text.startsWith('/')) return null;
  const at = text.indexOf('?');
  return {
    path: at < 0 ? text : text.slice(0, at),
    query: new URLSearchParams(at < 0 ? '' : text.slice(at + 1)),
  };
}

/** Names and addresses of this machine by which its loopback may be asked for, with the port. */
export const hostsOf = (port: number): readonly string[] => [
  `127.0.0.1:${port}`,
  `[::1]:${port}`,
  `localhost:${port}`,
];

/**
 * What can be opened as a WebSocket: the contract with an engine, and what the host itself says of
 * it.
 */
const socketPaths: readonly string[] = ['/channel', '/host'];

/**
 * Why a request for a WebSocket is refused, or null. Host comes first: before it, nothing of the
 * request is believed.
 */
export function refusalOf(
  request: IncomingMessage,
  port: number,
  admits: (cookie: string | undefined) => boolean,
): string | null {
  const host = request.headers.host ?? '';
  if (!hostsOf(port).includes(host)) return '421 Misdirected Request';
  if (request.method !== 'GET') return '405 Method Not Allowed';
  const target = targetOf(request.url);
  if (target === null) return '400 Bad Request';
  if (!socketPaths.includes(target.path)) return '404 Not Found';
  // Every browser sends Origin; the page itself is the only one allowed. Without one there is no
  // browser to protect.
  const { origin } = request.headers;
  if (origin !== undefined && origin !== `http://${host}`) return '403 Forbidden';
  return admits(request.headers.cookie) ? null : '401 Unauthorized';
}
