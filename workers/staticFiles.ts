import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { pageFile, securityHeaders } from '../src/shared/pageFiles.ts';
import { errorCode } from './errorCode.ts';

/** Answers GET and HEAD with the files of one folder; 404 and 405 in one line of text. */
export async function serveFile(
  dir: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refuse = (status: number, text: string): void => {
    response
      .writeHead(status, { ...securityHeaders, 'content-type': 'text/plain; charset=utf-8' })
      .end(`${text}\n`);
  };
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    refuse(405, 'Method not allowed.');
    return;
  }
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  const named = pageFile(path);
  const file = named === null ? null : join(dir, named.path);
  const found =
    file === null
      ? null
      : await stat(file).catch((thrown: unknown) => {
          if (['ENOENT', 'ENOTDIR'].includes(errorCode(thrown) ?? '')) return null;
          throw thrown;
        });
  if (named === null || file === null || !found?.isFile()) {
    refuse(404, 'Not found.');
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
