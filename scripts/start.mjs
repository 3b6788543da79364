import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { fetchElectron, installedElectron, whyNoDisplay } from './electron.mjs';
import { compiledOnce, findNode24, root, runUnder24 } from './node24.mjs';

/**
 * One attempt to fetch Electron takes at most this long; after a failure the next one waits for
 * `retryAfterMs`.
 */
const fetchTimeoutMs = 60_000;
const retryAfterMs = 24 * 3_600_000;
const missFile = join(root, '.cache', 'electron-missed');

async function main() {
  const node = findNode24();
  if (node === null) return 1;
  if (node !== process.execPath) return runUnder24(node, process.argv.slice(1));
  await build();

  const fallback = (reason) => {
    process.stderr.write(
      `No desktop window: ${reason}. The same console is served to a browser.\n`,
    );
    return serve(node);
  };
  if (process.argv.includes('--browser')) return serve(node);
  const noDisplay = whyNoDisplay();
  if (noDisplay) return fallback(noDisplay);
  let electron = installedElectron();
  if (!electron) {
    if (missedLately())
      return fallback(
        'the binary of Electron could not be fetched lately (remove .cache/electron-missed to try again)',
      );
    process.stderr.write(`Fetching Electron (at most ${fetchTimeoutMs / 1000} s) …\n`);
    electron = await fetchElectron(fetchTimeoutMs);
    if (!electron) {
      mkdirSync(join(root, '.cache'), { recursive: true });
      writeFileSync(missFile, String(Date.now()));
      return fallback('the binary of Electron cannot be fetched');
    }
  }
  const code = await window(electron, node);
  return code === 'cannot' ? fallback('Electron does not start here') : code;
}

const missedLately = () =>
  existsSync(missFile) && Date.now() - Number(readFileSync(missFile, 'utf8')) < retryAfterMs;

/**
 * Runs Electron to its end. `cannot` = it ended with a failure before it could have shown anything.
 */
function window(electron, node) {
  const args = [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), root];
  const startedAt = Date.now();
  const child = spawn(electron, args, {
    stdio: ['ignore', 'inherit', 'pipe'],
    env: { ...process.env, TILEBENCH_NODE: node },
  });
  // What Chromium says about drivers and buses is no news for the user; it is shown when the start
  // fails.
  let words = '';
  child.stderr.on('data', (part) => {
    words = (words + part).slice(-4_000);
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill('SIGTERM'));
  return new Promise((done) => {
    child.on('error', () => done('cannot'));
    child.on('exit', (code) => {
      if (code === 0 || code === null) return done(0);
      const early = Date.now() - startedAt < 5_000;
      if (!early) process.stderr.write(words);
      done(early ? 'cannot' : code);
    });
  });
}

function serve(node) {
  const canShow = process.platform !== 'linux' || whyNoDisplay() === null;
  const extra = process.argv.slice(2).filter((arg) => arg !== '--browser');
  return runUnder24(
    node,
    [join(root, 'workers', 'cli.ts'), 'serve', ...(canShow ? ['--open'] : []), ...extra],
    { env: compiledOnce },
  );
}

main().then(
  (code) => process.exit(code),
  (thrown) => {
    process.stderr.write(
      `The start failed: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`,
    );
    process.exit(1);
  },
);
