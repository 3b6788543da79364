import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect, test } from '@playwright/test';

import {
  changeLastByte,
  installedIn,
  leftIn,
  makeDebianPackage,
  makeRoot,
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

test('the Debian package: installed, started by its menu entry, opens a bundle by its type, runs the demo lab, and leaves nothing but the user’s data', async () => {
  const home = join(dir, 'home');
  const root = makeRoot(join(dir, 'root'));
  const at = (path: string): string => join(root.dir, 'usr', path);
  const installed = installedIn(root, home);
  const bundle = join(home, 'a run.tilebench');
  const data = join(home, '.local/share/tilebench');
  const userData = join(home, '.config/tilebench');

  await test.step('it installs over what this machine has', () => {
    expect(root.dpkg('--install', makeDebianPackage(join(dir, 'out')))).toContain('Setting up');
    // Its own sums agree, and no program of ours ran meanwhile.
    expect(root.changed('tilebench')).toBe('');
    expect(existsSync(join(root.dir, 'var/lib/dpkg/info/tilebench.postinst'))).toBe(false);
    expect(readFileSync(at('share/mime/packages/tilebench.xml'), 'utf8')).toContain('*.tilebench');
    expect(readFileSync(at('share/doc/tilebench/sbom.cdx.json'), 'utf8')).toContain('CycloneDX');
  });

  await test.step('the command line, on a database of its own: report, slides, bundle', () => {
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

  await test.step('removed: nothing is left but the user’s data', () => {
    root.dpkg('--purge', 'tilebench');
    expect(leftIn(root)).toEqual([]);
    expect(existsSync(join(userData, 'data/tilebench.sqlite'))).toBe(true);
    expect(existsSync(join(data, 'tilebench.sqlite'))).toBe(true);
  });
});
