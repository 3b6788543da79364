import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { toAppError } from '../src/core/base/errors.ts';
import { defaultDataDir } from './dataDir.ts';
import { createLog } from './log.ts';
import { createSecrets, sessionVault } from './secrets.ts';
import { createTrustFile } from './trustFile.ts';

const dir = mkdtempSync(join(tmpdir(), 'tilebench-host-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('secrets', () => {
  const secrets = createSecrets(sessionVault(), {
    VC: 'from env',
    TILEBENCH_SECRET_VC_1: 'fallback',
  });
  test('from the environment', async () =>
    expect(await secrets.get({ env: 'VC' })).toBe('from env'));
  test('from a file, without its last line break', async () => {
    writeFileSync(join(dir, 'secret'), 'a b\n\n');
    expect(await secrets.get({ file: join(dir, 'secret') })).toBe('a b\n');
  });
  test('of this session, before the fallback', async () => {
    expect(await secrets.get({ keychain: 'vc-1' })).toBe('fallback');
    await secrets.set('vc-1', 'typed');
    expect(await secrets.get({ keychain: 'vc-1' })).toBe('typed');
    await secrets.remove('vc-1');
    expect(await secrets.get({ keychain: 'vc-1' })).toBe('fallback');
  });
  test.each([
    [{ env: 'NONE' }, /NONE is not set/],
    [{ file: '/nowhere/x' }, /\/nowhere\/x does not exist/],
    [{ keychain: 'other' }, /stored for this connection/],
  ])('%j is missing', async (ref, message) => {
    await expect(secrets.get(ref)).rejects.toMatchObject({
      kind: 'authFailed',
      message: expect.stringMatching(message) as string,
      hint: expect.any(String) as string,
    });
  });
});

test('the place of a missing password is no word for a person: it stands behind', async () => {
  const missing = createSecrets(sessionVault(), {}).get({ keychain: 'vcenter-27dd10b8' });
  const { message, hint, details } = toAppError(await missing.catch((error: unknown) => error));
  expect(`${message} ${hint}`).not.toMatch(/27dd10b8|TILEBENCH/i);
  expect(details?.['technical']).toContain('TILEBENCH_SECRET_VCENTER_27DD10B8');
});

describe('what a file that is named as a secret may be', () => {
  const secrets = createSecrets(sessionVault(), {});
  const fifo = join(dir, 'fifo');
  const big = join(dir, 'big');
  const binary = join(dir, 'binary');
  beforeAll(() => {
    execFileSync('mkfifo', [fifo]);
    writeFileSync(big, 'x'.repeat(64 * 1024 + 1));
    writeFileSync(binary, Buffer.from([97, 0, 98]));
  });
  test.each([
    ['a folder', () => dir, /is a folder/],
    ['a fifo, which is not waited for', () => fifo, /is a pipe/],
    ['a device', () => '/dev/zero', /is a device/],
    ['a file larger than a secret', () => big, /larger than 64 KiB/],
    ['a file that is larger than it says', () => '/proc/kallsyms', /larger than 64 KiB/],
    ['no text', () => binary, /is not text/],
  ])('%s is refused', (_what, path, message) =>
    expect(secrets.get({ file: path() })).rejects.toMatchObject({
      kind: 'authFailed',
      message: expect.stringMatching(message) as string,
    }),
  );
  test('a variable that stands in for a keychain entry is named as the source', async () => {
    const stored = sessionVault();
    const both = createSecrets(stored, { TILEBENCH_SECRET_VC_1: 'v' });
    expect(await both.sourceOf({ keychain: 'vc-1' })).toEqual({ env: 'TILEBENCH_SECRET_VC_1' });
    await stored.set('vc-1', 'typed');
    expect(await both.sourceOf({ keychain: 'vc-1' })).toEqual({ keychain: 'vc-1' });
  });
});

describe('trusted host keys', () => {
  const path = join(dir, 'deep', 'trust.json');
  test('are remembered by host and port, for the owner only', () => {
    const store = createTrustFile(path);
    expect(store.get('Host', 22)).toBeNull();
    store.save('Host', 22, 'SHA256:a');
    store.save('host', 2222, 'SHA256:b');
    expect([
      createTrustFile(path).get('hOST', 22),
      createTrustFile(path).get('host', 2222),
    ]).toEqual(['SHA256:a', 'SHA256:b']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
  test('a damaged file is no empty file', () => {
    writeFileSync(path, '{"a":');
    expect(() => createTrustFile(path).get('a', 1)).toThrow(/damaged/);
  });
});

test('the log rotates and keeps stacks', () => {
  const lines: string[] = [];
  const log = createLog({
    dir: join(dir, 'logs'),
    level: 'info',
    stderrLevel: 'error',
    maxBytes: 300,
    now: () => 0,
    stderr: (line) => lines.push(line),
  });
  log.debug('not this');
  for (let i = 0; i < 10; i += 1) log.info(`line ${i}`, { i });
  log.error('bad', { thrown: new TypeError('x') });
  const text = readFileSync(join(dir, 'logs', 'tilebench.log'), 'utf8');
  expect(JSON.parse(text.trim().split('\n').at(-1)!)).toMatchObject({
    at: '1970-01-01T00:00:00.000Z',
    level: 'error',
    text: 'bad',
    facts: { thrown: { message: 'x', stack: expect.stringContaining('TypeError') as string } },
  });
  expect(statSync(join(dir, 'logs', 'tilebench.log.1')).size).toBeLessThanOrEqual(300);
  expect(lines).toHaveLength(1);
});

test('a log that cannot be written is told once and stops nothing; a part that somebody removed is not missed', () => {
  const lines: string[] = [];
  const options = {
    level: 'info',
    stderrLevel: 'error',
    maxBytes: 300,
    stderr: (line: string) => lines.push(line),
  } as const;
  writeFileSync(join(dir, 'file'), '');
  const nowhere = createLog({ ...options, dir: join(dir, 'file', 'logs') });
  for (let i = 0; i < 3; i += 1) nowhere.info('lost');
  expect(lines).toEqual([expect.stringContaining('cannot be written')]);
  const log = createLog({ ...options, dir: join(dir, 'logs') });
  log.info('x'.repeat(300));
  rmSync(join(dir, 'logs', 'tilebench.log'));
  log.info('kept');
  expect(readFileSync(join(dir, 'logs', 'tilebench.log'), 'utf8')).toContain('kept');
  expect(lines).toHaveLength(1);
});

test('data folder', () => {
  expect(defaultDataDir({ TILEBENCH_DATA: '/x', XDG_DATA_HOME: '/y' }, 'linux')).toBe('/x');
  expect(defaultDataDir({ XDG_DATA_HOME: '/y' }, 'linux')).toBe('/y/tilebench');
  expect(defaultDataDir({}, 'darwin')).toMatch(/Application Support\/Tilebench$/);
});
