import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createSessions, knownForMs } from './sessions.ts';

const dir = mkdtempSync(join(tmpdir(), 'tilebench-sessions-'));
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});
let nowMs = 1_000;
let faults: unknown[] = [];
let made = 0;
const open = (path = join(dir, 'sessions.json')) =>
  createSessions({ path, now: () => nowMs, onFault: (thrown) => faults.push(thrown) });
const another = (): string => join(dir, `${(made += 1)}.json`);
beforeEach(() => {
  nowMs = 1_000;
  faults = [];
});

test('a browser is known to the next process on the same folder; the file lets nobody in', () => {
  const path = another();
  const secret = open(path).begin();
  expect(open(path).knows(secret)).toBe(true);
  expect(open(another()).knows(secret)).toBe(false);
  const text = readFileSync(path, 'utf8');
  expect(text).not.toContain(secret);
  const digests = (JSON.parse(text) as { sessions: { digest: string }[] }).sessions;
  expect(digests.map(({ digest }) => open(path).knows(digest))).toEqual([false]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('who was not seen for a week is forgotten; who was seen meanwhile is not', () => {
  const path = another();
  const [first, second] = [open(path).begin(), open(path).begin()];
  const both = open(path);
  nowMs += knownForMs - 1;
  expect(open(path).knows(second)).toBe(true);
  nowMs += 1;
  expect([both.knows(first), open(path).knows(first), open(path).knows(second)]).toEqual([
    false,
    false,
    true,
  ]);
});

test('only so many are kept: the longest unseen goes first', () => {
  const path = another();
  const sessions = open(path);
  const secrets = Array.from({ length: 70 }, () => {
    nowMs += 1;
    return sessions.begin();
  });
  expect(secrets.map((secret) => open(path).knows(secret))).toEqual(secrets.map((_, i) => i >= 6));
});

test.each([
  ['no JSON', '{'],
  ['another form', '{"tilebenchSessions":2,"sessions":[]}'],
  [
    'a secret in place of a digest',
    '{"tilebenchSessions":1,"sessions":[{"digest":"x","seenMs":1}]}',
  ],
  ['a time without end', '{"tilebenchSessions":1,"sessions":[{"digest":"x","seenMs":1e999}]}'],
])('a damaged file (%s) is told, and everybody comes in anew', (_name, text) => {
  const path = another();
  writeFileSync(path, text);
  const sessions = open(path);
  expect(faults).toHaveLength(1);
  expect(sessions.knows('')).toBe(false);
  const secret = sessions.begin();
  expect(open(path).knows(secret)).toBe(true);
});

test('where the file cannot be written, browsers are known as long as the process lives', () => {
  const sessions = open(join(dir, 'missing', 'sessions.json'));
  const secret = sessions.begin();
  expect([sessions.knows(secret), faults.length]).toEqual([true, 1]);
});
