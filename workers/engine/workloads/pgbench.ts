import * as z from 'zod';

import { toAppError } from '../../../src/core/base/errors.ts';
import type { SshHost } from '../deps/ssh.ts';
import type { Driver, DriverCheck } from './driver.ts';
import { choice } from './parameterMeta.ts';
import { pgbenchFinal, pgbenchParser } from './pgbenchFormat.ts';
import { quote } from './shell.ts';
import { checkProgram, toolRefused } from './tools.ts';

const params = z.object({
  script: z
    .enum(['tpcb-like', 'simple-update', 'select-only'])
    .default('tpcb-like')
    .meta(
      choice("Which of pgbench's own loads", {
        'tpcb-like': 'In the style of TPC-B',
        'simple-update': 'Simple updates',
        'select-only': 'Reads only',
      }),
    ),
  host: z
    .string()
    .regex(/^[A-Za-z0-9._:%/-]*$/, 'a host name, an address or the folder of a socket')
    .max(253)
    .default('')
    .describe("Database address, as the client sees it; empty = the VM's guest address"),
  port: z.number().int().min(1).max(65_535).default(5432).describe('Database port'),
  user: z.string().min(1).max(63).default('pgbench').describe('Database user'),
  database: z.string().min(1).max(63).default('pgbench').describe('Database name; must exist'),
  passFile: z
    .string()
    .max(4_096)
    .default('')
    .describe(
      'File on the client, mode 600, with a line host:port:database:user:password; empty = none',
    ),
  scale: z
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(10)
    .describe('Scale of the tables: 100,000 accounts each'),
  replaceTables: z
    .boolean()
    .default(false)
    .describe(
      'Drop pgbench_accounts, _branches, _tellers and _history that are there but of another ' +
        'scale; what is in them is lost',
    ),
  clients: z.number().int().min(1).max(4_096).default(4).describe('Connections'),
  threads: z.number().int().min(1).max(256).default(1).describe('Threads of pgbench'),
  rate: z
    .number()
    .min(0)
    .max(1_000_000)
    .default(0)
    .describe('Transactions per second to hold; 0 = as fast as it goes'),
});
type Params = z.infer<typeof params>;

/** Debian keeps pgbench where no path leads, where the server's package is not whole. */
const path =
  'PATH="$PATH:$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)"; export PATH;';

/** How long a database may take to let a client in. */
const connectS = 10;

/** pgbench with what it needs to log in; the password stands in a file of the client. */
const pgbench = (p: Params, what: string): string =>
  `env PGCONNECT_TIMEOUT=${connectS}${p.passFile ? ` PGPASSFILE=${quote(p.passFile)}` : ''} ` +
  `pgbench -h ${quote(p.host)} -p ${p.port} -U ${quote(p.user)} ${what} ${quote(p.database)}`;

const address = ({ host, port }: Params): string => `${host}:${port}`;

/** What pgbench says when it cannot work, without the noise around it. */
const complaint = (output: string): string =>
  output
    .split('\n')
    .filter((line) => /error:|fatal:/i.test(line))
    .slice(0, 1)
    .map((line) => line.replace(/^pgbench: (?:error|fatal): /, ''))
    .join(' ') || output.trim().split('\n').slice(-2).join(' ');

/** Which parameter a refusal is about, by the words of PostgreSQL's client library. */
function blamedFor(problem: string): keyof Params {
  if (/password|no pg_hba|authentication/i.test(problem)) return 'passFile';
  if (/database ".*" does not exist/i.test(problem)) return 'database';
  if (/role ".*" does not exist/i.test(problem)) return 'user';
  return /could not translate|timeout|no route/i.test(problem) ? 'host' : 'port';
}

const run = (
  host: SshHost,
  command: string,
  signal: AbortSignal | undefined,
  timeoutMs = (connectS + 10) * 1_000,
): ReturnType<SshHost['exec']> =>
  host.exec(`${path} ${command} 2>&1`, { timeoutMs, ...(signal ? { signal } : {}) });

/** Why the database lets nobody in, in words; null = it does. One row of no table is asked for. */
async function refusalOf(host: SshHost, p: Params, signal?: AbortSignal): Promise<string | null> {
  const silent = `the database at ${address(p)} did not answer within ${connectS} s`;
  try {
    const { code, stdout } = await run(
      host,
      `echo 'SELECT 1;' | ${pgbench(p, '-n -c 1 -t 1 -f -')}`,
      signal,
    );
    return code === 0 && !/ERROR:/.test(stdout)
      ? null
      : `the database at ${address(p)} lets nobody in: ${complaint(stdout)}`;
  } catch (error) {
    if (toAppError(error).kind !== 'timedOut') throw error;
    return silent;
  }
}

/** Scale of the tables that are there, from their branches; null = there are none. */
async function scaleOf(host: SshHost, p: Params, signal?: AbortSignal): Promise<number | null> {
  const { code, stdout } = await run(host, pgbench(p, '-n -c 1 -t 1 -S'), signal, 60_000);
  const scale = /^scaling factor: (\d+)/m.exec(stdout)?.[1];
  if (code === 0 && scale !== undefined && !/aborted|ERROR:/.test(stdout)) return Number(scale);
  if (/relation "pgbench_\w+" does not exist|perhaps you need to do initialization/i.test(stdout))
    return null;
  throw toolRefused(
    `The tables of pgbench at ${address(p)} cannot be read: ${complaint(stdout)}`,
    stdout,
    'Look whether the user may read pgbench_accounts.',
  );
}

const noAddress =
  'no database address is given, and vCenter knows no guest address of the assigned VM';
const giveAddress =
  "Start VMware Tools in the guest, or give the database's address in the parameters.";

const otherScale = (p: Params, found: number): string =>
  `the tables of pgbench at ${address(p)} have the scale ${found}, not ${p.scale}`;
const otherScaleFix = 'Give that scale, another database, or set replaceTables to make them anew.';

async function checkDatabase(
  host: SshHost,
  p: Params,
  version: string | null,
  signal?: AbortSignal,
): Promise<DriverCheck<Params>> {
  const refusal = await refusalOf(host, p, signal);
  if (refusal !== null)
    return {
      version,
      ok: false,
      problem: refusal,
      blames: blamedFor(refusal),
      fix:
        'Start the database, or correct address, port, user and password file; the database ' +
        `${p.database} must exist.`,
    };
  const scale = await scaleOf(host, p, signal);
  if (scale === null || scale === p.scale || p.replaceTables) return { version, ok: true };
  return {
    version,
    ok: false,
    problem: otherScale(p, scale),
    blames: 'scale',
    fix: otherScaleFix,
  };
}

/** Makes the tables; those that are there are dropped by it. */
async function makeTables(host: SshHost, p: Params, signal?: AbortSignal): Promise<void> {
  const made = await run(host, pgbench(p, `-i -q -s ${p.scale}`), signal, 60 * 60_000);
  if (made.code !== 0)
    throw toolRefused(
      `pgbench cannot make its tables at ${address(p)}: ${complaint(made.stdout)}`,
      made.stdout,
      'Check that the user may make tables in the database, and that its disk has room: 15 MB a scale.',
    );
}

/** pgbench on PostgreSQL: the database role, with the original tool. */
export const pgbenchDriver: Driver<Params> = {
  id: 'pgbench',
  title: 'pgbench',
  role: 'database',
  params,
  minimumVersion: { version: '9.5', reason: 'older ones print no time of their own with a line' },
  target: ({ host }) => (host.startsWith('/') ? '' : host),
  withTarget: (p, guestAddress) => (p.host ? p : { ...p, host: guestAddress ?? '127.0.0.1' }),
  series: () => [
    { metric: 'throughput', unit: 'tps', decimals: 1 },
    { metric: 'latencyMeanMs', unit: 'ms', decimals: 3 },
    { metric: 'errorRate', unit: 'errors/s', decimals: 3 },
  ],
  async check(host, p, signal) {
    const version = `${path} pgbench --version`;
    const found = await checkProgram(
      { ...host, exec: (command, options) => host.exec(`${path} ${command}`, options) },
      'pgbench',
      version,
      'postgresql-contrib',
      signal,
    );
    if (!found.ok) return found;
    if (p.host === '')
      return { ...found, ok: false, problem: noAddress, blames: 'host', fix: giveAddress };
    return checkDatabase(host, p, found.version, signal);
  },
  async prepare(host, p, signal) {
    if (p.host === '') throw toolRefused(noAddress, '', giveAddress);
    const found = await scaleOf(host, p, signal);
    if (found === p.scale) return;
    if (found !== null && !p.replaceTables)
      throw toolRefused(`${capital(otherScale(p, found))}.`, '', otherScaleFix);
    await makeTables(host, p, signal);
  },
  command: (p, { durationS, intervalS }) =>
    `${path} exec ` +
    `${pgbench(
      p,
      `-n -b ${p.script} -T ${durationS} -P ${Math.max(1, Math.round(intervalS))} ` +
        `--progress-timestamp -c ${p.clients} -j ${Math.min(p.threads, p.clients)}` +
        (p.rate > 0 ? ` -R ${p.rate}` : ''),
    )} 2>&1`,
  parser: (_params, options) => pgbenchParser(options),
  finalReport: (_params, stdout) => pgbenchFinal(stdout),
  async cleanup(host, p, signal) {
    const dropped = await run(host, pgbench(p, '-i -I d -q'), signal, 120_000);
    if (dropped.code !== 0)
      throw toolRefused(
        `pgbench cannot drop its tables at ${address(p)}: ${complaint(dropped.stdout)}`,
        dropped.stdout,
      );
  },
};
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
