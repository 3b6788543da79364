import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect, test } from '@playwright/test';

import { demoRun } from '../../src/ui/pages/runs/testing/records.ts';
import { makeOldFile } from '../../workers/engine/db/testing/oldFile.ts';
import {
  changeLastByte,
  changeWords,
  installedIn,
  leftIn,
  makeDebianPackage,
  makeRoot,
  olderPackage,
  programsBelow,
  saidBy,
  windowOf,
} from '../fixtures/installed.ts';
import { storeRun } from '../fixtures/storedRun.ts';
import { expectSimulated, openDemoLab, runEntry, untilPoints } from '../pages/demo.ts';
import { goTo } from '../pages/shell.ts';

let dir: string;
test.beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tilebench-e2e-package-'));
});
test.afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

test('the Debian package: installed over an older one with its data, started by its menu entry, opens a bundle by its type, runs the demo lab, and leaves nothing but the user’s data', async () => {
  const home = join(dir, 'home');
  const root = makeRoot(join(dir, 'root'));
  const at = (path: string): string => join(root.dir, 'usr', path);
  const installed = installedIn(root, home);
  const bundle = join(home, 'a run.tilebench');
  const data = join(home, '.local/share/tilebench');
  const userData = join(home, '.config/tilebench');
  const newer = makeDebianPackage(join(dir, 'out'));
  let older = '';

  await test.step('an older version, with a run of an older database', () => {
    older = olderPackage(newer, dir);
    expect(root.dpkg('--install', older)).toContain('Setting up tilebench (0.0.9');
    mkdirSync(data, { recursive: true, mode: 0o700 });
    makeOldFile(data, [demoRun({ id: 'run-old', name: 'Measured long ago' }).record]);
  });

  await test.step('the newer one installs over it, and over what this machine has', () => {
    expect(root.dpkg('--install', newer)).toContain('over (0.0.9~standin)');
    expect(existsSync(at('share/doc/tilebench/only-before'))).toBe(false);
    rmSync(older);
    // Its own sums agree, and no program of ours ran meanwhile.
    expect(root.changed('tilebench')).toBe('');
    expect(existsSync(join(root.dir, 'var/lib/dpkg/info/tilebench.postinst'))).toBe(false);
    expect(readFileSync(at('share/mime/packages/tilebench.xml'), 'utf8')).toContain('*.tilebench');
    expect(readFileSync(at('share/doc/tilebench/sbom.cdx.json'), 'utf8')).toContain('CycloneDX');
  });

  await test.step('the command line, on a database of its own: report, slides, bundle', () => {
    expect(installed.tilebench('runs', 'list')).toContain('Measured long ago');
    expect(readdirSync(join(data, 'backups'))).toEqual([expect.stringMatching(/^schema6-/)]);
    const { id } = storeRun(data);
    expect(installed.tilebench('runs', 'list')).toContain('Stored, 2 tiles');
    for (const [format, head] of [
      ['pdf', '%PDF-'],
      ['pptx', 'PK'],
      ['html', '<!doctype html>'],
    ] as const) {
      const path = join(home, `report.${format}`);
      installed.tilebench('report', id, '--format', format, '--output', path);
      expect(readFileSync(path, 'latin1').slice(0, head.length).toLowerCase()).toBe(
        head.toLowerCase(),
      );
    }
    installed.tilebench('runs', 'export', id, '--format', 'bundle', '--output', bundle);
  });

  await test.step('the menu entry with a bundle: the engine is the package’s Node', async () => {
    const started = installed.startMenuEntry(pathToFileURL(bundle).href);
    const { page, end } = await windowOf(started);
    await expect(page.getByText('Stored, 2 tiles').first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'From a bundle' })).toBeVisible();
    expect(programsBelow(started.pid!)).toContain(at('lib/tilebench/resources/console/bin/node'));

    await goTo(page, 'Home');
    const second = installed.startMenuEntry(`tilebench:runs/nobody`);
    await once(second, 'exit');
    await expect(page).toHaveURL(/#\/runs\/nobody$/);

    await goTo(page, 'Home');
    await openDemoLab(page);
    await runEntry(page, 'E01');
    await untilPoints(page, 2);
    await expectSimulated(page, 'Study');
    await end();
  });

  await test.step('a changed engine is not started, a changed Node is ended, and both are named', async () => {
    const node = at('lib/tilebench/resources/console/bin/node');
    for (const part of ['dist/workers/engineProcess.cjs', 'bin/node']) {
      const path = at(`lib/tilebench/resources/console/${part}`);
      const putBack = changeLastByte(path);
      const started = installed.startMenuEntry();
      await saidBy(started, `${path} is not the file that the package of Tilebench brought`);
      await expect.poll(() => programsBelow(started.pid!)).not.toContain(node);
      const ended = once(started, 'exit');
      started.kill('SIGTERM');
      await ended;
      expect(root.changed('tilebench')).toContain(part);
      putBack();
    }
    expect(root.changed('tilebench')).toBe('');
  });

  await test.step('a changed archive of the window process is found out by its engine, which ends', async () => {
    const archive = at('lib/tilebench/resources/app.asar');
    const words = 'Tilebench met a fault of its own';
    const putBack = changeWords(archive, words, words.toUpperCase());
    const started = installed.startMenuEntry();
    await saidBy(started, `${archive} is not the file that the package of Tilebench brought`);
    const node = at('lib/tilebench/resources/console/bin/node');
    await expect.poll(() => programsBelow(started.pid!)).not.toContain(node);
    const ended = once(started, 'exit');
    started.kill('SIGTERM');
    await ended;
    expect(root.changed('tilebench')).toContain('resources/app.asar');
    putBack();
    expect(root.changed('tilebench')).toBe('');
  });

  await test.step('a folder that nothing can be kept in is told, and ends the start', async () => {
    const elsewhere = join(dir, 'elsewhere');
    const there = installedIn(root, elsewhere);
    mkdirSync(join(elsewhere, '.config'));
    writeFileSync(join(elsewhere, '.config/tilebench'), 'a file');
    const started = there.startMenuEntry();
    await saidBy(started, `The folder ${elsewhere}/.config/tilebench is no folder.`);
    const ended = once(started, 'exit');
    started.kill('SIGKILL');
    await ended;
  });

  await test.step('removed: nothing is left but the user’s data', () => {
    root.dpkg('--purge', 'tilebench');
    expect(leftIn(root)).toEqual([]);
    expect(existsSync(join(userData, 'data/tilebench.sqlite'))).toBe(true);
    expect(existsSync(join(data, 'tilebench.sqlite'))).toBe(true);
  });
});
