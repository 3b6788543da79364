import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

import { fail } from '../../../src/core/base/errors.ts';
import { bounded, type Endpoint, networkError, verifyingAgent } from '../tls/tls.ts';
import { defaultXmlLimits, type XmlLimits, type XmlNode, xmlTreeParser } from './xml.ts';

export interface PostOptions {
  soapAction: string;
  cookie: string | null;
  /** The whole call, answer included. */
  limitMs: number;
  /** May be sent again when an idle connection turns out to be closed. */
  repeatable: boolean;
  signal?: AbortSignal | undefined;
}
export interface Answer {
  root: XmlNode;
  cookie: string | null;
}
export interface Transport {
  /**
   * One SOAP call. Faults come back as an answer; everything below SOAP throws AppError
   * (unreachable, timedOut, untrusted, aborted).
   */
  post(body: string, options: PostOptions): Promise<Answer>;
  close(): void;
}

/**
 * HTTPS to one vCenter: connections verified before anything is sent, sizes and times bounded, gzip
 * asked for.
 */
export function createTransport(to: Endpoint, limits: XmlLimits = defaultXmlLimits): Transport {
  const pooled = verifyingAgent(to, true);
  // What must not happen twice gets a connection of its own: a pooled one may turn out closed after
  // the request was sent.
  const single = verifyingAgent(to, false);

  const attempt = (body: string, options: PostOptions, signal: AbortSignal): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const request = https.request({
        host: to.host,
        port: to.port,
        path: '/sdk',
        method: 'POST',
        agent: options.repeatable ? pooled : single,
        signal,
        headers: {
          'content-type': 'text/xml; charset=utf-8',
          'content-length': Buffer.byteLength(body),
          'accept-encoding': 'gzip',
          soapaction: options.soapAction,
          'user-agent': 'Tilebench',
          ...(options.cookie ? { cookie: options.cookie } : {}),
        },
      });
      request.on('error', (error) => {
        reject(request.reusedSocket ? Object.assign(error, { reusedSocket: true }) : error);
      });
      request.on('response', (response) => {
        readAnswer(to, limits, response, signal).then(resolve, reject);
      });
      request.end(body);
    });

  return {
    async post(body, options) {
      const signal = bounded(options.limitMs, options.signal);
      for (let tries = 0; ; tries += 1) {
        try {
          return await attempt(body, options, signal);
        } catch (error) {
          const stale =
            options.repeatable &&
            tries < 2 &&
            !signal.aborted &&
            (error as { reusedSocket?: boolean }).reusedSocket === true;
          if (!stale)
            throw networkError(to, signal.aborted ? signal.reason : error, options.signal);
        }
      }
    },
    close() {
      pooled.destroy();
      single.destroy();
    },
  };
}

async function readAnswer(
  to: Endpoint,
  limits: XmlLimits,
  response: IncomingMessage,
  signal: AbortSignal,
): Promise<Answer> {
  const status = response.statusCode ?? 0;
  // SOAP faults come with 500.
  if (status !== 200 && status !== 500) {
    response.destroy();
    if (status === 502 || status === 503)
      throw fail(
        'unreachable',
        `vCenter ${to.name} is not ready (HTTP ${status}).`,
        'Its services may still be starting; wait a few minutes.',
      );
    throw fail(
      'unreachable',
      `${to.host}:${to.port} answers HTTP ${status}: this is not a vCenter API.`,
      'Check that the address and port are those of a vCenter.',
    );
  }
  const parser = xmlTreeParser(limits);
  const decoder = new TextDecoder('utf-8');
  const consume = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of chunks) parser.write(decoder.decode(chunk, { stream: true }));
    parser.write(decoder.decode());
  };
  if (response.headers['content-encoding'] === 'gzip')
    await pipeline(response, createGunzip(), consume, { signal });
  else await pipeline(response, consume, { signal });
  const cookie =
    response.headers['set-cookie']
      ?.find((c) => c.startsWith('vmware_soap_session='))
      ?.split(';')[0]
      ?.slice(0, 1_024) ?? null;
  return { root: parser.end(), cookie };
}
