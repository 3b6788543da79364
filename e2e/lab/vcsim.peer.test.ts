import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

import { firstLine } from './child.ts';
import { poll } from './poll.ts';
import { startVcsim } from './vcsim.ts';

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
const commandLine = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
/** Where a running simulator keeps its files. */
function stateDirOf(pid: number): string {
  const args = commandLine(pid);
  return args[args.indexOf('-state-dir') + 1] ?? '';
}

test('a program that ends before it says a word fails its wait at once, with its last words', async () => {
  const child = spawn(process.execPath, ['-e', 'console.error("no disk"); process.exit(3)'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await expect(firstLine(child, 'It')).rejects.toThrow('It ended at its start (3): no disk');
});

test('ends in order and leaves nothing', async () => {
  const vcsim = await startVcsim({ hosts: 1, vms: 1 });
  const dir = stateDirOf(vcsim.pid);
  expect([alive(vcsim.pid), existsSync(dir)]).toEqual([true, true]);
  await vcsim.stop();
  await vcsim.stop();
  expect([alive(vcsim.pid), existsSync(dir)]).toEqual([false, false]);
});

test('a killed parent takes it along, files included', async () => {
  const script =
    "import('./e2e/lab/vcsim.ts').then((m) => m.startVcsim({ hosts: 1, vms: 1 })).then((v) => console.log(v.pid))";
  const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  const pid = Number(await firstLine(parent, 'The parent'));
  const dir = stateDirOf(pid);
  expect([alive(pid), existsSync(dir)]).toEqual([true, true]);
  parent.kill('SIGKILL');
  await poll('the simulator ends with its parent', () => !alive(pid) && !existsSync(dir));
});

test('comes back on its port with the same certificate, or with another', async () => {
  const first = await startVcsim({ hosts: 1, vms: 1 });
  await first.kill();
  const second = await first.restart();
  expect(second).toMatchObject({ port: first.port, fingerprint256: first.fingerprint256 });
  const third = await second.restart({ newCertificate: true });
  expect(third.port).toBe(first.port);
  expect(third.fingerprint256).not.toBe(first.fingerprint256);
  await third.stop();
});

test('who started it ends it, however often it was restarted: one left running kept the whole test run from ending', async () => {
  const first = await startVcsim({ hosts: 1, vms: 1 });
  const third = await (await first.restart()).restart();
  await first.stop();
  expect(alive(third.pid)).toBe(false);
});

test('a start that fails says why', async () => {
  await expect(startVcsim({ vms: 1, hosts: 1, vmNames: ['a', 'b'] })).rejects.toThrow(
    '2 names for 1 VMs',
  );
});

test('no password stands in the process list', async () => {
  const vcsim = await startVcsim({ hosts: 1, vms: 1, password: 'only-for-me' });
  try {
    expect(commandLine(vcsim.pid).join(' ')).not.toContain('only-for-me');
  } finally {
    await vcsim.stop();
  }
});
