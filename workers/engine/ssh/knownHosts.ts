import { createHmac, timingSafeEqual } from 'node:crypto';

/** One usable line of known_hosts. */
export interface KnownHostEntry {
  marker: 'none' | 'revoked' | 'certAuthority';
  patterns: readonly string[];
  hashed: { salt: Buffer; hash: Buffer } | null;
  keyType: string;
  key: Buffer;
}

export interface KnownHostAnswer {
  state: 'match' | 'changed' | 'revoked' | 'unknown';
  /** The key that was expected, where it changed. */
  expectedKey: Buffer | null;
}

/**
 * The lines of a known_hosts file (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT). Lines that cannot be read
 * are left out, as OpenSSH does; comments, markers, wildcards, negation and hashed names are
 * understood.
 */
export function parseKnownHosts(text: string): KnownHostEntry[] {
  const entries: KnownHostEntry[] = [];
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const words = line.split(/[ \t]+/);
    const marker =
      words[0] === '@revoked'
        ? 'revoked'
        : words[0] === '@cert-authority'
          ? 'certAuthority'
          : 'none';
    if (words[0]?.startsWith('@')) {
      if (marker === 'none') continue;
      words.shift();
    }
    const [hosts, keyType, base64] = words;
    if (!hosts || !keyType || !base64) continue;
    const key = Buffer.from(base64, 'base64');
    if (typeOfKey(key) !== keyType) continue;
    const hashed = parseHashed(hosts);
    if (hosts.startsWith('|') && !hashed) continue;
    entries.push({
      marker,
      patterns: hashed
        ? []
        : hosts
            .toLowerCase()
            .split(',')
            .filter((p) => p !== ''),
      hashed,
      keyType,
      key,
    });
  }
  return entries;
}

function parseHashed(hosts: string): KnownHostEntry['hashed'] {
  const parts = /^\|1\|([A-Za-z0-9+/=]+)\|([A-Za-z0-9+/=]+)$/.exec(hosts);
  if (!parts?.[1] || !parts[2]) return null;
  const hash = Buffer.from(parts[2], 'base64');
  return hash.length === 20 ? { salt: Buffer.from(parts[1], 'base64'), hash } : null;
}

/** The type an SSH public key blob states of itself (RFC 4253, 6.6), or '' where it is none. */
export function typeOfKey(key: Buffer): string {
  if (key.length < 4) return '';
  const length = key.readUInt32BE(0);
  return length > 0 && length <= 64 && key.length >= 4 + length
    ? key.toString('latin1', 4, 4 + length)
    : '';
}

/** The name OpenSSH looks up: `host`, or `[host]:port` where the port is not 22. */
export function knownHostName(host: string, port: number): string {
  const lower = host.toLowerCase();
  return port === 22 ? lower : `[${lower}]:${port}`;
}

/** Key types known for a host, so that the handshake can ask for one of them first. */
export function knownKeyTypes(
  entries: readonly KnownHostEntry[],
  host: string,
  port: number,
): string[] {
  const name = knownHostName(host, port);
  return [
    ...new Set(
      entries
        .filter((entry) => entry.marker === 'none' && entryMatches(entry, name))
        .map((entry) => entry.keyType),
    ),
  ];
}

/**
 * What the file says of this key for this host. The handshake asks for known types first, so a
 * server that shows another has lost the known key, or is another server.
 */
export function lookUpKnownHost(
  entries: readonly KnownHostEntry[],
  host: string,
  port: number,
  key: Buffer,
): KnownHostAnswer {
  const name = knownHostName(host, port);
  const mine = entries.filter(
    (entry) => entry.marker !== 'certAuthority' && entryMatches(entry, name),
  );
  if (mine.some((entry) => entry.marker === 'revoked' && entry.key.equals(key)))
    return { state: 'revoked', expectedKey: null };
  const known = mine.filter((entry) => entry.marker === 'none');
  if (known.some((entry) => entry.key.equals(key))) return { state: 'match', expectedKey: null };
  const other = known.find((entry) => entry.keyType === typeOfKey(key)) ?? known[0];
  return other
    ? { state: 'changed', expectedKey: other.key }
    : { state: 'unknown', expectedKey: null };
}

function entryMatches(entry: KnownHostEntry, name: string): boolean {
  if (entry.hashed) {
    const hash = createHmac('sha1', entry.hashed.salt).update(name).digest();
    return timingSafeEqual(hash, entry.hashed.hash);
  }
  let matched = false;
  for (const pattern of entry.patterns) {
    if (pattern.startsWith('!')) {
      if (wildcard(pattern.slice(1), name)) return false;
    } else if (wildcard(pattern, name)) matched = true;
  }
  return matched;
}

/**
 * `*` and `?` as in OpenSSH's match.c; iterative, so that a hostile pattern costs at most length × length.
 */
function wildcard(pattern: string, text: string): boolean {
  let p = 0,
    t = 0,
    star = -1,
    resume = 0;
  while (t < text.length) {
    if (pattern[p] === '*') {
      star = p;
      p += 1;
      resume = t;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === text[t])) {
      p += 1;
      t += 1;
    } else if (star >= 0) {
      p = star + 1;
      resume += 1;
      t = resume;
    } else return false;
  }
  while (pattern[p] === '*') p += 1;
  return p === pattern.length;
}
