import * as z from 'zod';

import { targetParam } from './guestTarget.ts';
import { quote } from './shell.ts';

/** Which page of which web server: parameters that all drivers of web servers have. */
export const webParams = {
  target: targetParam('Address of the web server'),
  port: z.number().int().min(0).max(65_535).default(0).describe('Port; 0 = 80, with TLS 443'),
  tls: z.boolean().default(false).describe('Over TLS'),
  path: z
    .string()
    .regex(/^\/[\x21-\x7e]*$/, 'a path that begins with /')
    .max(2_000)
    .default('/')
    .describe('Path of the page, with its query'),
};
interface WebTarget {
  target: string;
  port: number;
  tls: boolean;
  path: string;
}

/** The page as the program is told it. An IPv6 address stands in brackets. */
export function urlOf({ target, port, tls, path }: WebTarget): string {
  const host = target.includes(':') ? `[${target}]` : target;
  return `${tls ? 'https' : 'http'}://${host}${port > 0 ? `:${port}` : ''}${path}`;
}
export const quotedUrl = (target: WebTarget): string => quote(urlOf(target));

/** What to do about a page that does not come. */
export const noPageFix =
  'Start the web server, or correct address, port, TLS and path: the page must answer with a status below 400.';
