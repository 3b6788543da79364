import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Environment with which sources are compiled once, not at each start: half the time and a tenth of
 * the memory. A folder that cannot be written is no fault.
 */
export const compiledOnce = {
  NODE_COMPILE_CACHE:
    process.env.NODE_COMPILE_CACHE ??
    join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tilebench', 'compiled'),
};

const works = (path) => {
  if (!existsSync(path)) return false;
  const { status, stdout } = spawnSync(path, ['-p', 'process.versions.node'], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  return status === 0 && Number(stdout.split('.')[0]) >= 24;
};

/**
 * Node 24 from the `node` package, or the one that runs this if it is new enough; null with a
 * reason printed.
 */
export function findNode24() {
  const own = Number(process.versions.node.split('.')[0]) >= 24;
  if (own) return process.execPath;
  const exe = process.platform === 'win32' ? 'node.exe' : 'node';
  const candidates = () => {
    const nested = join(root, 'node_modules', 'node', 'node_modules');
    const packages = [nested, join(root, 'node_modules')].flatMap((dir) =>
      existsSync(dir)
        ? readdirSync(dir)
            .filter((name) => /^node-(linux|darwin|win)/.test(name))
            .map((name) => join(dir, name, 'bin', exe))
        : [],
    );
    return [join(root, 'node_modules', 'node', 'bin', exe), ...packages];
  };
  const found = candidates().find(works);
  if (found) return found;
  if (!existsSync(join(root, 'node_modules', 'node', 'package.json'))) {
    process.stderr.write('Node 24 is missing: run npm ci first.\n');
    return null;
  }
  // Install scripts may be switched off on this machine: the package's one script is run here,
  // once.
  const { version } = JSON.parse(
    readFileSync(join(root, 'node_modules', 'node', 'package.json'), 'utf8'),
  );
  process.stderr.write(`Fetching Node ${version} (its install script did not run) …\n`);
  spawnSync(process.execPath, ['installArchSpecificPackage'], {
    cwd: join(root, 'node_modules', 'node'),
    stdio: ['ignore', 'ignore', 'ignore'],
    timeout: 180_000,
  });
  const fetched = candidates().find(works);
  if (!fetched)
    process.stderr.write(
      'Node 24 cannot be fetched: run npm rebuild node, or install Node 24 and start again.\n',
    );
  return fetched ?? null;
}

/**
 * Runs a program under Node 24 and gives its exit code. Ends are handed on; a Ctrl-C of the
 * terminal is not, because the terminal gives it to the child itself, and twice would mean "at
 * once".
 */
export function runUnder24(node, args, options = {}) {
  const env = {
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`,
    ...options.env,
  };
  const child = spawn(node, args, {
    cwd: options.cwd ?? root,
    stdio: options.stdio ?? 'inherit',
    env,
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  return new Promise((done) => {
    child.on('error', (error) => {
      process.stderr.write(`${args[0]}: ${error.message}\n`);
      done(1);
    });
    child.on('exit', (code, signal) => done(code ?? (signal === 'SIGINT' ? 130 : 1)));
  });
}
