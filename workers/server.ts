import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import { WebSocketServer } from 'ws';

import { fail } from '../src/core/base/errors.ts';
import { bridge } from '../src/wire/bridge.ts';
import { maxFrameBytes } from '../src/wire/frameCodec.ts';
import type { WorkspaceName } from '../src/wire/hostMessages.ts';
import type { Port } from '../src/wire/ports.ts';
import type { Log } from './engine/deps.ts';
import { createEntry, type Entry, hopPage, ticketMs } from './entry.ts';
import { errorCode } from './errorCode.ts';
import { portOfSocket } from './framesOfSocket.ts';
import { type HostDesk, maxActBytes, quietDesk, serveHostLink } from './hostSocket.ts';
import { hostsOf, refusalOf, targetOf } from './requests.ts';
import type { Sessions } from './sessions.ts';
import { refuse, serveFile, shortPage } from './staticFiles.ts';

export interface ServerOptions {
  /** A port that carries frames to an engine; null = there is none at the moment. */
  connect(workspace: WorkspaceName): Port | null;
  log: Log;
  /** Folder of the built interface. */
  uiDir: string;
  /** 0 = a free one. */
  port?: number;
  /** Only loopback is taken. */
  host?: string;
  /** Called when a ticket was taken. */
  onEntered?: () => void;
  /** What this host says of its engine, and does about it when a page asks. */
  desk?: HostDesk;
  /** Browsers that were let in. Default: none yet, and kept in memory. */
  sessions?: Sessions;
}
export interface ConsoleServer {
  origin: string;
  port: number;
  /** An address that lets a browser in, once and for `forMs` (default 10 minutes). */
  invite(forMs?: number): string;
  close(): Promise<void>;
}

const loopback: readonly string[] = ['127.0.0.1', '::1', 'localhost'];
/** Above what a person opens; below what a machine can be hurt with. */
const maxConnections = 256;
const maxChannels = 64;
/** What carries a frame on to the engine adds some bytes of its own. */
const carrierBytes = 4_096;

/**
 * The console for a plain browser: the interface over HTTP, the contract over the WebSocket
 * `/channel`, and what the host says of its engine over `/host`. Only on loopback. A ticket
 * (`/?ticket=…`, of one use) is exchanged for a cookie; both ask for the cookie, the own Host (DNS
 * rebinding) and the own Origin. Errors: invalidInput for a host that is not loopback, conflict for
 * a port in use.
 */
export async function startServer(options: ServerOptions): Promise<ConsoleServer> {
  const host = options.host ?? '127.0.0.1';
  if (!loopback.includes(host))
    throw fail(
      'invalidInput',
      `The console listens on this machine only, not on ${host}.`,
      'For another machine, forward the port: ssh -L 7450:127.0.0.1:7450 <this machine>.',
    );
  const http = createServer({
    maxHeaderSize: 16 * 1_024,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: 5_000,
  });
  http.maxConnections = maxConnections;
  const running: Running = {
    options,
    entry: createEntry(options.sessions),
    port: 0,
    channels: webSockets(maxFrameBytes - carrierBytes),
    hostLinks: webSockets(maxActBytes),
  };
  http.on('request', (request, response) => {
    answer(running, request, response).catch((thrown: unknown) => {
      options.log.warn('An answer was not sent whole', { error: String(thrown) });
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'The console failed.');
    });
  });
  http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // A client that resets the connection is no fault of ours.
    socket.on('error', () => socket.destroy());
    try {
      upgrade(running, request, socket, head);
    } catch (thrown) {
      options.log.warn('A connection could not be taken', { error: String(thrown) });
      socket.destroy();
    }
  });

  await listen(http, options.port ?? 0, host);
  const port = (running.port = portOf(http));
  const origin = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    origin,
    port,
    invite: (forMs = ticketMs) => `${origin}/?ticket=${running.entry.issue(forMs)}`,
    async close() {
      for (const socket of [...running.channels.clients, ...running.hostLinks.clients])
        socket.terminate();
      const closed = once(http, 'close');
      http.close();
      http.closeAllConnections();
      await closed;
    },
  };
}

interface Running {
  options: ServerOptions;
  entry: Entry;
  /** 0 until it listens. */
  port: number;
  channels: WebSocketServer;
  hostLinks: WebSocketServer;
}

const webSockets = (maxPayload: number): WebSocketServer =>
  new WebSocketServer({ noServer: true, maxPayload, perMessageDeflate: false });

async function answer(
  { options, entry, port }: Running,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!hostsOf(port).includes(request.headers.host ?? '')) {
    refuse(response, 421, 'Wrong host.');
    return;
  }
  const target = targetOf(request.url);
  if (target === null) {
    refuse(response, 400, 'Not a path of the console.');
    return;
  }
  if (request.method === 'GET' && enters(target.query, entry, port, response))
    options.onEntered?.();
  if (response.writableEnded) return;
  await serveFile(options.uiDir, target.path, request, response, {
    admitted: entry.admits(request.headers.cookie, port),
    hop: request.headers['sec-fetch-site'] === 'cross-site' ? request.url : undefined,
  });
}

/** Carries a WebSocket to an engine or to the desk of the host; what may not come in is refused. */
function upgrade(
  { options, entry, port, channels, hostLinks }: Running,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const { log } = options;
  const refusal =
    refusalOf(request, port, (cookie) => entry.admits(cookie, port)) ??
    (Math.max(channels.clients.size, hostLinks.clients.size) >= maxChannels
      ? '503 Service Unavailable'
      : null);
  if (refusal === null && targetOf(request.url)?.path === '/host') {
    hostLinks.handleUpgrade(request, socket, head, (webSocket) =>
      serveHostLink(webSocket, options.desk ?? quietDesk),
    );
    return;
  }
  const engine = refusal === null ? options.connect(workspaceOf(request)) : null;
  if (refusal !== null || engine === null) {
    endWith(socket, refusal ?? '503 Service Unavailable');
    if (refusal !== null) log.warn('A connection was refused', factsOf(request, refusal));
    return;
  }
  socket.once('close', () => engine.close());
  channels.handleUpgrade(request, socket, head, (webSocket) =>
    bridge(
      portOfSocket(webSocket, (reason) => log.warn('A frame was refused', { reason })),
      engine,
    ),
  );
}

/**
 * Answers an address with a ticket: with the cookie when the ticket is good, and in any case with a
 * page that goes on to the address without it. Not by a redirect: a browser does not send a strict
 * cookie along a chain that another site or a file began.
 */
function enters(
  query: URLSearchParams,
  entry: Entry,
  port: number,
  response: ServerResponse,
): boolean {
  const ticket = query.get('ticket');
  if (ticket === null) return false;
  const good = entry.redeem(ticket);
  const simulated = query.get('workspace') === 'simulated';
  shortPage(response, 200, hopPage(simulated ? '/?workspace=simulated' : '/'), {
    ...(good ? { 'set-cookie': entry.cookie(port) } : {}),
  });
  return good;
}

function endWith(socket: Duplex, status: string): void {
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

const workspaceOf = (request: IncomingMessage): WorkspaceName =>
  targetOf(request.url)?.query.get('workspace') === 'simulated' ? 'simulated' : 'real';

/** For the log: what a stranger sends is cut, and of the path nothing is kept. */
const factsOf = ({ headers }: IncomingMessage, status: string): Record<string, unknown> => ({
  status,
  host: headers.host?.slice(0, 100),
  origin: headers.origin?.slice(0, 100),
});

async function listen(http: Server, port: number, host: string): Promise<void> {
  http.listen(port, host);
  await once(http, 'listening').catch((thrown: unknown) => {
    if (errorCode(thrown) !== 'EADDRINUSE') throw thrown;
    throw fail(
      'conflict',
      `Port ${port} is in use.`,
      'Choose another with --port, or leave it out for a free one.',
    );
  });
}

function portOf(http: Server): number {
  const address = http.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
