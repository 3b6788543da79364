import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { electron22 } from './electron22.mjs';
import { findNode24, root, runUnder24 } from './node24.mjs';

/** Debian packages by stage, with one file that shows each is there. */
const browserPackages = { chromium: '/usr/bin/chromium' };
const desktopPackages = {
  xvfb: '/usr/bin/Xvfb',
  xauth: '/usr/bin/xauth',
  'libgtk-3-0': 'lib:libgtk-3.so.0',
  libnss3: 'lib:libnss3.so',
  libasound2: 'lib:libasound.so.2',
  libgbm1: 'lib:libgbm.so.1',
  libxss1: 'lib:libXss.so.1',
  libxtst6: 'lib:libXtst.so.6',
  'libatk-bridge2.0-0': 'lib:libatk-bridge-2.0.so.0',
  libdrm2: 'lib:libdrm.so.2',
  'libsecret-1-0': 'lib:libsecret-1.so.0',
  libnotify4: 'lib:libnotify.so.4',
  libxshmfence1: 'lib:libxshmfence.so.1',
  'python3-pip': 'run:python3 -m pip --version',
  'fonts-dejavu-core': '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf',
  dbus: '/usr/bin/dbus-daemon',
};
const peerPackages = {
  'openssh-server': '/usr/sbin/sshd',
  'openssh-client': '/usr/bin/ssh-keygen',
  'nut-server': '/lib/nut/upsd',
  'nut-client': '/bin/upsc',
  'mariadb-server': '/usr/sbin/mariadbd',
  sysbench: '/usr/bin/sysbench',
  dbench: '/usr/bin/dbench',
  fio: '/usr/bin/fio',
  faketime: '/usr/bin/faketime',
  iproute2: '/usr/sbin/ip',
  procps: '/usr/bin/ps',
  openssl: '/usr/bin/openssl',
};

const jest = join('node_modules', 'jest', 'bin', 'jest.js');
const playwright = join('node_modules', '@playwright', 'test', 'cli.js');
const stages = {
  lint: {
    run: (node) => count(node, ['node_modules/eslint/bin/eslint.js', '.', '--max-warnings', '0']),
  },
  types: { run: (node) => count(node, ['node_modules/typescript/bin/tsc', '-p', '.']) },
  // A worker a core: by default Jest leaves one core idle. What a busy machine makes slow is no failure of the tests.
  unit: {
    run: (node) =>
      jestStage(node, [
        '--selectProjects',
        'unit',
        'screens',
        '--maxWorkers=100%',
        '--testTimeout=20000',
      ]),
  },
  studies: { run: (node) => studiesStage(node) },
  peers: {
    packages: peerPackages,
    go: true,
    run: (node) => jestStage(node, ['--selectProjects', 'peers', '--runInBand']),
  },
  chromium: {
    packages: { ...peerPackages, ...browserPackages },
    go: true,
    run: async (node) => {
      await build();
      return playwrightStage(node, 'chromium', {}, []);
    },
  },
  electron: {
    packages: { ...peerPackages, ...desktopPackages },
    go: true,
    run: async (node) => {
      await build();
      const dist = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? electron22();
      return playwrightStage(
        node,
        'electron',
        { ELECTRON_OVERRIDE_DIST_PATH: dist },
        process.env.DISPLAY ? [] : ['xvfb-run', '-a'],
      );
    },
  },
};

async function main() {
  const node = findNode24();
  if (node === null) return 1;
  if (node !== process.execPath) return runUnder24(node, process.argv.slice(1));
  const asked = process.argv.slice(2);
  const unknown = asked.filter((name) => !(name in stages));
  if (unknown.length > 0) {
    process.stderr.write(
      `No such stage: ${unknown.join(', ')}. Stages: ${Object.keys(stages).join(', ')}.\n`,
    );
    return 2;
  }
  const chosen = Object.entries(stages).filter(
    ([name]) => asked.length === 0 || asked.includes(name),
  );
  if (!prepare(chosen.map(([, stage]) => stage))) return 2;

  let passed = 0;
  let failed = 0;
  const lines = [];
  for (const [name, stage] of chosen) {
    process.stdout.write(`\n── ${name} ──\n`);
    const startedAt = Date.now();
    const result = await stage.run(node).catch((thrown) => {
      process.stdout.write(
        `${name}: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`,
      );
      return { passed: 0, failed: 1 };
    });
    passed += result.passed;
    failed += result.failed;
    lines.push(
      `${name}: ${result.passed} passed, ${result.failed} failed (${Math.round((Date.now() - startedAt) / 1000)} s)`,
    );
  }
  process.stdout.write(`\n${lines.join('\n')}\n${passed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

/** Installs what the chosen stages lack, on Debian as root; says exactly what to install otherwise. */
function prepare(chosen) {
  const wanted = Object.assign({}, ...chosen.map((stage) => stage.packages ?? {}));
  const missing = Object.entries(wanted)
    .filter(([name, sign]) => !present(name, sign))
    .map(([name]) => name);
  if (chosen.some((stage) => stage.go) && spawnSync('go', ['version']).status !== 0)
    missing.push('golang-go');
  if (missing.length === 0) return true;
  const command = `apt-get install -y --no-install-recommends ${missing.join(' ')}`;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    process.stderr.write(
      `The tests need programs that are not installed. On Debian:\n  sudo ${command}\n`,
    );
    return false;
  }
  process.stdout.write(`Installing: ${missing.join(' ')}\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update', '-q'], { stdio: 'ignore', env });
  const { status } = spawnSync(
    'apt-get',
    ['install', '-y', '--no-install-recommends', ...missing],
    { stdio: ['ignore', 'ignore', 'inherit'], env },
  );
  if (status === 0) return true;
  process.stderr.write(`Installing failed: ${command}\n`);
  return false;
}

let libraries = null;
function present(name, sign) {
  if (sign.startsWith('run:')) {
    const [program, ...args] = sign.slice(4).split(' ');
    return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
  }
  if (sign.startsWith('lib:')) {
    libraries ??= spawnSync('/sbin/ldconfig', ['-p'], { encoding: 'utf8' }).stdout ?? '';
    return libraries.includes(sign.slice(4));
  }
  // Paths moved between releases of Debian (/bin and /usr/bin are one).
  return (
    existsSync(sign) ||
    existsSync(sign.replace(/^\/usr/, '')) ||
    existsSync(`/usr${sign}`) ||
    spawnSync('dpkg', ['-s', name]).status === 0
  );
}

/** Runs a program, shows and keeps its output. `last`: words after which it must end soon by itself. */
function run(program, args, env = {}, last = null) {
  const child = spawn(program, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, FORCE_COLOR: '0', CI: '1', ...env },
  });
  let text = '';
  let overdue = null;
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ]) {
    from.on('data', (part) => {
      text += part;
      to.write(part);
      if (last === null || overdue !== null || !text.includes(last)) return;
      overdue = setTimeout(() => {
        process.stdout.write(
          'The tests are over but something they started still runs: a failure.\n',
        );
        child.kill('SIGKILL');
        for (const stream of [child.stdout, child.stderr]) stream.destroy();
      }, leftoverMs);
    });
  }
  return new Promise((done) => {
    child.on('error', (error) => done({ code: 1, text: `${text}\n${error.message}` }));
    child.on('close', (code) => {
      clearTimeout(overdue);
      done({ code: code ?? 1, text });
    });
  });
}

/** A tool without counts of its own: one check. */
async function count(node, args) {
  const { code } = await run(node, args);
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** The last number before `word`, in the last line that starts with `start`. */
function figure(text, start, word) {
  const line =
    text
      .split('\n')
      .filter((l) => l.trim().startsWith(start))
      .at(-1) ?? '';
  return Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0);
}

/** What a test left running keeps Jest from ending: told and ended after this, never waited for. */
const leftoverMs = 30_000;

async function jestStage(node, args) {
  const { code, text } = await run(node, [jest, ...args], {}, 'Ran all test suites');
  const passed = figure(text, 'Tests:', 'passed');
  // A suite that does not even load has no failed tests: the exit code is the truth.
  const failed = Math.max(figure(text, 'Tests:', 'failed'), code === 0 ? 0 : 1);
  return { passed, failed: passed === 0 ? Math.max(failed, 1) : failed };
}

/** Every line of the published studies that the model must meet is a test. */
async function studiesStage(node) {
  const model = await jestStage(node, ['--selectProjects', 'gallery']);
  const { code, text } = await run(node, ['scripts/studies.mjs', '--report', '--seeds', '3']);
  const passed = figure(text, 'studies:', 'passed');
  const failed = Math.max(figure(text, 'studies:', 'failed'), code === 0 ? 0 : 1);
  return { passed: model.passed + passed, failed: model.failed + failed };
}

async function playwrightStage(node, project, env, prefix) {
  const [program, ...args] = [
    ...prefix,
    node,
    playwright,
    'test',
    '-c',
    'e2e/playwright.config.ts',
    `--project=${project}`,
  ];
  const { code, text } = await run(program, args, env);
  const sum = (word) =>
    [...text.matchAll(new RegExp(`^\\s+(\\d+) ${word}(?: \\(|$)`, 'gm'))].reduce(
      (total, [, n]) => total + Number(n),
      0,
    );
  const failed = Math.max(
    sum('failed') + sum('flaky') + sum('did not run') + sum('interrupted'),
    code === 0 ? 0 : 1,
  );
  const passed = sum('passed');
  return { passed, failed: passed === 0 ? Math.max(failed, 1) : failed };
}

main().then(
  (code) => process.exit(code),
  (thrown) => {
    process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    process.exit(1);
  },
);
