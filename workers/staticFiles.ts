import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { pageFile, securityHeaders } from '../src/wire/pageFiles.ts';
import { hopPage } from './entry.ts';
import { errorCode } from './errorCode.ts';

/** Answers with one line of text. */
export function refuse(response: ServerResponse, status: number, text: string): void {
  shortPage(response, status, `${text}\n`, { 'content-type': 'text/plain; charset=utf-8' });
}

/** Answers with a page of a few words that nobody keeps. */
export function shortPage(
  response: ServerResponse,
  status: number,
  html: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response
    .writeHead(status, {
      ...securityHeaders,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      ...headers,
    })
    .end(html);
}

const notAdmitted =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Tilebench</title><h1>This ' +
  'browser has not been let in</h1><p>An address with a ticket works once, and for ten ' +
  'minutes.</p><p>Open the file <b>console.html</b> in the data folder of Tilebench; ' +
  '<b>tilebench serve</b> prints where it is. It works at any time while the console is ' +
  'served. After that, this browser needs no ticket.</p></html>\n';

export interface Visitor {
  /** It has the cookie. */
  admitted: boolean;
  /**
   * Set where a browser may have the cookie and not have sent it, because another site led here:
   * the page to come back to by itself.
   */
  hop?: string | undefined;
}

/**
 * Answers GET and HEAD with the files of one folder; 404 and 405 in one line of text, and the page
 * in words to who was not let in.
 */
export async function serveFile(
  dir: string,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  visitor: Visitor,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    refuse(response, 405, 'Method not allowed.');
    return;
  }
  const named = pageFile(path);
  const file = named === null ? null : join(dir, named.path);
  const found =
    file === null
      ? null
      : await stat(file).catch((thrown: unknown) => {
          if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(errorCode(thrown) ?? '')) return null;
          throw thrown;
        });
  if (named === null || file === null || !found?.isFile()) {
    refuse(response, 404, 'Not found.');
    return;
  }
  if (!visitor.admitted && named.path === 'index.html') {
    if (visitor.hop !== undefined && hopsTo.test(visitor.hop))
      shortPage(response, 200, hopPage(visitor.hop));
    else shortPage(response, 401, notAdmitted);
    return;
  }
  const hashed = path.startsWith('/assets/');
  response.writeHead(200, {
    ...securityHeaders,
    'content-type': named.mediaType,
    'content-length': found.size,
    'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'no-store',
  });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  await pipeline(createReadStream(file), response);
}

/** Addresses that a page may be told to go to: nothing of markup in them. */
const hopsTo = /^\/(?!\/)[\w./?=&-]*$/;
