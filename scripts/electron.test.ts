import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface ElectronScript {
  standInName: string;
  installedElectron: (env: Record<string, string>) => string | null;
}
// A script without types of its own.
const { installedElectron, standInName } = jest.requireActual<ElectronScript>('./electron.mjs');

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tilebench-electron-'));
  writeFileSync(join(dir, 'electron'), '');
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

test('npm start takes an Electron of the user’s own, and never the stand-in of the tests', () => {
  const env = { ELECTRON_OVERRIDE_DIST_PATH: dir };
  expect(installedElectron(env)).toBe(join(dir, 'electron'));
  mkdirSync(join(dir, 'resources', 'app'), { recursive: true });
  writeFileSync(join(dir, 'resources', 'app', 'package.json'), '{"name":"of my own"}');
  expect(installedElectron(env)).toBe(join(dir, 'electron'));
  writeFileSync(
    join(dir, 'resources', 'app', 'package.json'),
    JSON.stringify({ name: standInName, main: 'main.js' }),
  );
  expect(installedElectron(env)).toBe(installedElectron({}));
});
