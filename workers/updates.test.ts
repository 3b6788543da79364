import { createHash, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { isNewer } from './engine/updates/feed.ts';
import { feedFile, fetchFeed, holdFile, readFeed, signatureFile, updateKey } from './updates.ts';

const pair = generateKeyPairSync('ed25519');
const key = pair.publicKey;
const packageBytes = Buffer.from('a package');
const feed = {
  format: 1,
  version: '0.2.0',
  publishedAt: '2026-11-23T12:00:00Z',
  notes: 'Faster.',
  files: [
    {
      name: 'tilebench_0.2.0_amd64.deb',
      bytes: packageBytes.length,
      sha256: createHash('sha256').update(packageBytes).digest('hex'),
    },
  ],
};
let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tilebench-updates-'));
  file = join(dir, feed.files[0]!.name);
  writeFileSync(file, packageBytes);
  publish(JSON.stringify(feed));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function publish(text: string, by = pair.privateKey): void {
  writeFileSync(join(dir, feedFile), text);
  writeFileSync(join(dir, signatureFile), sign(null, Buffer.from(text), by).toString('base64'));
}

test('a feed in a folder is read, and its package is held against it', async () => {
  const read = await fetchFeed(dir, key);
  expect(read.version).toBe('0.2.0');
  await holdFile(read, file);
});

describe('refused', () => {
  const notSigned = 'not signed by the key';
  test('a feed that was changed by one byte', async () => {
    const path = join(dir, feedFile);
    writeFileSync(path, readFileSync(path, 'utf8').replace('0.2.0', '9.2.0'));
    await expect(fetchFeed(dir, key)).rejects.toThrow(notSigned);
  });
  test('a feed that somebody else signed', async () => {
    publish(JSON.stringify(feed), generateKeyPairSync('ed25519').privateKey);
    await expect(fetchFeed(dir, key)).rejects.toThrow(notSigned);
  });
  test.each(['', 'AAAA', 'no base64 at all'])('the signature %p', (signature) => {
    expect(() => readFeed(Buffer.from('{}'), signature, key)).toThrow(notSigned);
  });
  test('a feed of no known form, one that is not there, one that is huge, one without TLS', async () => {
    publish('no JSON');
    await expect(fetchFeed(dir, key)).rejects.toThrow('does not know');
    publish(JSON.stringify({ ...feed, format: 2 }));
    await expect(fetchFeed(dir, key)).rejects.toThrow('does not know');
    publish(JSON.stringify({ ...feed, files: [{ ...feed.files[0], name: '../../etc/passwd' }] }));
    await expect(fetchFeed(dir, key)).rejects.toThrow('does not know');
    truncateSync(join(dir, feedFile), 2 * 1024 * 1024);
    await expect(fetchFeed(dir, key)).rejects.toThrow('larger than');
    await expect(fetchFeed(join(dir, 'gone'), key)).rejects.toThrow('cannot be read');
    await expect(fetchFeed('http://127.0.0.1/updates', key)).rejects.toThrow('https:');
  });
  test('a package that was changed, cut off, lengthened or is not named', async () => {
    const read = await fetchFeed(dir, key);
    writeFileSync(file, Buffer.from('a Package'));
    await expect(holdFile(read, file)).rejects.toThrow('not the file that was published');
    writeFileSync(file, packageBytes.subarray(1));
    await expect(holdFile(read, file)).rejects.toThrow('not the file that was published');
    writeFileSync(file, packageBytes);
    appendFileSync(file, '!');
    await expect(holdFile(read, file)).rejects.toThrow('not the file that was published');
    await expect(holdFile(read, join(dir, 'other.deb'))).rejects.toThrow('not in the feed');
  });
  test('a key that is none, or of another kind', () => {
    expect(() => updateKey('nothing')).toThrow('no public Ed25519 key');
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    expect(() => updateKey(pem)).toThrow('no public Ed25519 key');
    const good = createPublicKey(pair.privateKey).export({ type: 'spki', format: 'pem' });
    expect(updateKey(good.toString()).asymmetricKeyType).toBe('ed25519');
  });
});

test.each([
  ['0.2.0', '0.1.9', true],
  ['0.10.0', '0.9.0', true],
  ['1.0.0', '0.9.9', true],
  ['0.1.0', '0.1.0', false],
  ['0.1.0', '0.2.0', false],
  ['0.9.9', '1.0.0', false],
])('%s is newer than %s: %p', (offered, installed, newer) => {
  expect(isNewer(offered, installed)).toBe(newer);
});
