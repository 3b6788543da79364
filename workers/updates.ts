import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';

import * as z from 'zod';

import { AppError, fail } from '../src/core/base/errors.ts';
import type { Feed, UpdateEdge } from './engine/deps/updates.ts';
import { holdNamed } from './engine/updates/feed.ts';

/** Names in a feed: a folder, or the address of one. The signature is Ed25519, in base64. */
export const feedFile = 'feed.json';
export const signatureFile = 'feed.json.sig';
const maxFeedBytes = 1024 * 1024;
const fetchLimitMs = 30_000;

const version = z.string().regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/);
const feedSchema = z.strictObject({
  format: z.literal(1),
  version,
  /** ISO 8601, UTC. */
  publishedAt: z.iso.datetime(),
  notes: z.string().max(100_000),
  files: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[\w.+~-]{1,200}$/),
        bytes: z.int().positive(),
        /** SHA-256 in hex. */
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
      }),
    )
    .max(100),
});
/** A feed as its file holds it. */
export type FeedFile = z.infer<typeof feedSchema>;

const refused = (what: string, hint: string): AppError => fail('invalidInput', what, hint);

/** The administrator's public key, in PEM. Throws for anything but Ed25519. */
export function updateKey(pem: string): KeyObject {
  let key: KeyObject | null = null;
  try {
    key = createPublicKey(pem);
  } catch {
    // Told below: what OpenSSL says of it helps nobody.
  }
  if (key?.asymmetricKeyType !== 'ed25519')
    throw refused(
      'The key of the updates is no public Ed25519 key.',
      'Make a pair with: openssl genpkey -algorithm ed25519, and give the public half in PEM.',
    );
  return key;
}

/**
 * What a feed says, read only after its signature was found good. Throws invalidInput with what is
 * wrong.
 */
export function readFeed(bytes: Uint8Array, signature: string, key: KeyObject): Feed {
  const given = Buffer.from(signature.trim(), 'base64');
  if (given.length !== 64 || !verify(null, bytes, key, given))
    throw refused(
      'The feed of updates is not signed by the key that is set.',
      'Nothing of it was used. Ask who keeps the feed; it may have been changed on its way.',
    );
  const parsed = feedSchema.safeParse(jsonOf(Buffer.from(bytes).toString('utf8')));
  if (!parsed.success)
    throw refused(
      'The feed of updates is signed, and has a form that this version does not know.',
      'Install the newer version by hand.',
    );
  return parsed.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return null;
    throw thrown;
  }
}

/** Fetches a feed from a folder or an `https:` address and reads it by `readFeed`. */
export async function fetchFeed(location: string, key: KeyObject): Promise<Feed> {
  const [bytes, signature] = await Promise.all([
    readPart(location, feedFile),
    readPart(location, signatureFile),
  ]);
  return readFeed(bytes, Buffer.from(signature).toString('utf8'), key);
}

async function readPart(location: string, name: string): Promise<Uint8Array> {
  if (/^[a-z]+:\/\//i.test(location)) return fetchPart(location, name);
  const path = join(location, name);
  try {
    const { size } = await stat(path);
    if (size > maxFeedBytes) throw tooLarge(path);
    return await readFile(path);
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown;
    throw refused(`${path} cannot be read: ${String(thrown)}`, 'Check the folder of the updates.');
  }
}

async function fetchPart(location: string, name: string): Promise<Uint8Array> {
  const address = `${location.replace(/\/$/, '')}/${name}`;
  if (!/^https:\/\//i.test(address))
    throw refused(`${location} is no https: address.`, 'Give a folder, or an address by https:.');
  let response: Response;
  try {
    response = await fetch(address, {
      redirect: 'error',
      signal: AbortSignal.timeout(fetchLimitMs),
    });
  } catch (thrown) {
    throw refused(`${address} cannot be reached: ${String(thrown)}`, 'Try again later.');
  }
  if (!response.ok) throw refused(`${address} answers ${response.status}.`, 'Check the address.');
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > maxFeedBytes) throw tooLarge(address);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

const tooLarge = (what: string): AppError =>
  refused(`${what} is larger than 1 MiB.`, 'It is no feed of updates.');

/**
 * Holds a file that was carried here against a feed. Throws where the feed does not name it, or it
 * is another one by length or content.
 */
export async function holdFile(feed: Feed, path: string): Promise<void> {
  const name = basename(path);
  const named = feed.files.find((file) => file.name === name);
  const hash = createHash('sha256');
  let bytes = 0;
  if (named !== undefined)
    for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
      hash.update(piece);
      bytes += piece.length;
      if (bytes > named.bytes) break;
    }
  holdNamed(feed, { name, bytes, sha256: hash.digest('hex') });
}

const settings = z.strictObject({ feed: z.string().min(1), key: z.string().min(1) });
/**
 * Where the administrator names the feed for everybody on this machine, or what TILEBENCH_UPDATES
 * names in its place.
 */
export function settingsFile(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  const told = env['TILEBENCH_UPDATES'];
  if (told !== undefined && told !== '') return told;
  if (platform === 'win32')
    return `${env['ProgramData'] ?? 'C:\\ProgramData'}\\Tilebench\\updates.json`;
  return platform === 'darwin'
    ? '/Library/Application Support/Tilebench/updates.json'
    : '/etc/tilebench/updates.json';
}

/** Feed and file of its key as they are set in `path`; null = nothing is. Throws invalidInput. */
export function readSettings(path: string): { feed: string; key: string } | null {
  if (!existsSync(path)) return null;
  const set = settings.safeParse(jsonOf(readFileSync(path, 'utf8')));
  if (!set.success) throw refused(`${path} does not name a feed and a key.`, 'See docs/admin.md.');
  if (!isAbsolute(set.data.key))
    throw refused(`${path}: the key ${set.data.key} is no whole path.`, 'Give a whole one.');
  return set.data;
}

/** The feed that is set for everybody on this machine, for the engine. */
export function createUpdateEdge(path: string): UpdateEdge {
  return {
    setIn: path,
    feed: () => readSettings(path)?.feed ?? null,
    async read() {
      const set = readSettings(path);
      if (set === null) throw refused('No feed of updates is set.', `Name one in ${path}.`);
      return fetchFeed(set.feed, updateKey(readFileSync(set.key, 'utf8')));
    },
  };
}
