import { type Crash, crashFile, howItEnded, keepTail, surplusReports } from './crashReport.ts';

const crash: Crash = {
  process: 'engine',
  how: 'signal SIGSEGV',
  atMs: Date.UTC(2026, 10, 23, 16, 5, 9, 7),
  ranMs: 61_234,
  lastWords: 'FATAL ERROR: heap out of memory\n',
};

test('a report names process, time, how it ended, versions and its last words', () => {
  const { name, text } = crashFile(crash, { Tilebench: '0.1.0', System: 'linux x64 6.1' });
  expect(name).toBe('crash-2026-11-23T16-05-09-007Z-engine.txt');
  expect(text).toContain('Process: The engine');
  expect(text).toContain('Ended: 2026-11-23T16:05:09.007Z, after 61.2 s');
  expect(text).toContain('How: signal SIGSEGV\nTilebench: 0.1.0\nSystem: linux x64 6.1\n');
  expect(text).toContain('Last words:\nFATAL ERROR: heap out of memory\n');
});

test('a process that said nothing, and of which it is not known how long it ran', () => {
  const { text } = crashFile({ ...crash, ranMs: null, lastWords: ' \n' }, {});
  expect(text).toContain('Ended: 2026-11-23T16:05:09.007Z\n');
  expect(text).toContain('Last words:\n(none)\n');
});

test('the newest twenty reports are kept, and nothing that is no report is touched', () => {
  const reports = Array.from(
    { length: 23 },
    (_, n) => crashFile({ ...crash, atMs: crash.atMs + n }, {}).name,
  );
  const folder = ['tilebench.log', 'crash-notes.txt', ...reports.toReversed()];
  expect(surplusReports(folder)).toEqual(reports.slice(0, 3));
  expect(surplusReports(reports.slice(0, 20))).toEqual([]);
});

test.each([
  [134, null, 'exit code 134'],
  [null, 'SIGKILL', 'signal SIGKILL'],
  [null, null, 'exit code unknown'],
])('exit %p, %p is told as %p', (code, signal, words) => {
  expect(howItEnded(code, signal)).toBe(words);
});

test('of much that was written the end is kept, from a whole line on', () => {
  const tail = keepTail(20);
  tail.add('short\n');
  expect(tail.text()).toBe('short\n');
  for (let n = 0; n < 100; n += 1) tail.add(`line ${n}\n`);
  expect(tail.text()).toBe('line 98\nline 99\n');
});
