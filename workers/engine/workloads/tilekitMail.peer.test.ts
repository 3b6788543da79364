import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  type LabDovecot,
  type LabPostfix,
  messagesOf,
  startDovecot,
  startPostfix,
} from '../../../e2e/lab/mail.ts';
import { poll } from '../../../e2e/lab/poll.ts';
import { listProcesses, readProc } from '../../../e2e/lab/processes.ts';
import type { LabSshd } from '../../../e2e/lab/sshd.ts';
import { silentLog } from '../deps.ts';
import type { SshHost } from '../deps/ssh.ts';
import { findKit } from '../kit/findKit.ts';
import { createSshEdge } from '../ssh/edge.ts';
import {
  createBench,
  follow,
  hopOf,
  memoryTrust,
  realClock,
  targetOf,
} from '../ssh/testing/peer.ts';
import { getDriver } from './index.ts';
import { kitVersion } from './testing/kitVersion.ts';
import { parseAll } from './testing/parse.ts';

const places = { sourceDir: 'kit', cacheDir: '.cache', carriedDir: 'resources/kit' };
const driver = getDriver('tilekit-mail');
const bench = createBench();
const password = "it's one";
const users = 12;
const perMailbox = 20;

let dir: string;
let sshd: LabSshd;
let host: SshHost;
let kits: string;
let secret: string;
let dovecot: LabDovecot;
let postfix: LabPostfix;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tb-mail-'));
  sshd = await bench.sshd();
  kits = join(sshd.home, '.tilebench-kit');
  secret = join(dir, 'secret');
  writeFileSync(secret, `${password}\n`, { mode: 0o600 });
  const edge = createSshEdge({
    clock: realClock,
    log: silentLog,
    trust: memoryTrust(),
    readKnownHosts: () => Promise.resolve(''),
    findKit: (platform) => findKit(places, platform),
  });
  host = bench.host(targetOf(hopOf(sshd)), edge);
  dovecot = await startDovecot({ users, password });
  postfix = await startPostfix({ lmtpPort: dovecot.lmtpPort });
});
afterAll(async () => {
  await bench.cleanUp();
  await postfix.stop();
  await dovecot.stop();
  rmSync(dir, { recursive: true, force: true });
});

const at = (more: Record<string, unknown> = {}) =>
  driver.params.parse({
    host: '127.0.0.1',
    imapPort: dovecot.imapPort,
    smtpPort: postfix.smtpPort,
    passwordFile: secret,
    mailboxes: users,
    messages: perMailbox,
    pace: 'rate',
    rate: 40,
    usersPerS: 100,
    // Others may load this machine for seconds.
    latenessLimitMs: 60_000,
    ...more,
  });
const left = (): string[] => (existsSync(kits) ? readdirSync(kits) : []);
const inMailboxes = (): ReturnType<typeof messagesOf> =>
  Array.from({ length: users }, (_, i) => messagesOf(dovecot.home(`user${i + 1}`))).flat();
/** Copies of messages that a run sent, as they lie on the server's disk. */
const sentCopies = (): number =>
  inMailboxes().filter(({ text }) => /^X-Tilekit: sent /m.test(text)).length;
const differentCopies = (): number =>
  Array.from({ length: users }, (_, i) => {
    const own = messagesOf(dovecot.home(`user${i + 1}`));
    return new Set(own.flatMap(({ text }) => /^X-Tilekit: sent .*$/m.exec(text)?.[0] ?? [])).size;
  }).reduce((all, one) => all + one, 0);

interface End {
  offered: number;
  done: number;
  failed?: Record<string, number>;
  unfinished: number;
  counts: Partial<Record<'accepted' | 'recipients' | 'moved' | 'deleted' | 'appended', number>>;
  shown: { expected: number; done: number; missing: number; unasked?: number };
}
const endOf = (stdout: Buffer): End =>
  JSON.parse(stdout.toString().trim().split('\n').at(-1)!) as End;

/** Runs the load for some seconds and gives what its program said. */
async function run(
  durationS: number,
  meanwhile: (said: () => string) => Promise<void>,
  more: Record<string, unknown> = {},
): Promise<{ stdout: Buffer; startMs: number }> {
  const job = await host.startJob({
    runId: 'mail',
    jobId: 't0.mail',
    command: driver.command(at(more), { durationS, intervalS: 1 }),
    timeLimitS: 240,
  });
  const followed = follow(host, job);
  const said = (): string => followed.bytes().toString();
  await poll('the first second', () => said().includes('"op":"*"'));
  await meanwhile(said);
  expect(await followed.end).toMatchObject({ exitCode: 0 });
  await host.cleanRun('mail');
  return { stdout: followed.bytes(), startMs: job.startMs };
}

test('the check logs in, has a message delivered, and says what is wrong; nothing is left on the client', async () => {
  const wrong = join(dir, 'wrong');
  writeFileSync(wrong, 'wrong\n', { mode: 0o600 });
  const open = join(dir, 'open');
  writeFileSync(open, 'x\n', { mode: 0o644 });
  const check = (more: Record<string, unknown>) => driver.check(host, at(more));
  expect(await check({})).toMatchObject({
    ok: true,
    version: kitVersion,
    warning: expect.stringContaining('holds 0 of the 20 messages'),
  });
  expect(await check({ load: false })).toMatchObject({ ok: false, blames: 'messages' });
  const refused = await check({ passwordFile: wrong });
  expect(refused).toMatchObject({
    ok: false,
    blames: 'passwordFile',
    problem: expect.stringMatching(/does not let user1 in: .*Authentication failed/),
  });
  expect(JSON.stringify(refused)).not.toContain(password);
  expect(await check({ passwordFile: open })).toMatchObject({
    blames: 'passwordFile',
    problem: expect.stringContaining('chmod 600'),
  });
  expect(await check({ login: 'nobody{n}' })).toMatchObject({ ok: false, blames: 'passwordFile' });
  // One mailbox more than the server has.
  expect(await check({ mailboxes: users + 1, messages: 0 })).toMatchObject({
    ok: false,
    problem: expect.stringContaining(`user${users + 1}`),
  });
  expect(await check({ imapPort: 1 })).toMatchObject({
    blames: 'imapPort',
    problem: expect.stringContaining('refused'),
  });
  expect(await check({ smtpPort: 1 })).toMatchObject({ blames: 'smtpPort' });
  expect(await check({ imapPort: postfix.smtpPort })).toMatchObject({
    blames: 'imapPort',
    problem: expect.stringContaining('no IMAP server'),
  });
  expect(await check({ smtpAuth: true })).toMatchObject({ ok: false, blames: 'smtpAuth' });
  // Taken by SMTP, and never delivered.
  expect(await check({ address: 'nobody{n}@example.org' })).toMatchObject({
    ok: false,
    problem: expect.stringContaining('did not arrive'),
  });
  expect(await check({ host: '' })).toMatchObject({
    problem: expect.stringContaining('no mail server address'),
  });
  expect(left()).toEqual([]);
  expect(inMailboxes()).toEqual([]);
});

test('mailboxes are filled, filled up where they are half full, and emptied of what is of tilekit alone', async () => {
  // A message of somebody else, and one that tilekit of another run has left.
  await driver.prepare(host, at({ messages: 1 }));
  const mine = join(dovecot.home('user3'), 'Maildir', 'new', '1.mine.host');
  writeFileSync(mine, 'Subject: mine\n\nhello\n');
  const given = new AbortController();
  const made = driver.prepare(host, at({ messages: 2_000 }), given.signal);
  const refused = expect(made).rejects.toMatchObject({ kind: 'aborted' });
  await poll('messages', () => inMailboxes().length > 2 * users);
  given.abort();
  await refused;
  await poll('no loader on the client', () =>
    listProcesses().every(({ pid }) => !readProc(`/proc/${pid}/cmdline`).includes(`${kits}/`)),
  );
  expect(await driver.check(host, at({ load: false }))).toMatchObject({ blames: 'messages' });
  await driver.prepare(host, at());
  const all = inMailboxes();
  expect(all).toHaveLength(users * perMailbox + 1);
  const names = all.map(({ text }) => /^Message-ID: (.*)$/m.exec(text)?.[1]);
  expect(new Set(names).size).toBe(perMailbox + 1);
  expect(await driver.check(host, at({ load: false }))).not.toHaveProperty('warning');
  expect(inMailboxes()).toHaveLength(users * perMailbox + 1);
  await driver.cleanup(host, at({ unload: true }));
  expect(inMailboxes().map(({ text }) => text)).toEqual(['Subject: mine\n\nhello\n']);
  expect(left()).toEqual([]);
});

test.each([
  ['open', { mode: 'open' }],
  ['closed', { mode: 'closed', thinkS: 0.2 }],
])(
  'what it says of an %s loop is what lies in the mailboxes, also over a lost connection',
  async (_name, more) => {
    await driver.prepare(host, at(more));
    const others = inMailboxes().length - users * perMailbox;
    const commands: string[] = [];
    const { stdout, startMs } = await run(
      6,
      async () => {
        for (const { pid } of listProcesses()) commands.push(readProc(`/proc/${pid}/cmdline`));
        // The session over which it is read is cut: the load goes on.
        await sshd.restart();
      },
      more,
    );
    expect(commands.some((line) => line.includes('tilekit'))).toBe(true);
    expect([...commands, stdout.toString()].join('\n')).not.toContain(password);
    const end = endOf(stdout);
    const { counts, shown } = end;
    expect(end).toMatchObject({ done: end.offered, unfinished: 0 });
    expect(end.done).toBeGreaterThan(80);
    expect(shown).toEqual({
      ...shown,
      expected: counts.recipients,
      done: counts.recipients,
      missing: 0,
    });
    expect(postfix.queued()).toBe(0);
    const copies = shown.done + (counts.appended ?? 0) - (counts.deleted ?? 0);
    expect(inMailboxes()).toHaveLength(others + users * perMailbox + copies);
    expect(inMailboxes().filter(({ folder }) => folder === 'tilekit-moved')).toHaveLength(
      counts.moved ?? 0,
    );
    // The driver's series tell the same: operations a minute, two times, nothing awaited at the end.
    const { samples, parser } = parseAll(driver, at(more), stdout, { startMs });
    expect(parser.badExamples).toEqual([]);
    const values = (metric: string): number[] =>
      samples.filter((one) => one.metric === metric).map(({ value }) => value);
    const operations = values('throughput').reduce((all, value) => all + value / 60, 0);
    // The last line is of a part of a second: it has no sample, or one that is scaled up.
    const [cut] = [...stdout.toString().matchAll(/"op":"\*".*?"done":(\d+)/g)].slice(-1);
    expect(Math.abs(operations - end.done)).toBeLessThanOrEqual(0.1 * end.done + Number(cut![1]));
    expect(values('acceptedP95Ms').length).toBeGreaterThan(0);
    expect(values('deliveredP95Ms').length).toBeGreaterThan(0);
    expect(driver.finalReport(at(more), stdout.toString())).not.toHaveProperty('warning');
    // As it was: the next run begins with the same mailboxes.
    await driver.prepare(host, at(more));
    expect(inMailboxes()).toHaveLength(others + users * perMailbox);
  },
);

test('sessions that are cut under load fail or come back, and what was delivered is counted all the same', async () => {
  await driver.prepare(host, at());
  const { stdout } = await run(
    12,
    async () => {
      await poll('sessions that are cut', () => dovecot.cut() > 0);
      const before = sentCopies();
      await poll('mail after the cut', () => sentCopies() > before + 20);
    },
    { weights: 'send 1, read 2, check 1' },
  );
  const end = endOf(stdout);
  const failed = Object.values(end.failed ?? {}).reduce((sum, n) => sum + n, 0);
  expect(end.done + failed).toBe(end.offered);
  expect(end.shown).toMatchObject({ missing: 0, expected: end.counts.recipients });
  await poll('an empty queue', () => postfix.queued() === 0);
  expect(sentCopies()).toBe(end.shown.done + (end.shown.unasked ?? 0));
});

test('with Dovecot down mail is accepted and not delivered, and is told so; it arrives when the server is back', async () => {
  await driver.prepare(host, at());
  try {
    const more = { weights: 'send 1' };
    const { stdout, startMs } = await run(
      8,
      async (said) => {
        await poll('delivered mail', () => sentCopies() > 20);
        await dovecot.halt();
        await poll('mail that waits', () => said().includes('"pending":'));
      },
      more,
    );
    const end = endOf(stdout);
    expect(end.shown.missing).toBeGreaterThan(0);
    expect(end.shown.expected).toBe(end.counts.recipients);
    const delivered = sentCopies();
    // What was delivered just before the server went down, nobody has seen.
    expect(end.shown.done).toBeLessThanOrEqual(delivered);
    expect(postfix.queued()).toBeGreaterThan(0);
    const { samples } = parseAll(driver, at(more), stdout, { startMs });
    expect(samples.filter(({ metric }) => metric === 'undelivered').at(-1)?.value).toBe(
      end.shown.missing,
    );
    expect(driver.finalReport(at(more), stdout.toString())?.warning).toContain(
      `${end.shown.missing} had not been delivered`,
    );
    await dovecot.start();
    postfix.flush();
    await poll('an empty queue', () => postfix.queued() === 0);
    // Each recipient has each message; what the server had written while it ended comes twice.
    const failed = Object.values(end.failed ?? {}).reduce((sum, n) => sum + n, 0);
    const unheard = differentCopies() - end.shown.expected;
    expect(unheard).toBeGreaterThanOrEqual(0);
    // Of a message that was taken while the run ended its sender heard nothing.
    expect(unheard).toBeLessThanOrEqual(5 * (failed + end.unfinished));
  } finally {
    await dovecot.start();
  }
});
