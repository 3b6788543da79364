import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';

import { lockFolder } from './lock.ts';

let dir: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tilebench-lock-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(dir, { recursive: true, force: true });
});

interface Contender {
  pid: number;
  say(line: string): Promise<string>;
  /** SIGKILL to the process that takes locks, which need not be the one that was spawned. */
  kill(): Promise<void>;
}
/**
 * A process that takes locks; `through` a shell that never waits for its children, so that a killed
 * one stays a zombie.
 */
async function contender(through: 'node' | 'shell' = 'node'): Promise<Contender> {
  const program = [process.execPath, resolve('workers/engine/db/testing/lockChild.ts')] as const;
  const child =
    through === 'node'
      ? spawn(program[0], [program[1]], { stdio: ['pipe', 'pipe', 'inherit'] })
      : spawn('sh', ['-c', `exec 3<&0; "${program[0]}" "${program[1]}" <&3 & exec sleep 300`], {
          stdio: ['pipe', 'pipe', 'inherit'],
        });
  children.push(child);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async (): Promise<string> => String((await lines.next()).value);
  const pid = Number((await next()).slice('pid '.length));
  return {
    pid,
    say(line) {
      child.stdin.write(`${line}\n`);
      return next();
    },
    async kill() {
      const gone = through === 'node' ? once(child, 'exit') : null;
      process.kill(pid, 'SIGKILL');
      await gone;
    },
  };
}

test('of four that start at once exactly one gets in, round after round, also when each owner is killed', async () => {
  const rounds = 20;
  const four = await Promise.all([1, 2, 3, 4].map(() => contender()));
  for (let round = 0; round < rounds; round += 1) {
    const folder = join(dir, `folder-${round % 3}`);
    const answers = await Promise.all(four.map((one) => one.say(`take ${folder}`)));
    const winners = four.filter((_, i) => answers[i] === 'got');
    expect({ round, winners: winners.length, answers }).toMatchObject({ round, winners: 1 });
    for (const answer of answers.filter((text) => text !== 'got'))
      expect(answer).toMatch(/^conflict: The data folder .* is in use by /);
    if (round % 4 === 3) {
      await winners[0]!.kill();
      four.splice(four.indexOf(winners[0]!), 1, await contender());
    } else expect(await winners[0]!.say('drop')).toBe('dropped');
  }
});

test('a refusal names who has the folder: process, computer and time', async () => {
  const owner = await contender();
  expect(await owner.say(`take ${dir}`)).toBe('got');
  expect(() => lockFolder(dir)).toThrow(
    expect.objectContaining({
      kind: 'conflict',
      message: expect.stringMatching(
        new RegExp(`in use by process ${owner.pid} on .+ since \\d{4}-`),
      ),
      details: expect.objectContaining({ heldBy: 'engine', pid: owner.pid }),
    }),
  );
});

test('a zombie does not hold the folder', async () => {
  const owner = await contender('shell');
  expect(await owner.say(`take ${dir}`)).toBe('got');
  await owner.kill();
  const stateOf = (): string => readFileSync(`/proc/${owner.pid}/stat`, 'utf8').split(') ')[1]![0]!;
  while (stateOf() !== 'Z') await new Promise((done) => setImmediate(done));
  lockFolder(dir)();
});

test.each([
  ['nothing', ''],
  ['the text of an earlier version, with the process id of one that lives', `${process.pid} 1\n`],
  ['a holder with a reused process id', JSON.stringify({ pid: 1, sinceMs: 0, host: 'here' })],
  ['garbage', '\0\xff{'],
])('what lies in engine.lock locks nothing: %s', (_what, text) => {
  writeFileSync(join(dir, 'engine.lock'), text);
  const unlock = lockFolder(dir);
  expect(JSON.parse(readFileSync(join(dir, 'engine.lock'), 'utf8'))).toMatchObject({
    pid: process.pid,
  });
  unlock();
  expect(readdirSync(dir)).toEqual(['engine-lock.sqlite']);
});

test('one process does not get in twice, and a refused try does not cost the first its lock', async () => {
  const unlock = lockFolder(dir);
  expect(() => lockFolder(dir)).toThrow(/in use by process/);
  expect(await (await contender()).say(`take ${dir}`)).toMatch(/^conflict/);
  unlock();
  lockFolder(dir)();
});

test('a thread that is ended lets go, while its process lives on', async () => {
  const thread = new Worker(
    `const { parentPort } = require('node:worker_threads');
     import(${JSON.stringify(resolve('workers/engine/db/lock.ts'))}).then(({ lockFolder }) => {
       lockFolder(${JSON.stringify(dir)});
       parentPort.postMessage('got');
     });
     setInterval(() => undefined, 1_000);`,
    { eval: true },
  );
  expect((await once(thread, 'message'))[0]).toBe('got');
  expect(() => lockFolder(dir)).toThrow(/in use/);
  await thread.terminate();
  lockFolder(dir)();
});

test('both files are their owner’s only, and a folder that cannot be locked is told', () => {
  const unlock = lockFolder(dir);
  for (const name of ['engine-lock.sqlite', 'engine.lock'])
    expect([name, statSync(join(dir, name)).mode & 0o777]).toEqual([name, 0o600]);
  unlock();
  writeFileSync(join(dir, 'engine-lock.sqlite'), 'no database, but bytes enough to be read as one');
  expect(() => lockFolder(dir)).toThrow(
    expect.objectContaining({ message: expect.stringContaining('cannot be locked') }),
  );
});
