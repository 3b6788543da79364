import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './node24.mjs';

/** Name of the launcher inside the stand-in. */
export const standInName = 'launcher';

const folder = join(root, 'node_modules', 'electron');

/**
 * Whether this folder holds the stand-in of the end-to-end tests: far too old to be shown to
 * anybody (`electron22.mjs`).
 */
export function isStandIn(dist) {
  const launcher = join(dist, 'resources', 'app', 'package.json');
  if (!existsSync(launcher)) return false;
  return JSON.parse(readFileSync(launcher, 'utf8')).name === standInName;
}

/**
 * The Electron to start: the one that ELECTRON_OVERRIDE_DIST_PATH names, unless it is the stand-in
 * of the tests, else the installed one; null = none.
 */
export function installedElectron(env = process.env) {
  const override = env.ELECTRON_OVERRIDE_DIST_PATH;
  if (override && !isStandIn(override))
    return existsSync(join(override, 'electron')) ? join(override, 'electron') : null;
  if (!existsSync(join(folder, 'path.txt'))) return null;
  const path = join(folder, 'dist', readFileSync(join(folder, 'path.txt'), 'utf8').trim());
  return existsSync(path) ? path : null;
}

/** Why no window can be shown here, or null. */
export function whyNoDisplay(env = process.env, platform = process.platform) {
  if (platform !== 'linux') return null;
  return env.DISPLAY || env.WAYLAND_DISPLAY ? null : 'there is no display';
}

/**
 * Fetches the binary of the installed electron package: one attempt, and no longer than
 * `timeoutMs`. Gives the path or null.
 */
export async function fetchElectron(timeoutMs) {
  if (!existsSync(join(folder, 'install.js'))) return null;
  const child = spawn(process.execPath, [join(folder, 'install.js')], {
    stdio: 'ignore',
    detached: process.platform !== 'win32',
  });
  const ended = await new Promise((done) => {
    const timer = setTimeout(() => done(false), timeoutMs);
    child.on('error', () => {
      clearTimeout(timer);
      done(false);
    });
    child.on('exit', (code) => {
      clearTimeout(timer);
      done(code === 0);
    });
  });
  if (!ended && child.exitCode === null && child.pid) {
    try {
      process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
    } catch (thrown) {
      if (thrown.code !== 'ESRCH') throw thrown;
    }
  }
  return ended ? installedElectron() : null;
}
