import * as z from 'zod';

import type { SshHost } from '../deps/ssh.ts';
import type { Driver, DriverCheck, DriverTiming } from './driver.ts';
import { choice } from './parameterMeta.ts';
import { ask, checkInTurn, removeKit, runCommand } from './tilekitClient.ts';
import {
  type OperationMetrics,
  tilekitFinal,
  tilekitParser,
  tilekitSeries,
} from './tilekitFormat.ts';

/** docs/tilekit.md has the sources of these: operations of MMB's day, tasks of LoadGen Heavy's. */
const tasksOfDay = { mmb: 161.28, loadgenHeavy: 132 };
const dayS = 8 * 3_600;

const operation = '(?:check|send|read|move|delete|calendar|search|flag) [0-9]+(?:\\.[0-9]+)?';
const port = (usual: number) => z.number().int().min(1).max(65_535).default(usual);
const params = z.object({
  host: z
    .string()
    .regex(/^[A-Za-z0-9._-]*$/, 'a host name or address')
    .default('')
    .describe('Address of the mail server; empty = the guest address of the assigned VM'),
  imapPort: port(143).describe('Port of IMAP, without TLS'),
  smtpPort: port(25).describe('Port of SMTP, without TLS'),
  smtpAuth: z.boolean().default(false).describe('Log in by AUTH PLAIN before mail is sent'),
  login: z
    .string()
    .regex(/^[A-Za-z0-9_.@+{}-]{1,200}$/, 'a user name, with {n} for its number')
    .default('user{n}')
    .describe('User name of a mailbox; {n} = its number'),
  address: z
    .string()
    .regex(/^[A-Za-z0-9_.+{}-]{1,64}@[A-Za-z0-9.{}-]{1,200}$/, 'an address, with {n}')
    .default('user{n}@example.org')
    .describe('Mail address of a mailbox; {n} = its number'),
  passwordFile: z
    .string()
    .max(1_024)
    .default('')
    .describe('File on the client, mode 600, whose first line is the password of all mailboxes'),
  mailboxes: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(10)
    .describe('Mailboxes of the server, each with one user who keeps one IMAP session'),
  firstMailbox: z
    .number()
    .int()
    .min(0)
    .max(10_000_000)
    .default(1)
    .describe('Number of the first mailbox'),
  messages: z
    .number()
    .int()
    .min(0)
    .max(100_000)
    .default(50)
    .describe('Messages in each mailbox before a run'),
  messageSizeKb: z
    .number()
    .min(0)
    .max(10_240)
    .default(0)
    .describe(
      'Size of every message; 0 = the mix of sizes of MMB, 1 to 43 KB (weights of 96, each its share)',
    ),
  load: z
    .boolean()
    .default(true)
    .describe('Fill the mailboxes where messages are missing, and put them back before a run'),
  unload: z.boolean().default(false).describe('Remove these messages after a run'),
  mode: z
    .enum(['open', 'closed'])
    .default('open')
    .meta(
      choice('How the load is offered', {
        open: 'Open: at a rate',
        closed: 'Closed: users who wait',
      }),
    ),
  pace: z
    .enum(['mmb', 'loadgenHeavy', 'rate'])
    .default('mmb')
    .meta({
      ...choice('MMB = 161.28 operations per user and day of 8 hours, LoadGen Heavy = 132', {
        mmb: 'MMB',
        loadgenHeavy: 'LoadGen Heavy',
        rate: 'A rate',
      }),
      when: { member: 'mode', is: ['open'] },
    }),
  rate: z
    .number()
    .min(0.01)
    .max(100_000)
    .default(10)
    .meta({
      description: 'Operations per second to offer, by all users',
      when: { member: 'pace', is: ['rate'] },
    }),
  arrivals: z
    .enum(['poisson', 'constant'])
    .default('poisson')
    .meta({
      ...choice('How they lie in time', { poisson: 'At random (Poisson)', constant: 'Evenly' }),
      when: { member: 'mode', is: ['open'] },
    }),
  thinkS: z
    .number()
    .min(0)
    .max(3_600)
    .default(178.6)
    .meta({
      description: 'Mean pause of a user between two operations; 178.6 s is the pace of MMB',
      when: { member: 'mode', is: ['closed'] },
    }),
  usersPerS: z.number().min(0.1).max(10_000).default(10).describe('Users who log in at the start'),
  weights: z
    .string()
    .regex(
      new RegExp(`^(?:${operation}(?:, ?${operation})*)?$`),
      'operations with weights, as send 20, read 60',
    )
    .default('')
    .describe(
      'Mix, as send 20, read 60, search 10, delete 10; also check, move, calendar, flag. ' +
        'Empty = that of MMB (Compaq, ECG082)',
    ),
  timeoutMs: z
    .number()
    .int()
    .min(1)
    .max(600_000)
    .default(30_000)
    .describe('An operation that takes longer has failed'),
  latenessLimitMs: z
    .number()
    .min(0.1)
    .max(60_000)
    .default(25)
    .describe('A client that is later than this with a hundredth of its arrivals is too slow'),
});
type Params = z.infer<typeof params>;

const weightsOf = (text: string): Record<string, number> =>
  Object.fromEntries(
    text
      .split(',')
      .map((one) => one.trim().split(' '))
      .flatMap(([name = '', weight]) => (name === '' ? [] : [[name, Number(weight)]])),
  );

/** What tilekit is told of the server and its mailboxes; the password stays in its file. */
const mailOf = (one: Params) => ({
  host: one.host,
  imapPort: one.imapPort,
  smtpPort: one.smtpPort,
  smtpAuth: one.smtpAuth,
  login: one.login,
  address: one.address,
  mailboxes: one.mailboxes,
  firstMailbox: one.firstMailbox,
  messages: one.messages,
  messageKb: one.messageSizeKb,
  weights: weightsOf(one.weights),
  ...(one.passwordFile === '' ? {} : { passwordFile: one.passwordFile }),
});
const dataJob = (one: Params) => ({ schema: 1, mail: mailOf(one) });

/** Operations a second that the open loop offers. */
const rateOf = ({ pace, rate, mailboxes }: Params): number =>
  pace === 'rate' ? rate : (mailboxes * tasksOfDay[pace]) / dayS;

/**
 * The load ends so long before its time, within the ramp-down, and what was accepted is awaited
 * until shortly after it, as long as a run waits for its loads.
 */
const awaitedS = { before: 3, after: 2 };

function runJob(one: Params, timing: DriverTiming) {
  const before = Math.min(awaitedS.before, 0.1 * timing.durationS);
  const rampUpS = Math.min(one.mailboxes / one.usersPerS, timing.durationS / 2);
  const perS = rateOf(one);
  return {
    schema: 1,
    scenario: 'mail',
    seed: 1,
    durationS: timing.durationS - before,
    drainS: before + awaitedS.after,
    everyS: Math.max(1, Math.round(timing.intervalS)),
    users: one.mailboxes,
    rampUpS,
    mode: one.mode,
    timeoutMs: one.timeoutMs,
    latenessLimitMs: one.latenessLimitMs,
    ...(one.mode === 'open'
      ? {
          arrivals: {
            kind: one.arrivals,
            rate: [
              { atS: 0, perS: 0 },
              { atS: rampUpS, perS },
            ],
          },
        }
      : { thinkS: one.thinkS }),
    mail: mailOf(one),
  };
}

/** What a second of the load tells apart. */
const operations: ReadonlyMap<string, OperationMetrics> = new Map([
  ['send', { meanMs: 'acceptedMeanMs', p95Ms: 'acceptedP95Ms' }],
  [
    'delivered',
    { meanMs: 'deliveredMeanMs', p95Ms: 'deliveredP95Ms', pending: 'undelivered' } as const,
  ],
]);

/** A mailbox takes seconds; ten thousand large ones take hours. */
const loadMs = 12 * 3_600_000;
/** How long the check waits for the one message it sends. */
const probeS = 15;

const isParameter = (name: string): name is keyof Params => Object.hasOwn(params.shape, name);

async function checkOn(
  host: SshHost,
  one: Params,
  signal?: AbortSignal,
): Promise<DriverCheck<Params>> {
  const kit = await host.putKit(signal);
  const said = await ask(host, kit, 'verify', { ...dataJob(one), probeS }, signal);
  const version = `tilekit ${String(said['kit'])}`;
  if (said['ok'] === true) return { ok: true, version };
  const named = String(said['blames']);
  const blames = isParameter(named) ? named : 'host';
  const problem = String(said['problem']);
  if (blames === 'messages' && one.load)
    return { ok: true, version, warning: `${problem}. They are filled before the run begins.` };
  return {
    ok: false,
    version,
    problem,
    blames,
    fix:
      blames === 'messages'
        ? 'Switch load on, or fill the mailboxes on the client: tilekit load.'
        : `Start the mail server, or correct address, ports, user names and password file; the mailboxes ${one.login} must exist.`,
  };
}

/**
 * Users of a mail server by IMAP and SMTP with the mix of MMB, by the program of `kit/`. The
 * password never stands in a job or on a command line.
 */
export const tilekitMail: Driver<Params> = {
  id: 'tilekit-mail',
  title: 'tilekit Mail',
  role: 'mail',
  params,
  latenessLimitMs: ({ latenessLimitMs }) => latenessLimitMs,
  target: ({ host }) => host,
  withTarget: (one, guest) => (one.host === '' && guest ? { ...one, host: guest } : one),
  series: () => [
    ...tilekitSeries('operations/min'),
    { metric: 'acceptedMeanMs', unit: 'ms', decimals: 3 },
    { metric: 'acceptedP95Ms', unit: 'ms', decimals: 3 },
    { metric: 'deliveredMeanMs', unit: 'ms', decimals: 3 },
    { metric: 'deliveredP95Ms', unit: 'ms', decimals: 3 },
    { metric: 'undelivered', unit: 'messages', decimals: 0 },
  ],
  async check(host, one, signal) {
    if (one.host === '')
      return {
        ok: false,
        version: null,
        problem: 'no mail server address is set, and the assigned VM has none',
        blames: 'host',
        fix: "Start VMware Tools in the guest, or give the mail server's address in the parameters.",
      };
    return checkInTurn(host, () => checkOn(host, one, signal));
  },
  async prepare(host, one, signal) {
    const kit = await host.putKit(signal);
    if (one.load) await ask(host, kit, 'load', dataJob(one), signal, loadMs);
  },
  command: (one, timing) => runCommand(runJob(one, timing)),
  parser: (_params, options) => tilekitParser(options, 60, operations),
  finalReport: (_params, stdout) => tilekitFinal(stdout, 60),
  async cleanup(host, one, signal) {
    try {
      if (one.unload)
        await ask(host, await host.putKit(signal), 'unload', dataJob(one), signal, loadMs);
    } finally {
      await removeKit(host, signal);
    }
  },
};
