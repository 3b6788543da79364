import http, {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import https from 'node:https';

import { fail } from '../../../src/core/base/errors.ts';
import { bounded, type Endpoint, networkError, verifyingAgent } from '../tls/tls.ts';

/** Longest answer that is read, in bytes: a history of 20 minutes of an iLO has 61 kB. */
const maxBytes = 1_000_000;

export interface JsonRequest {
  method?: 'GET' | 'POST' | 'DELETE';
  /** From the root of the server, with its query. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  body?: unknown;
  /** The whole call, answer included. */
  limitMs: number;
  signal?: AbortSignal | undefined;
}
export interface JsonAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Undefined where the answer was empty or no JSON: `text` has what came. */
  body: unknown;
  text: string;
}
export interface JsonClient {
  /**
   * One call; redirects are not followed. Throws AppError (unreachable, timedOut, untrusted,
   * aborted) below HTTP; every status is an answer.
   */
  send(request: JsonRequest): Promise<JsonAnswer>;
  close(): void;
}

/**
 * HTTP to one peer: over TLS, where the certificate is verified before anything is sent, or plain
 * where the peer knows nothing else; sizes and times bounded.
 */
export function createJsonClient(to: Endpoint, { isPlain }: { isPlain: boolean }): JsonClient {
  const agent = isPlain ? new http.Agent({ keepAlive: true }) : verifyingAgent(to, true);
  return {
    async send(request) {
      const signal = bounded(request.limitMs, request.signal);
      const isRepeatable = (request.method ?? 'GET') === 'GET';
      for (let tries = 0; ; tries += 1) {
        try {
          return await attempt(to, agent, isPlain, request, signal);
        } catch (error) {
          // An idle connection may turn out to be closed: the call is made once more on another.
          const isStale = (error as { reusedSocket?: boolean }).reusedSocket === true;
          if (!isStale || !isRepeatable || tries >= 2 || signal.aborted)
            throw networkError(to, signal.aborted ? signal.reason : error, request.signal);
        }
      }
    },
    close: () => agent.destroy(),
  };
}

function attempt(
  to: Endpoint,
  agent: http.Agent,
  isPlain: boolean,
  { method = 'GET', path, headers = {}, body }: JsonRequest,
  signal: AbortSignal,
): Promise<JsonAnswer> {
  const text = body === undefined ? null : JSON.stringify(body);
  const options: RequestOptions = {
    host: to.host,
    port: to.port,
    path,
    method,
    agent,
    signal,
    headers: {
      accept: 'application/json',
      'user-agent': 'Tilebench',
      ...(text === null
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      ...headers,
    },
  };
  return new Promise((resolve, reject) => {
    const request = isPlain ? http.request(options) : https.request(options);
    request.on('error', (error) => {
      reject(request.reusedSocket ? Object.assign(error, { reusedSocket: true }) : error);
    });
    request.on('response', (response) => {
      readAnswer(to, response).then(resolve, reject);
    });
    request.end(text ?? undefined);
  });
}

async function readAnswer(to: Endpoint, response: IncomingMessage): Promise<JsonAnswer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      response.destroy();
      throw fail(
        'unreachable',
        `${to.what} ${to.name} (${to.host}:${to.port}) answered with more than ${maxBytes} bytes.`,
        'Check address and path: a reading is a short answer.',
      );
    }
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: parsed(text),
    text,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
