import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { protocol, session, type WebContents } from 'electron';

import { pageFile, securityHeaders } from '../src/wire/pageFiles.ts';

const scheme = 'tilebench-ui';
/**
 * Where the console's page lives: an origin of its own, so that no file of the disk is one with it.
 */
export const pageOrigin = `${scheme}://console`;

/** What a page may ask for: copying and full screen (presenting). Everything else is refused. */
const granted: readonly string[] = ['clipboard-sanitized-write', 'fullscreen'];

/**
 * An opener policy parts a page from whoever opened it, by a second renderer process started once
 * the answer is there. Here nobody can open a page (`openWindow` denies it), and the window would
 * wait for that process.
 */
const { 'cross-origin-opener-policy': _openerPolicy, ...headersOfAWindow } = securityHeaders;

/** The console's own page, whatever its query and fragment. */
export const isOwnPage = (address: string): boolean =>
  address.split(/[?#]/, 1)[0] === `${pageOrigin}/index.html`;

export const pageAddress = (page?: { hash: string; query?: Record<string, string> }): string => {
  const query = new URLSearchParams(page?.query ?? {}).toString();
  return `${pageOrigin}/index.html${query && `?${query}`}${page ? `#${page.hash}` : ''}`;
};

/**
 * Before the application is ready: the scheme counts as a secure origin, with storage and a policy
 * of its own. Its scripts are kept compiled, which is a third of what a page computes before it is
 * drawn; Electron before 28 does not know of that, and passes over it.
 */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme,
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
    },
  ]);
}

/**
 * Serves the built interface, and nothing else of the disk, under `pageOrigin`. `onScript` is told
 * of each script that was handed to a page, which is then busy reading it.
 */
export function servePage(uiDir: string, onScript: () => void): void {
  const answer = async (method: string, address: string): Promise<PageAnswer> => {
    const { host, pathname } = new URL(address);
    const named =
      method === 'GET' && `${scheme}://${host}` === pageOrigin ? pageFile(pathname) : null;
    const bytes = named && (await readPageFile(join(uiDir, named.path)));
    return named && bytes
      ? { status: 200, bytes, mediaType: named.mediaType }
      : { status: 404, bytes: Buffer.from('Not found.\n'), mediaType: 'text/plain' };
  };
  const headersOf = (mediaType: string): Record<string, string> => ({
    ...headersOfAWindow,
    'content-type': mediaType,
    'cache-control': 'no-store',
  });
  const told = ({ mediaType }: PageAnswer): void => {
    if (mediaType.startsWith('text/javascript')) setImmediate(onScript);
  };
  if ('handle' in protocol) {
    protocol.handle(scheme, async ({ method, url }) => {
      const answered = await answer(method, url);
      told(answered);
      const { status, bytes, mediaType } = answered;
      return new Response(new Uint8Array(bytes), { status, headers: headersOf(mediaType) });
    });
    return;
  }
  serveInOldElectron((method, url, done) => {
    void answer(method, url).then((answered) => {
      const { status, bytes, mediaType } = answered;
      done({ statusCode: status, data: bytes, headers: headersOf(mediaType) });
      told(answered);
    });
  });
}

interface PageAnswer {
  status: number;
  bytes: Buffer;
  mediaType: string;
}
type OldAnswer = (response: {
  statusCode: number;
  data: Buffer;
  headers: Record<string, string>;
}) => void;
interface OldProtocol {
  registerBufferProtocol(
    scheme: string,
    handler: (request: { method: string; url: string }, done: OldAnswer) => void,
  ): boolean;
}

/** Electron before 25, which the end-to-end tests drive, has no `protocol.handle`. */
function serveInOldElectron(handler: (method: string, url: string, done: OldAnswer) => void): void {
  (protocol as unknown as OldProtocol).registerBufferProtocol(scheme, ({ method, url }, done) =>
    handler(method, url, done),
  );
}

async function readPageFile(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (thrown) {
    process.stderr.write(`A file of the page cannot be read: ${String(thrown)}\n`);
    return null;
  }
}

/** Copying and full screen for the console's own page; nothing for anybody else. */
export function limitPermissions(): void {
  const allows = (contents: WebContents | null, permission: string): boolean =>
    contents !== null && isOwnPage(contents.getURL()) && granted.includes(permission);
  const { defaultSession } = session;
  defaultSession.setPermissionRequestHandler((contents, permission, answer) =>
    answer(allows(contents, permission)),
  );
  defaultSession.setPermissionCheckHandler((contents, permission) => allows(contents, permission));
}
