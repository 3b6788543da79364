import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/*
 * The start of the window as a package lays it out, with a program that only tells how it was
 * started, and with the system's own programs played: what is said, and whether it is a box.
 */
let dir: string;
let display: Server;
/** Of no machine: a display is at hand or not whatever runs here. */
const number = 7_000 + (process.pid % 1_000);
const shell = (path: string, text: string): void => {
  writeFileSync(join(dir, path), `#!/bin/sh\n${text}\n`);
  chmodSync(join(dir, path), 0o755);
};
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tilebench-launcher-'));
  for (const folder of ['bin', 'lib/tilebench', 'played'])
    mkdirSync(join(dir, folder), { recursive: true });
  copyFileSync(
    resolve('scripts/packaging/linux/tilebench-console'),
    join(dir, 'bin/tilebench-console'),
  );
  shell('lib/tilebench/tilebench-console', 'echo "started: $* ${NODE_OPTIONS-none}"');
  shell('played/id', 'echo 1000');
  shell('played/ldd', 'echo "libc.so.6 => /lib/libc.so.6"');
  shell('played/ldconfig', 'echo "libX11-xcb.so.1 => /lib/libX11-xcb.so.1"');
  shell('played/zenity', 'echo "box: $*"');
  // An abstract socket, as every display of this machine has: no file that could be left behind.
  display = createServer();
  await new Promise<void>((done) => {
    display.listen(`\0/tmp/.X11-unix/X${number}`, done);
  });
});
afterEach(async () => {
  await new Promise((done) => display.close(done));
  rmSync(dir, { recursive: true, force: true });
});

function start(
  env: Readonly<Record<string, string>>,
  ...args: string[]
): { code: number | null; out: string; err: string } {
  const ended = spawnSync('sh', [join(dir, 'bin/tilebench-console'), ...args], {
    encoding: 'utf8',
    env: { PATH: `${join(dir, 'played')}:/usr/bin:/bin`, ...env },
  });
  return { code: ended.status, out: ended.stdout, err: ended.stderr };
}
const here = { DISPLAY: `:${number}` };

test('with a display it starts, with what it was given and nothing for its Node', () => {
  expect(start({ ...here, NODE_OPTIONS: '--require /tmp/x.js' }, '/a bundle', '-x')).toEqual({
    code: 0,
    out: 'started: /a bundle -x none\n',
    err: '',
  });
  // A display elsewhere, or Wayland, cannot be looked at from here.
  expect(start({ DISPLAY: 'far:0' }).code).toBe(0);
  expect(start({ WAYLAND_DISPLAY: 'wayland-0' }).code).toBe(0);
});

test.each([
  ['no display', {}, 'there is no display. Log in to a desktop, or run: tilebench serve'],
  [
    'a display that is gone',
    { DISPLAY: ':6999.0' },
    'nothing answers on the display :6999.0. Log in to a desktop, or run: tilebench serve',
  ],
])('%s: one line with what to do', (_name, env, words) => {
  expect(start(env)).toMatchObject({ code: 3, err: `Tilebench: ${words}\n` });
});

test.each([
  ['that it is linked with', 'ldd', 'echo "libnss3.so => not found"', 'libnss3.so'],
  ['that it opens later', 'ldconfig', 'true', 'libX11-xcb.so.1'],
])(
  'a missing library %s is named, in a box where there is no terminal',
  (_n, program, does, lib) => {
    shell(`played/${program}`, does);
    const { code, out, err } = start(here);
    expect(code).toBe(3);
    expect(err).toMatch(
      new RegExp(`^Tilebench: these libraries are missing: ${lib} - install .*\\n$`),
    );
    expect(out).toBe(`box: --error --text ${err}`);
  },
);

test('root is refused a window without a sandbox, and may ask for it', () => {
  shell('played/id', 'echo 0');
  expect(start(here)).toMatchObject({
    code: 3,
    err: expect.stringContaining('it does not open for root') as unknown,
  });
  expect(start(here, '--no-sandbox').out).toBe('started: --no-sandbox none\n');
});
