import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { feedFile, signatureFile } from '../updates.ts';
import { runHere } from './testing/runHere.ts';

const dir = mkdtempSync(join(tmpdir(), 'tilebench-update-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const key = join(dir, 'key.pem');
const name = 'tilebench_99.0.0_amd64.deb';
beforeAll(() => {
  writeFileSync(key, publicKey.export({ type: 'spki', format: 'pem' }));
  writeFileSync(join(dir, name), 'package');
  const feed = Buffer.from(
    JSON.stringify({
      format: 1,
      version: '99.0.0',
      publishedAt: '2026-11-23T12:00:00Z',
      notes: '- Faster.',
      files: [{ name, bytes: 7, sha256: createHash('sha256').update('package').digest('hex') }],
    }),
  );
  writeFileSync(join(dir, feedFile), feed);
  writeFileSync(join(dir, signatureFile), sign(null, feed, privateKey).toString('base64'));
});
const from = ['--feed', dir, '--key', key];

test('a newer version is told with its notes', async () => {
  const { code, out } = await runHere('update', 'check', ...from);
  expect(out).toContain('Tilebench 99.0.0 is there, of 2026-11-23');
  expect(out).toContain('- Faster.');
  expect(code).toBe(0);
});
test('a settings file that the environment names stands in for that of the machine', async () => {
  const settings = join(dir, 'updates.json');
  writeFileSync(settings, JSON.stringify({ feed: dir, key }));
  const before = process.env['TILEBENCH_UPDATES'];
  process.env['TILEBENCH_UPDATES'] = settings;
  try {
    expect((await runHere('update', 'check')).out).toContain('Tilebench 99.0.0 is there');
  } finally {
    if (before === undefined) delete process.env['TILEBENCH_UPDATES'];
    else process.env['TILEBENCH_UPDATES'] = before;
  }
});
test('a package that was carried here is held against it; a changed one is bad input', async () => {
  const good = await runHere('update', 'verify', join(dir, name), ...from);
  expect(good.out).toContain('is what was published as 99.0.0');
  expect(good.code).toBe(0);
  writeFileSync(join(dir, name), 'Package');
  const bad = await runHere('update', 'verify', join(dir, name), ...from);
  expect(bad.err).toContain('is not the file that was published');
  expect(bad.code).toBe(2);
});
