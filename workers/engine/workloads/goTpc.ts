import * as z from 'zod';

import type { SshHost } from '../deps/ssh.ts';
import type { Driver, DriverCheck } from './driver.ts';
import { goTpcFinal, goTpcParser } from './goTpcFormat.ts';
import { choice } from './parameterMeta.ts';
import { quote } from './shell.ts';
import { checkProgram, toolRefused } from './tools.ts';

const params = z.object({
  engine: z
    .enum(['mysql', 'postgres'])
    .default('mysql')
    .meta(choice('Database', { mysql: 'MySQL or MariaDB', postgres: 'PostgreSQL' })),
  host: z
    .string()
    .regex(/^[A-Za-z0-9._:-]*$/, 'a host name or address')
    .max(253)
    .default('')
    .describe("Database address, as the client sees it; empty = the VM's guest address"),
  port: z
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(0)
    .describe("Database port; 0 = the database's usual one"),
  user: z
    .string()
    .regex(/^[A-Za-z0-9_.-]+$/, 'letters, digits, _, . and -')
    .max(63)
    .default('tpcc')
    .describe('Database user; of MySQL one without a password: go-tpc takes one only in view'),
  passFile: z
    .string()
    .max(4_096)
    .default('')
    .meta({
      description:
        'File on the client, mode 600, with a line host:port:database:user:password; empty = none',
      when: { member: 'engine', is: ['postgres'] },
    }),
  tls: z
    .boolean()
    .default(false)
    .meta({ description: 'Ask for TLS', when: { member: 'engine', is: ['postgres'] } }),
  database: z
    .string()
    .regex(/^[A-Za-z0-9_]+$/, 'letters, digits and _')
    .max(63)
    .default('tpcc')
    .describe('Database name; must exist'),
  warehouses: z
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(4)
    .describe('Warehouses, some 100 MB each'),
  replaceTables: z
    .boolean()
    .default(false)
    .describe(
      'Drop tables of the names warehouse, district, customer, history, new_order, orders, ' +
        'order_line, stock and item that do not fit; what is in them is lost',
    ),
  threads: z.number().int().min(1).max(4_096).default(4).describe('Connections'),
  thinkTime: z
    .boolean()
    .default(false)
    .describe('Keying and thinking times as TPC-C states them; off = as fast as it goes'),
});
type Params = z.infer<typeof params>;

/** The nine tables of TPC-C by the names go-tpc gives them. */
const tables = [
  'warehouse',
  'district',
  'customer',
  'history',
  'new_order',
  'orders',
  'order_line',
  'stock',
  'item',
] as const;

const portOf = ({ engine, port }: Params): number => port || (engine === 'mysql' ? 3_306 : 5_432);
const address = (p: Params): string => `${p.host}:${portOf(p)}`;

/** go-tpc with what it needs to log in; a password stands in a file of the client. */
const goTpc = (p: Params, database: string, what: string): string =>
  `env PGCONNECT_TIMEOUT=10${p.passFile && p.engine === 'postgres' ? ` PGPASSFILE=${quote(p.passFile)}` : ''} ` +
  `go-tpc -d ${p.engine} -H ${quote(p.host)} -P ${portOf(p)} -U ${quote(p.user)} -D ${database} ` +
  (p.engine === 'postgres' ? `--conn-params sslmode=${p.tls ? 'require' : 'disable'} ` : '') +
  what;

/**
 * A statement that fails where the figure of a query is below another. go-tpc throws rows away and
 * sees an error only where it comes before them: those of these two statements do.
 */
const failsBelow = ({ engine }: Params, query: string, least: number): string =>
  engine === 'mysql'
    ? `SET @tilebench = (SELECT 1 UNION ALL SELECT 2 FROM (${query}) AS counted WHERE n < ${least})`
    : `DO $$ BEGIN IF (${query}) < ${least} THEN RAISE EXCEPTION 'fewer'; END IF; END $$`;

const run = (
  host: SshHost,
  command: string,
  signal: AbortSignal | undefined,
  timeoutMs = 30_000,
): ReturnType<SshHost['exec']> =>
  host.exec(`${command} 2>&1`, { timeoutMs, ...(signal ? { signal } : {}) });

/** What go-tpc says of one statement: null = it went through. */
async function ask(
  host: SshHost,
  p: Params,
  database: string,
  statement: string,
  signal?: AbortSignal,
): Promise<string | null> {
  const { stdout } = await run(
    host,
    `f=$(mktemp) && printf '%s\\n' ${quote(statement)} > "$f" && { ` +
      `timeout 20 ${goTpc(p, database, 'rawsql run --query-files "$f" --count 1')}; rm -f "$f"; }`,
    signal,
  );
  if (/^\[Summary\] (?!\S*_ERR)/m.test(stdout)) return null;
  const said =
    /(?:failed to ping db, err|query \S+ failed) (.*)/.exec(stdout)?.[1] ??
    stdout.trim().split('\n').slice(-1).join('');
  return said || 'it did not answer within 20 s';
}

const home = ({ engine }: Params): string =>
  engine === 'mysql' ? 'information_schema' : 'postgres';

/** Which parameter a refusal is about, by the words of the two client libraries. */
function blamedFor(problem: string, { engine }: Params): keyof Params {
  if (/no such host|no route|did not answer/i.test(problem)) return 'host';
  if (/using password|access denied|role ".*" does not exist/i.test(problem)) return 'user';
  if (/password|no pg_hba|authentication/i.test(problem))
    return engine === 'mysql' ? 'user' : 'passFile';
  return 'port';
}

/** Why nobody gets in, in words. A database that is missing is told here: go-tpc would make it. */
async function refusalOf(
  host: SshHost,
  p: Params,
  signal?: AbortSignal,
): Promise<{ problem: string; blames: keyof Params } | null> {
  const lets = await ask(host, p, home(p), 'SELECT 1', signal);
  if (lets !== null)
    return {
      problem: `the database at ${address(p)} lets nobody in: ${lets}`,
      blames: blamedFor(lets, p),
    };
  const exists =
    p.engine === 'mysql'
      ? `SELECT COUNT(*) AS n FROM information_schema.schemata WHERE schema_name = '${p.database}'`
      : `SELECT count(*) AS n FROM pg_database WHERE datname = '${p.database}'`;
  const missing = await ask(host, p, home(p), failsBelow(p, exists, 1), signal);
  return missing === null
    ? null
    : {
        problem: `the database at ${address(p)} has no database ${p.database} that ${p.user} sees`,
        blames: 'database',
      };
}

/** The tables that are there: none, those of so many warehouses at least, or others. */
async function tablesOf(
  host: SshHost,
  p: Params,
  signal?: AbortSignal,
): Promise<'none' | 'enough' | 'others'> {
  const own = p.engine === 'mysql' ? 'DATABASE()' : 'ANY(current_schemas(false))';
  const names = tables.map((name) => `'${name}'`).join(',');
  const counted =
    'SELECT COUNT(*) AS n FROM information_schema.tables ' +
    `WHERE table_schema = ${own} AND table_name IN (${names})`;
  const there = async (least: number): Promise<boolean> =>
    (await ask(host, p, p.database, failsBelow(p, counted, least), signal)) === null;
  if (!(await there(1))) return 'none';
  if (!(await there(tables.length))) return 'others';
  const warehouses = failsBelow(p, 'SELECT COUNT(*) AS n FROM warehouse', p.warehouses);
  return (await ask(host, p, p.database, warehouses, signal)) === null ? 'enough' : 'others';
}

const noAddress =
  'no database address is given, and vCenter knows no guest address of the assigned VM';
const giveAddress =
  "Start VMware Tools in the guest, or give the database's address in the parameters.";
const others = (p: Params): string =>
  `the database ${p.database} at ${address(p)} has tables of the names of TPC-C, ` +
  `but not those of ${p.warehouses} warehouses`;
const othersFix =
  'Ask for as many warehouses as there are, give another database, or set replaceTables to make the tables anew.';

/** Ends of the intervals are not printed: the shell puts the client's clock before each line. */
const stamped =
  'while IFS= read -r l; do case $l in "[Current]"*) ' +
  'printf "t %s %s\\n" "$(date +%s%3N)" "$l";; *) printf "%s\\n" "$l";; esac; done';

/** go-tpc's TPC-C on MySQL, MariaDB or PostgreSQL: the database role, with the original tool. */
export const goTpcDriver: Driver<Params> = {
  id: 'go-tpc',
  title: 'go-tpc',
  role: 'database',
  params,
  target: ({ host }) => host,
  withTarget: (p, guestAddress) => (p.host ? p : { ...p, host: guestAddress ?? '127.0.0.1' }),
  series: () => [
    { metric: 'throughput', unit: 'orders/min', decimals: 1 },
    { metric: 'errorRate', unit: 'errors/s', decimals: 3 },
    { metric: 'latencyMeanMs', unit: 'ms', decimals: 3 },
    { metric: 'latencyP95Ms', unit: 'ms', decimals: 1 },
    { metric: 'latencyP99Ms', unit: 'ms', decimals: 1 },
  ],
  async check(host, p, signal) {
    const found: DriverCheck<Params> = await checkProgram(
      host,
      'go-tpc',
      "go-tpc version 2>/dev/null | sed -n 's/^Release version: /go-tpc /p'",
      'go-tpc',
      signal,
    );
    if (!found.ok)
      return {
        ok: false,
        version: null,
        problem: 'go-tpc is not on the path of the client',
        fix: 'Install go-tpc 1.0.12 on the client by its own instructions; Tilebench brings none.',
      };
    if (p.host === '')
      return { ...found, ok: false, problem: noAddress, blames: 'host', fix: giveAddress };
    const refusal = await refusalOf(host, p, signal);
    if (refusal)
      return {
        ...found,
        ok: false,
        ...refusal,
        fix: `Start the database, or correct address, port and user; the database ${p.database} must exist.`,
      };
    return !p.replaceTables && (await tablesOf(host, p, signal)) === 'others'
      ? { ...found, ok: false, problem: others(p), blames: 'warehouses', fix: othersFix }
      : found;
  },
  async prepare(host, p, signal) {
    if (p.host === '') throw toolRefused(noAddress, '', giveAddress);
    const refusal = await refusalOf(host, p, signal);
    if (refusal) throw toolRefused(`${refusal.problem}.`, '');
    const there = await tablesOf(host, p, signal);
    if (there === 'enough') return;
    if (there === 'others' && !p.replaceTables) throw toolRefused(`${others(p)}.`, '', othersFix);
    const made = await run(
      host,
      goTpc(
        p,
        p.database,
        `tpcc prepare --warehouses ${p.warehouses} -T ${Math.min(p.threads, p.warehouses)} ` +
          `--no-check --retry-count 1 --retry-interval 1s${there === 'others' ? ' --dropdata' : ''} | tail -n 20`,
      ),
      signal,
      4 * 60 * 60_000,
    );
    // go-tpc ends well whatever came of it: only the tables tell.
    if ((await tablesOf(host, p, signal)) !== 'enough')
      throw toolRefused(
        `go-tpc cannot make its tables at ${address(p)}: ${made.stdout.trim().split('\n').at(-1) ?? ''}`,
        made.stdout,
        'Check that the user may make tables in the database, and that its disk has room: 100 MB a warehouse.',
      );
  },
  // An error would end its thread; it is counted instead.
  command: (p, { durationS, intervalS }) =>
    'rm -f code; { ' +
    goTpc(
      p,
      p.database,
      `tpcc run --warehouses ${p.warehouses} -T ${p.threads} --time ${durationS}s ` +
        `--interval ${Math.max(1, Math.round(intervalS))}s --ignore-error --silence` +
        (p.thinkTime ? ' --wait' : ''),
    ) +
    ` 2>&1; echo $? > code; } | ${stamped}; c=$(cat code); rm -f code; exit "$c"`,
  parser: (_params, options) => goTpcParser(options),
  finalReport: (_params, stdout) => goTpcFinal(stdout),
  async cleanup(host, p, signal) {
    const dropped = await run(
      host,
      goTpc(p, p.database, 'tpcc cleanup --warehouses 1'),
      signal,
      120_000,
    );
    if ((await tablesOf(host, p, signal)) !== 'none')
      throw toolRefused(`go-tpc cannot drop its tables at ${address(p)}.`, dropped.stdout);
  },
};
