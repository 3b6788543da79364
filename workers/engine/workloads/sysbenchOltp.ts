import * as z from 'zod';

import { toAppError } from '../../../src/core/base/errors.ts';
import type { SshHost } from '../deps/ssh.ts';
import type { Driver } from './driver.ts';
import { quote } from './shell.ts';
import { sysbenchFinal, sysbenchMinimum, sysbenchParser } from './sysbenchFormat.ts';
import { checkProgram, toolRefused } from './tools.ts';

const params = z.object({
  script: z
    .enum([
      'oltp_read_write',
      'oltp_read_only',
      'oltp_write_only',
      'oltp_point_select',
      'oltp_update_index',
    ])
    .default('oltp_read_write')
    .describe("Which of sysbench's OLTP loads"),
  host: z
    .string()
    .default('')
    .describe("Database address, as the client sees it; empty = the VM's guest address"),
  port: z.number().int().min(1).max(65_535).default(3306).describe('Database port'),
  socket: z.string().default('').describe('Unix socket; instead of address and port'),
  user: z.string().default('sbtest').describe('Database user'),
  database: z.string().default('sbtest').describe('Database name; must exist'),
  configFile: z
    .string()
    .default('')
    .describe('File on the client, mode 600, with a line mysql-password=…; empty = no password'),
  tables: z.number().int().min(1).max(1_000).default(4).describe('Number of tables'),
  tableSize: z.number().int().min(100).max(1_000_000_000).default(10_000).describe('Rows a table'),
  replaceTables: z
    .boolean()
    .default(false)
    .describe(
      'Drop tables sbtest1, sbtest2 … that are there but do not fit; what is in them is lost',
    ),
  threads: z.number().int().min(1).max(4_096).default(4).describe('Client threads'),
  rate: z
    .number()
    .min(0)
    .default(0)
    .describe('Transactions per second to hold; 0 = as fast as it goes'),
});
type Params = z.infer<typeof params>;

function connection(p: Params): string {
  const where = p.socket
    ? `--mysql-socket=${quote(p.socket)}`
    : `--mysql-host=${quote(p.host)} --mysql-port=${p.port}`;
  return (
    `${p.configFile ? `--config-file=${quote(p.configFile)} ` : ''}--db-driver=mysql ${where} ` +
    `--mysql-user=${quote(p.user)} --mysql-db=${quote(p.database)} --tables=${p.tables} ` +
    `--table-size=${p.tableSize}`
  );
}

/** The database as the client knows it: `10.0.0.5:3306`, or a socket. */
const address = ({ socket, host, port }: Params): string => socket || `${host}:${port}`;

/** What sysbench says when it cannot work, without the noise around it. */
const complaint = (output: string): string =>
  output
    .split('\n')
    .filter((line) => line.startsWith('FATAL'))
    .slice(0, 2)
    .join(' ') || output.trim().split('\n').slice(-2).join(' ');

const hasAddress = ({ host, socket }: Params): boolean => host !== '' || socket !== '';
const noAddress =
  'no database address is given, and vCenter knows no guest address of the assigned VM';
const giveAddress =
  "Start VMware Tools in the guest, or give the database's address in the parameters.";

/**
 * Which parameter a refusal is about, by the words of MySQL's client library (errors 1044, 1045,
 * 1049, 2005); a port where nobody listens is the likeliest of the rest.
 */
function blamedFor(problem: string, { socket }: Params): keyof Params {
  if (/unknown database|access denied .* to database/i.test(problem)) return 'database';
  if (/access denied/i.test(problem)) return 'user';
  if (socket) return 'socket';
  return /unknown .*host|did not answer/i.test(problem) ? 'host' : 'port';
}

/** How long a database may take to let a client in. */
const connectMs = 15_000;

/**
 * Why the database lets nobody in, in words; null = it does. Logs in as the load will and asks for
 * one row: tables that are missing are none of its business, `prepare` makes them.
 */
async function refusalOf(host: SshHost, p: Params, signal?: AbortSignal): Promise<string | null> {
  try {
    const { stdout } = await host.exec(
      `sysbench ${connection(p)} --threads=1 --time=5 --events=1 oltp_point_select run 2>&1`,
      { timeoutMs: connectMs, ...(signal ? { signal } : {}) },
    );
    return /unable to connect|connection creation failed/i.test(stdout)
      ? `the database at ${address(p)} lets nobody in: ${complaint(stdout)}`
      : null;
  } catch (error) {
    if (toAppError(error).kind !== 'timedOut') throw error;
    return `the database at ${address(p)} did not answer within ${connectMs / 1_000} s`;
  }
}

/**
 * sysbench OLTP on MySQL or MariaDB: the database role, with the original tool. The password never
 * stands on a command line.
 */
export const sysbenchOltp: Driver<Params> = {
  id: 'sysbench-oltp',
  title: 'sysbench OLTP',
  role: 'database',
  params,
  minimumVersion: sysbenchMinimum,
  target: ({ host, socket }) => (socket ? '' : host),
  withTarget: (p, guestAddress) =>
    p.host || p.socket ? p : { ...p, host: guestAddress ?? '127.0.0.1' },
  series: () => [
    { metric: 'throughput', unit: 'tps', decimals: 2 },
    { metric: 'latencyP95Ms', unit: 'ms', decimals: 2 },
    { metric: 'errorRate', unit: 'errors/s', decimals: 2 },
  ],
  async check(host, p, signal) {
    const found = await checkProgram(host, 'sysbench', 'sysbench --version', 'sysbench', signal);
    if (!found.ok) return found;
    const problem = hasAddress(p) ? await refusalOf(host, p, signal) : noAddress;
    return problem === null
      ? found
      : {
          ...found,
          ok: false,
          problem,
          blames: hasAddress(p) ? blamedFor(problem, p) : 'host',
          fix: hasAddress(p)
            ? 'Start the database, or correct address, port, user and password file; the ' +
              `database ${p.database} must exist.`
            : giveAddress,
        };
  },
  async prepare(host, p, signal) {
    if (!hasAddress(p)) throw toolRefused(noAddress, '', giveAddress);
    // Tables that answer are left alone, so that a second run starts in seconds. Others of that
    // name may be somebody else's.
    const probe = await host.exec(
      `sysbench ${connection(p)} --threads=1 --time=10 --events=${p.tables * 20} oltp_point_select run 2>&1`,
      { timeoutMs: 30_000, ...(signal ? { signal } : {}) },
    );
    if (probe.code === 0 && !probe.stdout.includes('FATAL')) return;
    const limit = { timeoutMs: 30 * 60_000, ...(signal ? { signal } : {}) };
    if (p.replaceTables)
      await host.exec(`sysbench ${connection(p)} oltp_read_write cleanup 2>&1`, limit);
    const made = await host.exec(
      `sysbench ${connection(p)} --threads=1 oltp_read_write prepare 2>&1`,
      limit,
    );
    if (made.code !== 0 && /already exists/i.test(made.stdout))
      throw toolRefused(
        `The database ${p.database} has tables of this name that do not fit the load: ${complaint(made.stdout)}`,
        made.stdout,
        'Give another database, or set replaceTables to drop the tables sbtest1, sbtest2 … and make them anew.',
      );
    if (made.code !== 0)
      throw toolRefused(
        `sysbench cannot prepare its tables at ${address(p)}: ${complaint(made.stdout)}`,
        made.stdout,
        'Check address, user, password file and that the database exists and may be written.',
      );
  },
  command: (p, { durationS, intervalS }) =>
    `sysbench ${connection(p)} ` +
    `--threads=${p.threads}${p.rate > 0 ? ` --rate=${p.rate}` : ''} --time=${durationS} ` +
    `--events=0 --report-interval=${Math.max(1, Math.round(intervalS))} --percentile=95 ` +
    `--histogram=on ${p.script} run`,
  parser: (_params, options) => sysbenchParser(options),
  finalReport: (_params, stdout) => sysbenchFinal(stdout),
  async cleanup(host, p, signal) {
    const dropped = await host.exec(`sysbench ${connection(p)} oltp_read_write cleanup 2>&1`, {
      timeoutMs: 120_000,
      ...(signal ? { signal } : {}),
    });
    if (dropped.code !== 0)
      throw toolRefused(
        `sysbench cannot drop its tables at ${address(p)}: ${complaint(dropped.stdout)}`,
        dropped.stdout,
      );
  },
};
