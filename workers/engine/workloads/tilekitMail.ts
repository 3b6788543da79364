import * as z from 'zod';

import type { DriverTiming } from './driver.ts';
import { choice } from './parameterMeta.ts';
import type { OperationMetrics, TilekitEnd } from './tilekitFormat.ts';
import { checkData, commonParams, jobHead, tilekitDriver } from './tilekitScenario.ts';

/** docs/tilekit.md has the sources of these: operations of MMB's day, tasks of LoadGen Heavy's. */
const tasksOfDay = { mmb: 161.28, loadgenHeavy: 132 };
const dayS = 8 * 3_600;

const operation = '(?:check|send|read|move|delete|calendar|search|flag) [0-9]+(?:\\.[0-9]+)?';
const port = (usual: number) => z.number().int().min(1).max(65_535).default(usual);
const params = z.object({
  host: commonParams.host('mail server'),
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
  arrivals: commonParams.arrivals,
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
  timeoutMs: commonParams.timeoutMs('An operation'),
  latenessLimitMs: commonParams.latenessLimitMs('arrivals'),
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
    ...jobHead('mail', one, timing),
    durationS: timing.durationS - before,
    drainS: before + awaitedS.after,
    users: one.mailboxes,
    rampUpS,
    mode: one.mode,
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

const undelivered = ({ shown }: TilekitEnd): string | null =>
  shown !== undefined && shown.missing > 0
    ? `of ${shown.expected} messages that the server accepted, ${shown.missing} ` +
      'had not been delivered when the load ended. They count as not delivered.'
    : null;

/** How long the check waits for the one message it sends. */
const probeS = 15;
/** Ten thousand large mailboxes are emptied for hours. */
const unloadMs = 12 * 3_600_000;

const isParameter = (name: string): name is keyof Params => Object.hasOwn(params.shape, name);

/** Users of a mail server by IMAP and SMTP with the mix of MMB, by the program of `kit/`. */
export const tilekitMail = tilekitDriver<Params>({
  id: 'tilekit-mail',
  title: 'tilekit Mail',
  role: 'mail',
  params,
  unit: 'operations/min',
  reading: () => ({ perUnit: 60, operations, warning: undelivered }),
  more: () => [
    { metric: 'acceptedMeanMs', unit: 'ms', decimals: 3 },
    { metric: 'acceptedP95Ms', unit: 'ms', decimals: 3 },
    { metric: 'deliveredMeanMs', unit: 'ms', decimals: 3 },
    { metric: 'deliveredP95Ms', unit: 'ms', decimals: 3 },
    { metric: 'undelivered', unit: 'messages', decimals: 0 },
  ],
  unnamed: {
    server: 'mail server',
    fix: "Start VMware Tools in the guest, or give the mail server's address in the parameters.",
  },
  check: (host, kit, one, signal) =>
    checkData(
      { host, kit, one, job: { ...dataJob(one), probeS } },
      {
        parameter: (option) => (isParameter(option) ? option : undefined),
        dataIs: 'messages',
        isMade: 'They are filled before the run begins.',
        makeIt: 'Switch load on, or fill the mailboxes on the client: tilekit load.',
        repair:
          'Start the mail server, or correct address, ports, user names and password file; ' +
          `the mailboxes ${one.login} must exist.`,
      },
      signal,
    ),
  data: { job: dataJob, loads: ({ load }) => load, unloads: ({ unload }) => unload, unloadMs },
  job: runJob,
});
