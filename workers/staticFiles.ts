import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { errorCode } from './errorCode.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.map': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
};

/** Headers of every answer. Styles may be inline, because the component library writes them; scripts never. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

/** The file of `dir` that a request path names, or null: outside of `dir`, of an unknown type, hidden, or no path at all. */
export function fileOf(dir: string, path: string): string | null {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch (thrown) {
    if (thrown instanceof URIError) return null;
    throw thrown;
  }
  if (
    decoded.includes('\0') ||
    decoded.includes('\\') ||
    decoded.split('/').some((part) => part.startsWith('.'))
  )
    return null;
  // A path without an extension is a page of the application, which has one document.
  const file = resolve(dir, `.${extname(decoded) === '' ? '/index.html' : decoded}`);
  return file.startsWith(resolve(dir) + sep) && extname(file) in types ? file : null;
}

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
  const file = fileOf(dir, path);
  const found =
    file === null
      ? null
      : await stat(file).catch((thrown: unknown) => {
          if (['ENOENT', 'ENOTDIR'].includes(errorCode(thrown) ?? '')) return null;
          throw thrown;
        });
  if (file === null || !found?.isFile()) {
    refuse(404, 'Not found.');
    return;
  }
  const hashed = path.startsWith('/assets/');
  response.writeHead(200, {
    ...securityHeaders,
    'content-type': types[extname(file)],
    'content-length': found.size,
    'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'no-store',
  });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  await pipeline(createReadStream(file), response);
}
