/** Media types of what the interface is made of; a file of any other kind is never served. */
const mediaTypes: Readonly<Record<string, string>> = {
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

/**
 * Headers of every answer, in the browser and in the window. Styles may be inline, because the
 * component library writes them; scripts never.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' " +
    "data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self'; manifest-src " +
    "'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

export interface PageFile {
  /** Below the folder of the interface, parts joined by `/`. */ path: string;
  mediaType: string;
}

/**
 * The file of the interface that a request path (without query) names, or null: climbing out,
 * hidden, of an unknown kind, or no path at all. A path without an extension is a page of the
 * application, which has one document.
 */
export function pageFile(requestPath: string): PageFile | null {
  const decoded = decodePath(requestPath);
  if (decoded === null || !decoded.startsWith('/') || /[\0\\:]/.test(decoded)) return null;
  const parts = decoded.split('/').filter((part) => part !== '');
  if (parts.some((part) => part.startsWith('.'))) return null;
  const name = parts.at(-1) ?? '';
  if (!name.includes('.')) return { path: 'index.html', mediaType: mediaTypes['.html']! };
  const mediaType = mediaTypes[name.slice(name.lastIndexOf('.'))];
  return mediaType === undefined ? null : { path: parts.join('/'), mediaType };
}

function decodePath(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch (thrown) {
    if (thrown instanceof URIError) return null;
    throw thrown;
  }
}
