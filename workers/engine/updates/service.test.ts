import { fail } from '../../../src/core/base/errors.ts';
import type { Feed, UpdateEdge } from '../deps/updates.ts';
import { createUpdateService } from './service.ts';

const dayMs = 86_400_000;
const feed: Feed = {
  version: '0.2.0',
  publishedAt: '2026-11-20T12:00:00Z',
  notes: '- Faster.',
  files: [{ name: 'tilebench_0.2.0_amd64.deb', bytes: 7, sha256: 'ab'.repeat(32) }],
};

/** A service whose clock is moved by hand. */
function start(edge: Partial<UpdateEdge> | undefined) {
  let nowMs = 0;
  let running = false;
  const looks: number[] = [];
  const wakes: { atMs: number; wake: () => void }[] = [];
  const updates: UpdateEdge = {
    setIn: '/etc/tilebench/updates.json',
    feed: () => '/srv/tilebench',
    read: async () => feed,
    ...edge,
  };
  const told: unknown[] = [];
  const service = createUpdateService({
    deps: {
      version: '0.1.0',
      clock: {
        now: () => nowMs,
        sleep: (ms: number, signal?: AbortSignal) =>
          new Promise<void>((wake, failed) => {
            wakes.push({ atMs: nowMs + ms, wake });
            signal?.addEventListener('abort', () => failed(fail('aborted', 'Cancelled.')));
          }),
      },
      log: { warn: () => undefined },
      ...(edge && {
        updates: {
          ...updates,
          read: () => {
            looks.push(nowMs);
            return updates.read();
          },
        },
      }),
    } as unknown as Parameters<typeof createUpdateService>[0]['deps'],
    emit: (_event, payload) => told.push(payload),
    isRunning: () => running,
  });
  const settle = (): Promise<void> => new Promise((done) => setImmediate(done));
  return {
    ...service,
    looks,
    told,
    run: (on: boolean) => {
      running = on;
    },
    async pass(ms: number): Promise<void> {
      const untilMs = nowMs + ms;
      for (;;) {
        await settle();
        const next = wakes.filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0];
        if (next === undefined) break;
        wakes.splice(wakes.indexOf(next), 1);
        nowMs = next.atMs;
        next.wake();
      }
      nowMs = untilMs;
    },
  };
}
const never = new AbortController().signal;
const state = (of: ReturnType<typeof start>) => of.methods['update.state']({}, never);

test('a minute after the start, then once a day: what is newer is told', async () => {
  const at = start({});
  const ending = new AbortController();
  const watched = at.watch(ending.signal);
  await at.pass(2 * dayMs);
  expect(at.looks).toEqual([60_000, 60_000 + dayMs]);
  expect(at.newer()).toEqual({ newer: '0.2.0' });
  expect(at.told).toHaveLength(2);
  expect(await state(at)).toMatchObject({ installed: '0.1.0', offered: { version: '0.2.0' } });
  ending.abort();
  await watched;
});

test('while a run goes on nothing is looked for, and soon after it is', async () => {
  const at = start({});
  const ending = new AbortController();
  const watched = at.watch(ending.signal);
  at.run(true);
  await at.pass(3 * 3_600_000);
  expect(at.looks).toEqual([]);
  at.run(false);
  await at.pass(600_000);
  expect(at.looks).toHaveLength(1);
  ending.abort();
  await watched;
});

test('a version that is not newer is not offered', async () => {
  const at = start({ read: async () => ({ ...feed, version: '0.1.0' }) });
  expect(await at.methods['update.check']({}, never)).toMatchObject({ offered: null, fault: null });
  expect(at.newer()).toEqual({});
});

test('a feed that cannot be used is told in words; what was offered before stays', async () => {
  let broken = false;
  const at = start({
    read: async () => {
      if (broken) throw fail('invalidInput', 'The feed is not signed.', 'Ask who keeps it.');
      return feed;
    },
  });
  await at.methods['update.check']({}, never);
  broken = true;
  expect(await at.methods['update.check']({}, never)).toMatchObject({
    offered: { version: '0.2.0' },
    fault: 'The feed is not signed. Ask who keeps it.',
  });
});

test('a setting that makes no sense is told, and nothing is looked for', async () => {
  const at = start({
    feed: () => {
      throw fail('invalidInput', 'updates.json does not name a feed and a key.');
    },
  });
  const ending = new AbortController();
  const watched = at.watch(ending.signal);
  await at.pass(dayMs);
  expect(at.looks).toEqual([]);
  expect(await state(at)).toMatchObject({ feed: null, fault: expect.stringContaining('name') });
  ending.abort();
  await watched;
});

test('no feed: nothing is looked for, and a package is not called good', async () => {
  const at = start({ feed: () => null });
  expect(await state(at)).toMatchObject({ feed: null, fault: null, checkedAtMs: null });
  await expect(at.methods['update.hold'](feed.files[0]!, never)).rejects.toThrow('No feed');
  const without = start(undefined);
  await without.watch(never);
  expect(await state(without)).toMatchObject({ feed: null });
});

test('a package is held by name, length and content', async () => {
  const at = start({});
  const [file] = feed.files;
  expect(await at.methods['update.hold'](file!, never)).toEqual({ version: '0.2.0', newer: true });
  for (const other of [
    { ...file!, name: 'other.deb' },
    { ...file!, bytes: 8 },
    { ...file!, sha256: 'cd'.repeat(32) },
  ])
    await expect(at.methods['update.hold'](other, never)).rejects.toMatchObject({
      kind: 'invalidInput',
    });
});
