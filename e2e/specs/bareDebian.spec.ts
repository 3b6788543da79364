import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from '@playwright/test';

import { demoRun } from '../../src/ui/pages/runs/testing/records.ts';
import { makeOldFile } from '../../workers/engine/db/testing/oldFile.ts';
import { bareDebian, menuCommand } from '../fixtures/bareDebian.ts';
import { changeWords, saidBy, windowOf } from '../fixtures/installed.ts';
import { faultPlan } from '../lab/engineOnLab.ts';
import { type Lab, startLab } from '../lab/lab.ts';
import { expectSimulated, openDemoLab } from '../pages/demo.ts';
import { goTo } from '../pages/shell.ts';

/** Made by `scripts/packaging/bareDebian.ts`: without a network, with the packages in its /tmp. */
const dir = process.env['TILEBENCH_BARE'] ?? '';
const shared = join(dir, 'shared');
let lab: Lab | null = null;
test.afterEach(async () => {
  await lab?.stop();
});

test('a bare Debian: installed by apt, started by an ordinary user, run, opened by a file’s type, upgraded with its data, removed without a trace', async () => {
  mkdirSync(shared);
  const system = bareDebian(join(dir, 'system'), shared);
  const apt = (...args: string[]): string => system.root('apt-get', '-q', '-y', ...args);
  const start = (): ReturnType<typeof windowOf> =>
    // With Chromium's sandbox, as a user has it.
    windowOf(system.start(`${menuCommand(system)} --disable-gpu --remote-debugging-port=0`));
  const data = join(system.home, '.config/tilebench/data');

  await test.step('apt installs it with what it declares, and with nothing else', () => {
    system.root('useradd', '--create-home', '--shell', '/bin/bash', 'ada');
    expect(apt('install', '--no-install-recommends', '/tmp/older.deb')).toContain('0.0.9~standin');
    expect(system.root('dpkg', '--verify', 'tilebench')).toBe('');
  });

  await test.step('what keeps it from opening is one line with what to do', () => {
    const { said, code } = system.refused('tilebench-console');
    expect([code, said]).toEqual([
      3,
      'Tilebench: there is no display. Log in to a desktop, or run: tilebench serve\n',
    ]);
    const nobody = system.refused('env', 'DISPLAY=:4321', 'tilebench-console');
    expect(nobody.code).toBe(3);
    expect(nobody.said).toContain('nothing answers on the display :4321');
  });

  await test.step('the window by the command of its menu entry, with the demo lab', async () => {
    const { page, end } = await start();
    await expect(page.getByText(/^Engine .* running$/)).toBeVisible();
    await expect(page.getByText('Window without sandbox')).toHaveCount(0);
    await openDemoLab(page);
    await expectSimulated(page, 'Demo lab');
    await end();
  });

  await test.step('a practice plan by the command line, over SSH and against a vCenter', async () => {
    lab = await startLab({ dir: join(shared, 'lab'), tiles: 1 });
    const path = join(shared, 'plan.json');
    const phases = { rampUpS: 2, steadyS: 8, rampDownS: 1 };
    writeFileSync(path, JSON.stringify(faultPlan(lab.plan, { phases })));
    const ran = JSON.parse(
      system.root('tilebench', 'run', path, '--trust', '--json', '--data', join(shared, 'data')),
    ) as { outcome: string };
    expect(ran.outcome).toBe('passed');
  });

  await test.step('upgraded over the data of an older version: kept, with a copy of before', async () => {
    const run = demoRun({ id: 'run-old', name: 'Measured long ago' });
    const old = join(shared, 'old');
    mkdirSync(old);
    makeOldFile(old, [run.record]);
    rmSync(data, { recursive: true });
    system.give(old, '.config/tilebench/data');
    expect(apt('install', '--no-install-recommends', '/tmp/newer.deb')).toContain('0.0.9~standin');
    expect(system.root('dpkg', '--verify', 'tilebench')).toBe('');
    expect(existsSync(join(system.dir, 'usr/share/doc/tilebench/only-before'))).toBe(false);
    const { page, end } = await start();
    await goTo(page, 'Runs');
    await expect(page.getByText('Measured long ago').first()).toBeVisible();
    await end();
    expect(readdirSync(join(data, 'backups')).some((name) => name.startsWith('schema6-'))).toBe(
      true,
    );
  });

  await test.step('a bundle opened by its type, in the window that is there', async () => {
    apt('install', '--no-install-recommends', 'xdg-utils', 'libfile-mimeinfo-perl');
    const bundle = '/home/ada/a run.tilebench';
    const from = ['--data', '/home/ada/.config/tilebench/data'];
    system.user(
      'tilebench',
      'runs',
      'export',
      'run-old',
      '--format',
      'bundle',
      '--output',
      bundle,
      ...from,
    );
    expect(system.user('xdg-mime', 'query', 'filetype', bundle).trim()).toBe(
      'application/vnd.tilebench.bundle+zip',
    );
    const { page, end } = await start();
    await expect(page.getByText(/^Engine .* running$/)).toBeVisible();
    const opener = system.start(`xdg-open '${bundle}'`);
    await once(opener, 'exit');
    await expect(page.getByRole('button', { name: 'From a bundle' })).toBeVisible();
    await end();
  });

  await test.step('a changed archive of the window process runs no engine, and says why', async () => {
    const archive = '/usr/lib/tilebench/resources/app.asar';
    const words = 'Tilebench met a fault of its own';
    const putBack = changeWords(join(system.dir, archive), words, words.toUpperCase());
    const started = system.start(`${menuCommand(system)} --disable-gpu`);
    await saidBy(started, `${archive} is not the file that the package of Tilebench brought`);
    const ended = once(started, 'exit');
    started.kill('SIGTERM');
    await ended;
    expect(system.root('sh', '-c', 'dpkg --verify tilebench || true')).toContain(archive);
    putBack();
  });

  await test.step('removed: nothing is left but the user’s data', () => {
    apt('purge', 'tilebench');
    const left = ['-xdev', '-iname', '*tilebench*', '-not', '-path', '/home/*'];
    const own = ['/root/*', '/tmp/*', `${dir}*`].flatMap((path) => ['-not', '-path', path]);
    expect(system.root('find', '/', ...left, ...own)).toBe('');
    const caches = '/usr/share/applications /usr/share/mime /usr/share/icons';
    expect(system.root('sh', '-c', `grep -rl tilebench ${caches} || true`)).toBe('');
    expect(existsSync(join(data, 'tilebench.sqlite'))).toBe(true);
  });
});
