import { fail } from '../../../src/core/base/errors.ts';
import type { Clock } from '../deps.ts';
import { offsetOf } from './clockOffset.ts';
import { within } from './deadline.ts';
import { createGate } from './gate.ts';
import { jobEnd, parseExit } from './remoteJob.ts';
import { reportOf } from './testConnection.ts';

describe('clock offset', () => {
  test('the quickest round trip counts, and its half is the error', () => {
    const base = 1_795_231_447_500;
    const slow = { sentMs: base, receivedMs: base + 100, remote: '1795231537600000000' };
    const quick = { sentMs: base + 200, receivedMs: base + 210, remote: '1795231537705000000' };
    expect(offsetOf([slow, quick])).toEqual({ offsetMs: 90_000, errorMs: 6 });
  });
  test.each([
    [
      'nanoseconds',
      '1795231447500000000',
      0,
      1_795_231_447_500,
      1_795_231_447_500,
      { offsetMs: 0, errorMs: 1 },
    ],
    [
      'seconds only',
      '1795231447',
      0,
      1_795_231_447_500,
      1_795_231_447_500,
      { offsetMs: 0, errorMs: 501 },
    ],
    [
      'busybox prints N',
      '1795231447N',
      0,
      1_795_231_447_500,
      1_795_231_447_500,
      { offsetMs: 0, errorMs: 501 },
    ],
  ])('%s', (_name, remote, _zero, sentMs, receivedMs, expected) =>
    expect(offsetOf([{ sentMs, receivedMs, remote }])).toEqual(expected),
  );
  test('nonsense is no reading', () =>
    expect(offsetOf([{ sentMs: 0, receivedMs: 1, remote: 'date: not found' }])).toBeNull());
});

describe('job ends', () => {
  test('exit files', () => {
    expect(parseExit('0 1795231447500 done\n')).toEqual({
      code: 0,
      endMs: 1_795_231_447_500,
      reason: 'done',
      ranMs: null,
    });
    expect(parseExit('0 1795231447500 done 40010\n').ranMs).toBe(40_010);
    expect(jobEnd('ended', parseExit('143 7000 limit'), 2_000, 10, 'x')).toEqual({
      exitCode: 143,
      signal: 'SIGTERM',
      bytes: 10,
      stderrTail: 'x\n[tilebench] The job was ended by its own time limit.',
      ranMs: 5_000,
    });
    expect(jobEnd('ended', parseExit('1 1 done 3000'), 9_000, 0, 'x\n')).toEqual({
      exitCode: 1,
      signal: null,
      bytes: 0,
      stderrTail: 'x\n',
      ranMs: 3_000,
    });
    expect(jobEnd('rebooted', null, 0, 0, '')).toMatchObject({
      exitCode: null,
      signal: 'rebooted',
    });
    expect(jobEnd('lost', null, 0, 0, '')).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
  });
});

describe('gate', () => {
  test('lets a limited number in, in order, and forgets who gave up', async () => {
    const gate = createGate(2);
    const order: number[] = [];
    const doors: (() => void)[] = [];
    const enter = (n: number, signal?: AbortSignal): Promise<void> =>
      gate.run(
        () =>
          new Promise<void>((resolve) => {
            order.push(n);
            doors.push(resolve);
          }),
        signal,
      );
    const abort = new AbortController();
    const all = [enter(1), enter(2), enter(3, abort.signal), enter(4)];
    const gaveUp = expect(all[2]).rejects.toMatchObject({ kind: 'aborted' });
    await Promise.resolve();
    expect(order).toEqual([1, 2]);
    abort.abort();
    doors[0]?.();
    await all[0];
    await Promise.resolve();
    expect(order).toEqual([1, 2, 4]);
    doors.forEach((open) => open());
    await Promise.all([all[1], all[3], gaveUp]);
    await expect(gate.run(() => Promise.reject(new Error('inside')))).rejects.toThrow('inside');
    await expect(gate.run(() => Promise.resolve(5))).resolves.toBe(5);
  });
});

describe('deadline', () => {
  const never = (): Promise<never> => new Promise(() => undefined);
  const clockOf = (sleep: Clock['sleep']): Clock => ({ now: () => 0, sleep });
  const late = (): Error & ReturnType<typeof fail> => fail('timedOut', 'late');

  test('ends work that is late, cancelled or done', async () => {
    let seen: AbortSignal | null = null;
    const hang = (signal: AbortSignal): Promise<never> => {
      seen = signal;
      return never();
    };
    await expect(
      within(
        clockOf(() => Promise.resolve()),
        5,
        undefined,
        'x',
        late,
        hang,
      ),
    ).rejects.toMatchObject({ kind: 'timedOut' });
    expect(seen).toMatchObject({ aborted: true });
    const abort = new AbortController();
    const cancelled = within(clockOf(never), 5, abort.signal, 'x', late, hang);
    abort.abort();
    await expect(cancelled).rejects.toMatchObject({ kind: 'aborted' });
    await expect(within(clockOf(never), 5, abort.signal, 'x', late, hang)).rejects.toMatchObject({
      kind: 'aborted',
    });
    await expect(
      within(clockOf(never), 5, undefined, 'x', late, () => Promise.resolve(7)),
    ).resolves.toBe(7);
  });
});

describe('test report', () => {
  const notes = new Map([
    ['name', ['n']],
    ['port', ['p', 'q']],
    ['tls', ['t']],
    ['pin', ['k']],
    ['authentication', ['a']],
    ['permission', ['w']],
  ]);
  test('all well', () =>
    expect(reportOf(notes, null)).toMatchObject({
      ok: true,
      steps: [
        { step: 'name' },
        { step: 'port', detail: 'p; q' },
        {},
        {},
        {},
        { step: 'permission', ok: true },
      ],
    }));
  test('stops at the step the error names, also behind a jump host that got further', () => {
    const report = reportOf(notes, fail('unreachable', 'no', 'do', { step: 'port' }));
    expect(report).toEqual({
      ok: false,
      steps: [
        { step: 'name', ok: true, detail: 'n' },
        { step: 'port', ok: false, detail: 'no', fix: 'do' },
      ],
    });
  });
  test('an error without a step belongs to the first step not passed', () => {
    expect(reportOf(new Map([['name', ['n']]]), new Error('odd')).steps.at(-1)).toEqual({
      step: 'port',
      ok: false,
      detail: 'odd',
    });
  });
});
