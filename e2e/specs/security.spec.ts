import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { WebSocket } from 'ws';

import { enterBy } from '../../workers/testing/served.ts';
import { expect, test } from '../fixtures/test.ts';

/** The command line of a process; empty when it is gone. */
function readArguments(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

test('a window without sandbox says so, a browser does not', async ({
  tilebench: { page, kind },
}) => {
  await expect(page.getByText(/^Engine .* running$/)).toBeVisible();
  // The tests start the desktop with --no-sandbox, as `npm start` does for root.
  await expect(page.getByText('Window without sandbox')).toHaveCount(kind === 'electron' ? 1 : 0);
});

test('the page has no Node and runs no inline script', async ({ tilebench: { page } }) => {
  await expect(page.getByRole('main')).toBeVisible();
  expect(
    await page.evaluate(() =>
      ['require', 'process', 'module', 'Buffer', 'global'].filter((name) => name in window),
    ),
  ).toEqual([]);
  const blocked = await page.evaluate(
    () =>
      new Promise<string>((done) => {
        document.addEventListener(
          'securitypolicyviolation',
          (event) => done(event.effectiveDirective),
          { once: true },
        );
        const script = document.createElement('script');
        script.textContent = 'window.ranInline = true';
        document.head.append(script);
      }),
  );
  expect(blocked).toMatch(/^script-src/);
  expect(await page.evaluate(() => 'ranInline' in window)).toBe(false);
});

test('the page goes nowhere else and gets no permission', async ({ tilebench: { page, kind } }) => {
  await expect(page.getByRole('main')).toBeVisible();
  expect(await page.evaluate(() => Notification.permission)).not.toBe('granted');
  test.skip(kind === 'chromium', 'In a plain browser, where a tab goes is up to the user.');
  const before = page.url();
  await page.evaluate(() => {
    window.location.href = 'https://example.org/';
  });
  expect(await page.evaluate(() => window.open('https://example.org/') === null)).toBe(true);
  expect(page.url()).toBe(before);
});

test('the window is an origin of its own: no file of the disk is read or run in it', async ({
  tilebench: { page, kind, dataDir },
}) => {
  test.skip(kind === 'chromium', 'In a plain browser the page comes over HTTP.');
  await expect(page.getByRole('main')).toBeVisible();
  expect(new URL(page.url()).protocol).toBe('tilebench-ui:');
  const script = join(dataDir, 'stranger.js');
  writeFileSync(script, 'window.strangerRan = true;');
  const tried = await page.evaluate(async (path) => {
    const element = document.createElement('script');
    element.src = `file://${path}`;
    const ended = new Promise((done) => {
      element.addEventListener('load', done);
      element.addEventListener('error', done);
    });
    document.head.append(element);
    await ended;
    const read = async (address: string): Promise<string> => {
      try {
        const answer = await fetch(address);
        return answer.ok ? await answer.text() : `refused ${answer.status}`;
      } catch {
        return 'refused';
      }
    };
    return {
      ran: 'strangerRan' in window,
      file: await read(`file://${path}`),
      climbing: await read(`/..%2f..${encodeURIComponent(path)}`),
      elsewhere: await read('/package.json.sh'),
    };
  }, script);
  expect(tried).toEqual({
    ran: false,
    file: 'refused',
    climbing: 'refused 404',
    elsewhere: 'refused 404',
  });
});

test('copying and full screen work in the window, other permissions do not', async ({
  tilebench: { page, kind },
}) => {
  test.skip(kind === 'chromium', 'In a plain browser the user grants permissions.');
  await expect(page.getByRole('main')).toBeVisible();
  // Copying itself wants a focused window, which there is none of without a window manager.
  const permission = (name: string): Promise<string> =>
    page.evaluate(
      async (asked) => (await navigator.permissions.query({ name: asked as PermissionName })).state,
      name,
    );
  expect(await permission('clipboard-write')).toBe('granted');
  for (const name of ['clipboard-read', 'geolocation', 'notifications', 'camera', 'midi'])
    expect([name, await permission(name)]).toEqual([name, 'denied']);
  await page.evaluate(() =>
    window.addEventListener(
      'keyup',
      () => Object.assign(window, { asked: document.documentElement.requestFullscreen() }),
      { once: true },
    ),
  );
  await page.keyboard.press('F9');
  await page.waitForFunction(() => 'asked' in window);
  await page.evaluate(() => (window as unknown as { asked: Promise<void> }).asked);
  expect(await page.evaluate(() => document.fullscreenElement !== null)).toBe(true);
});

test('nothing that lets somebody in stays in the address, the page or the list of processes; another tab needs no ticket', async ({
  tilebench,
}) => {
  const { page, kind, url } = tilebench;
  test.skip(kind === 'electron', 'There is no ticket: the port is handed over.');
  await expect(page.getByRole('main')).toBeVisible();
  expect(page.url()).toBe(`${new URL(url ?? '').origin}/`);
  const cookies = await page.context().cookies();
  expect(cookies).toEqual([
    expect.objectContaining({
      httpOnly: true,
      sameSite: 'Strict',
      name: /^tilebench-\d+$/.exec(cookies[0]!.name)?.[0],
    }),
  ]);
  const secret = cookies[0]!.value;
  expect(
    await page.evaluate(
      () => document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage),
    ),
  ).not.toContain(secret);
  const ticket = new URL(url ?? '').searchParams.get('ticket') ?? '';
  expect(ticket).not.toBe('');
  for (const pid of [
    await tilebench.enginePid(),
    ...readdirSync('/proc').filter((name) => /^\d+$/.test(name)),
  ]) {
    const line = readArguments(String(pid));
    expect(line.includes(secret) || line.includes(ticket), line).toBe(false);
  }
  const tab = await page.context().newPage();
  await tab.goto(new URL(url ?? '').origin);
  await expect(tab.getByText(/^Engine .* running$/)).toBeVisible();
  const stranger = await page.context().browser()!.newPage();
  await stranger.goto(url ?? '');
  await expect(
    stranger.getByRole('heading', { name: 'This browser has not been let in' }),
  ).toBeVisible();
  await stranger.close();
  await tab.close();
});

test('the page that leads in is its owner’s only, and leads in a browser that comes from a file', async ({
  tilebench: { page, kind, dataDir },
}) => {
  test.skip(kind === 'electron', 'Electron serves nothing.');
  const file = join(dataDir, 'console.html');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const stranger = await page.context().browser()!.newPage();
  await stranger.goto(pathToFileURL(file).href);
  await expect(stranger.getByText(/^Engine .* running$/)).toBeVisible();
  // The ticket was used: the file has another now, and lets the next one in.
  await stranger.goto(pathToFileURL(file).href);
  await expect(stranger.getByText(/^Engine .* running$/)).toBeVisible();
  await stranger.close();
});

test('the browser host refuses a wrong origin, a missing cookie, a wrong host and any address but loopback', async ({
  tilebench: { url, dataDir },
}) => {
  test.skip(url === null, 'Electron serves nothing.');
  const { port, origin } = new URL(url ?? '');
  const status = async (path: string, headers: Record<string, string>): Promise<number> => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
    socket.on('error', () => undefined);
    const result = await Promise.race([
      once(socket, 'open').then(() => 101),
      once(socket, 'unexpected-response').then(
        ([, response]) => (response as { statusCode: number }).statusCode,
      ),
    ]);
    socket.terminate();
    return result;
  };
  const cookie = await enterBy(join(dataDir, 'console.html'));
  expect(await status('/channel', { origin, cookie })).toBe(101);
  expect(await status('/channel', { origin: 'http://evil.example', cookie })).toBe(403);
  expect(await status('/channel', { origin })).toBe(401);
  expect(await status('/channel', { host: 'evil.example', cookie })).toBe(421);
  const other = Object.values(networkInterfaces())
    .flat()
    .find((address) => address?.family === 'IPv4' && !address.internal)?.address;
  if (other !== undefined) {
    const refused = await new Promise<string>((done) => {
      request({ host: other, port, path: '/' }, () => done('answered'))
        .on('error', (error) => done('code' in error ? String(error.code) : error.message))
        .end();
    });
    expect(refused).toBe('ECONNREFUSED');
  }
});
