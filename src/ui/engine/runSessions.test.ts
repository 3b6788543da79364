import { packSamples } from '../../core/metric/metric.ts';
import type { Client } from '../../wire/contract.ts';
import { testOverview, testStartMs } from '../pages/live/testing/overview.ts';
import { createRunSessions } from './runSessions.ts';

/** An engine that counts who follows what, and sends samples to them only. */
function fakeEngine() {
  const followed = new Map<string, number>();
  const samples = new Set<(event: { runId: string; batch: Float64Array }) => void>();
  const reads: string[] = [];
  const client = {
    call: async (method: string, input: { id?: string; runId?: string }) => {
      if (method === 'run.overview') return testOverview({ id: input.id! });
      reads.push(input.runId!);
      return [];
    },
    on: (event: string, listener: (event: { runId: string; batch: Float64Array }) => void) => {
      if (event === 'run.samples') samples.add(listener);
      return () => samples.delete(listener);
    },
    follow: (runId: string) => {
      followed.set(runId, (followed.get(runId) ?? 0) + 1);
      return () => followed.set(runId, followed.get(runId)! - 1);
    },
    onGap: () => () => undefined,
    onState: () => () => undefined,
    close: () => undefined,
  } as unknown as Client;
  const send = (runId: string): void => {
    const batch = packSamples([[0, testStartMs, 1]]);
    for (const listener of samples) listener({ runId, batch });
  };
  return { client, followed, reads, send, listeners: () => samples.size };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('parts of a page share one connection; the samples go when the last has left', async () => {
  const engine = fakeEngine();
  const sessions = createRunSessions(engine.client);
  const { live } = sessions;
  const board = sessions.open('r');
  const panel = sessions.open('r');
  expect(engine.followed.get('r')).toBe(1);
  engine.send('r');
  expect(live.lastMs('r')).toBe(testStartMs);
  board.leave();
  board.leave();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(live.lastMs('r')).toBe(testStartMs);
  panel.leave();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(engine.followed.get('r')).toBe(0);
  expect(engine.listeners()).toBe(0);
  expect(live.lastMs('r')).toBeNaN();
  expect(sessions.held()).toEqual([]);
});

test('a page that follows the one before it finds its samples', async () => {
  const engine = fakeEngine();
  const sessions = createRunSessions(engine.client);
  const { live } = sessions;
  const board = sessions.open('r');
  engine.send('r');
  const line = live.source('r', 0);
  board.leave();
  await jest.advanceTimersByTimeAsync(100);
  const presenter = sessions.open('r');
  await jest.advanceTimersByTimeAsync(60_000);
  expect(live.source('r', 0)).toBe(line);
  expect(engine.followed.get('r')).toBe(1);
  presenter.leave();
});

test('sixty runs watched one after the other leave the memory of none', async () => {
  const engine = fakeEngine();
  const sessions = createRunSessions(engine.client);
  for (let i = 0; i < 60; i += 1) {
    const session = sessions.open(`r${i}`);
    engine.send(`r${i}`);
    session.leave();
    await jest.advanceTimersByTimeAsync(3_000);
    expect(sessions.held().length).toBeLessThanOrEqual(2);
  }
});

test('two clients that follow runs of one id: the end of one session leaves the samples of the other', async () => {
  const [before, after] = [fakeEngine(), fakeEngine()];
  createRunSessions(before.client).open('r').leave();
  const sessions = createRunSessions(after.client);
  const board = sessions.open('r');
  after.send('r');
  await jest.advanceTimersByTimeAsync(60_000);
  expect(before.followed.get('r')).toBe(0);
  expect(sessions.live.lastMs('r')).toBe(testStartMs);
  board.leave();
});
