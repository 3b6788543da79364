import { once } from 'node:events';
import { request } from 'node:http';
import { networkInterfaces } from 'node:os';

import { WebSocket } from 'ws';

import { expect, test } from '../fixtures/test.ts';

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

test('the token does not stay in the address', async ({ tilebench: { page, kind } }) => {
  test.skip(kind === 'electron', 'There is no token: the port is handed over.');
  await expect(page.getByRole('main')).toBeVisible();
  expect(page.url()).not.toContain('token');
});

test('the browser host refuses a wrong origin, a missing token, a wrong host and any address but loopback', async ({
  tilebench: { url },
}) => {
  test.skip(url === null, 'Electron serves nothing.');
  const { port, origin, searchParams } = new URL(url ?? '');
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
  const token = searchParams.get('token');
  expect(await status(`/channel?token=${token}`, { origin })).toBe(101);
  expect(await status(`/channel?token=${token}`, { origin: 'http://evil.example' })).toBe(403);
  expect(await status('/channel', { origin })).toBe(401);
  expect(await status(`/channel?token=${token}`, { host: 'evil.example' })).toBe(421);
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
