import { type Ended, runProgram, secondsOfTimes } from './program.ts';

const node = (script: string): readonly string[] => [process.execPath, '-e', script];
const run = (
  command: readonly string[],
  silentMs = 60_000,
): Promise<Ended & { printed: string }> => {
  let printed = '';
  return runProgram({
    name: 'it',
    command,
    cwd: process.cwd(),
    silentMs,
    print: (text) => {
      printed += text;
    },
  }).then((ended) => ({ ...ended, printed }));
};

test('the code, both outputs line by line, and the processor time', async () => {
  const ended = await run(node('console.log("a\\nb"); console.error("c"); process.exitCode = 7'));
  expect(ended.code).toBe(7);
  expect(ended.text.split('\n').sort()).toEqual(['a', 'b', 'c']);
  expect(ended.printed.split('\n').sort()).toEqual(['', 'a', 'b', 'c']);
  expect(ended.cpuSeconds).toBeGreaterThan(0);
});

test('who prints nothing is ended, with its children, and its last line is told', async () => {
  // A shell has said its word long before its silence is over, however busy the machine is.
  const ended = await run(['/bin/sh', '-c', 'sleep 1000 & echo $!; wait'], 3_000);
  const [pid, reason] = ended.text.split('\n');
  expect(ended.code).toBe(1);
  expect(reason).toBe(`it printed nothing for 0.05 minutes: ended. Its last line: ${pid}`);
  // A process that is gone, or waits to be reaped by whoever runs these tests, does nothing any
  // more.
  await expect(stateOf(Number(pid))).resolves.toMatch(/^(gone|Z)$/);
});

/** Once it is gone or waits to be reaped; a process that runs on is waited for until the test's limit. */
async function stateOf(pid: number): Promise<string> {
  const { existsSync, readFileSync } = await import('node:fs');
  const { setTimeout: pause } = await import('node:timers/promises');
  const path = `/proc/${pid}/stat`;
  while (existsSync(path)) {
    const text = readFileSync(path, 'latin1');
    const state = text.slice(text.lastIndexOf(')') + 2, text.lastIndexOf(')') + 3);
    if (state === 'Z') return state;
    await pause(10);
  }
  return 'gone';
}

test('a program that is not there is told of', async () => {
  const ended = await runProgram({
    name: 'it',
    command: ['/no/such/program'],
    cwd: process.cwd(),
    silentMs: 60_000,
    print: () => undefined,
  });
  expect(ended.code).not.toBe(0);
  expect(ended.text).toContain('/no/such/program');
});

test("the shell's times of its children", () => {
  expect(secondsOfTimes('0m0.00s 0m0.01s\n1m2.50s 0m0.50s\n')).toBe(63);
  expect(secondsOfTimes('')).toBeNull();
});
