import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

import { WebSocketServer } from 'ws';

import { serve } from '../src/shared/channel.ts';
import type { Emit, Handlers } from '../src/shared/contract.ts';
import { fail } from '../src/shared/errors.ts';
import { maxFrameBytes } from '../src/shared/frameCodec.ts';
import { portFromWebSocket } from '../src/shared/webSocketPort.ts';
import { bridge, type DemoHost } from './demo.ts';
import type { Log } from './engine/deps.ts';
import { errorCode } from './errorCode.ts';
import { serveFile } from './staticFiles.ts';

export interface ServerOptions {
  handlers: Handlers;
  subscribe: (emit: Emit) => () => void;
  log: Log;
  /** Answers `/channel?…&workspace=simulated`; absent = there is no simulated workspace. */
  demo?: Pick<DemoHost, 'connect'>;
  /** Folder of the built interface. */
  uiDir: string;
  /** 0 = a free one. */
  port?: number;
  /** Only loopback is taken. */
  host?: string;
  /** Default: 32 random bytes. */
  token?: string;
}
export interface ConsoleServer {
  url: string;
  origin: string;
  port: number;
  token: string;
  close(): Promise<void>;
}

const loopback: readonly string[] = ['127.0.0.1', '::1', 'localhost'];

/**
 * The console for a plain browser: the interface over HTTP, the contract over the WebSocket `/channel?token=…`.
 * Only on loopback; a request with another Host (DNS rebinding) or Origin, or without the token, is refused.
 * Errors: invalidInput for a host that is not loopback, conflict for a port in use.
 */
export async function startServer(options: ServerOptions): Promise<ConsoleServer> {
  const host = options.host ?? '127.0.0.1';
  if (!loopback.includes(host))
    throw fail(
      'invalidInput',
      `The console listens on this machine only, not on ${host}.`,
      'For another machine, forward the port: ssh -L 7450:127.0.0.1:7450 <this machine>.',
    );
  const token = options.token ?? randomBytes(32).toString('base64url');
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
  });
  const http = createServer((request, response) => {
    if (!hosts().includes(request.headers.host ?? '')) {
      response.writeHead(421, { 'content-type': 'text/plain' }).end('Wrong host.\n');
      return;
    }
    serveFile(options.uiDir, request, response).catch((thrown: unknown) => {
      options.log.warn('A file was not sent whole', {
        path: request.url?.split('?', 1)[0],
        error: String(thrown),
      });
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    });
  });
  http.requestTimeout = 30_000;
  const hosts = (): string[] =>
    loopback.map((name) => `${name.includes(':') ? `[${name}]` : name}:${portOf(http.address())}`);

  http.on('upgrade', (request, socket: Duplex, head) => {
    const refusal = refusalOf(request, hosts(), token);
    if (refusal !== null) {
      options.log.warn('A connection was refused', {
        status: refusal,
        host: request.headers.host,
        origin: request.headers.origin,
      });
      socket.end(`HTTP/1.1 ${refusal}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const { demo } = options;
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      if (demo && wantsSimulated(request)) {
        // Held from the first moment: what the page says before the workspace has started must not be lost.
        const near = portFromWebSocket(webSocket);
        void demo.connect().then((far) => bridge(near, far));
        return;
      }
      serve(portFromWebSocket(webSocket), options.handlers, options.subscribe, {
        onInternal: (method, thrown) => options.log.error(`${method} failed`, { thrown }),
      });
    });
  });

  http.listen(options.port ?? 0, host);
  await once(http, 'listening').catch((thrown: unknown) => {
    const inUse = errorCode(thrown) === 'EADDRINUSE';
    throw inUse
      ? fail(
          'conflict',
          `Port ${options.port} is in use.`,
          'Choose another with --port, or leave it out for a free one.',
        )
      : thrown;
  });
  const port = portOf(http.address());
  const origin = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    origin,
    port,
    token,
    url: `${origin}/?token=${token}`,
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      const closed = once(http, 'close');
      http.close();
      http.closeAllConnections();
      await closed;
    },
  };
}

/** The status line that refuses this upgrade, or null. */
function refusalOf(
  request: IncomingMessage,
  hosts: readonly string[],
  token: string,
): string | null {
  const url = new URL(request.url ?? '/', 'http://local');
  if (url.pathname !== '/channel') return '404 Not Found';
  const host = request.headers.host ?? '';
  if (!hosts.includes(host)) return '421 Misdirected Request';
  // Every browser sends Origin; the page itself is the only one allowed. Without one there is no browser to protect.
  const origin = request.headers.origin;
  if (origin !== undefined && origin !== `http://${host}`) return '403 Forbidden';
  return sameSecret(url.searchParams.get('token') ?? '', token) ? null : '401 Unauthorized';
}

const wantsSimulated = (request: IncomingMessage): boolean =>
  new URL(request.url ?? '/', 'http://local').searchParams.get('workspace') === 'simulated';

/** Compared as digests, so that neither length nor prefix shows in the time it takes. */
function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function portOf(address: ReturnType<ReturnType<typeof createServer>['address']>): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}
