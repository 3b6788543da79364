import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type LabDovecot, startDovecot } from '../../../e2e/lab/mail.ts';
import { freePort } from '../../../e2e/lab/ports.ts';
import { getDriver } from './index.ts';
import { againstReport, expectResumable, repeats } from './testing/againstReport.ts';
import { localHost } from './testing/localHost.ts';

const driver = getDriver('imaptest');
const missing = spawnSync('imaptest', ['--help']).error !== undefined;

const mail = (n: number): string =>
  `From x Mon Jan  1 00:00:00 2024\r\nFrom: a@example.org\r\nSubject: ${n}\r\n` +
  `Message-ID: <${n}@example.org>\r\n\r\nA line of text.\r\n\r\n`;
/** Counts of the rows, and of the totals, by imaptest's words and not by the parser. */
const sumOf = (text: string): number =>
  [...text.matchAll(/\d+/g)].reduce((sum, [count]) => sum + Number(count), 0);

if (missing)
  test.skip('imaptest against its own report: it is not installed, and Debian has no package of it', () =>
    undefined);
else
  describe('imaptest', () => {
    let dir: string;
    let server: LabDovecot;
    const at = (more: Record<string, unknown> = {}) => ({
      target: '127.0.0.1',
      port: server.imapPort,
      userFile: join(dir, 'users'),
      mailFile: join(dir, 'mbox'),
      clients: 4,
      ...more,
    });
    const checked = (more: Record<string, unknown> = {}) =>
      driver.check(localHost(), driver.params.parse(at(more)));
    beforeAll(async () => {
      dir = mkdtempSync(join(tmpdir(), 'tb-imaptest-'));
      const users = Array.from({ length: 4 }, (_, i) => `user${i + 1}:secret`);
      writeFileSync(join(dir, 'users'), `${users.join('\n')}\n`, { mode: 0o600 });
      writeFileSync(join(dir, 'bad'), 'user1:other\n', { mode: 0o600 });
      writeFileSync(join(dir, 'mbox'), Array.from({ length: 20 }, (_, i) => mail(i)).join(''));
      server = await startDovecot({ users: 4, password: 'secret' });
    });
    afterAll(async () => {
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    });

    test('its rows and what came after the last of them are its own totals within 1 %, and a fresh parser goes on from any byte', async () => {
      expect(await checked()).toMatchObject({
        ok: true,
        warning: expect.stringContaining('INBOX'),
      });
      for (let i = 0; i < repeats; i += 1) {
        const ran = await againstReport('imaptest', at(), dir, undefined, 6);
        const text = ran.stdout.toString();
        expect(ran.badLines).toEqual([]);
        const rows = [...text.matchAll(/^t \d+ \d+ (.*?)\d+\/ *\d+.*$/gm)].map(([, counts = '']) =>
          sumOf(counts),
        );
        const told = ran.samples.filter(({ metric }) => metric === 'throughput');
        expect(told.map(({ value }) => value)).toEqual(rows);
        const totals = sumOf(text.slice(text.indexOf('Totals:')).split('\n').at(-3) ?? '');
        const counted = rows.reduce((sum, count) => sum + count, 0);
        // What was answered after the last row stands in the totals alone.
        const end = Number(/^end (\d+)$/m.exec(text)?.[1]);
        const most = Math.max(...rows, totals / 6);
        expect(counted).toBeLessThanOrEqual(totals);
        expect(totals - counted).toBeLessThanOrEqual(
          totals * 0.01 + (most * 2 * Math.max(0, end - told.at(-1)!.tMs)) / 1_000,
        );
        if (i === 0) expectResumable('imaptest', at(), ran);
      }
    });

    test('what stands in the way of a run is said in words, with the parameter it is about', async () => {
      const nobody = await freePort();
      expect(await checked({ port: nobody })).toMatchObject({
        ok: false,
        problem: `127.0.0.1 port ${nobody}: Connection refused`,
        blames: 'port',
      });
      expect(await checked({ target: 'nowhere.invalid' })).toMatchObject({
        ok: false,
        blames: 'target',
      });
      expect(await checked({ userFile: join(dir, 'bad') })).toMatchObject({
        ok: false,
        problem: expect.stringContaining('lets a user not in'),
        blames: 'userFile',
      });
      expect(await checked({ mailFile: join(dir, 'none') })).toMatchObject({
        ok: false,
        blames: 'mailFile',
      });
      expect(await checked({ target: '' })).toMatchObject({ ok: false, blames: 'target' });
    });
  });
