import * as z from 'zod';

import { toAppError } from '../../../src/core/base/errors.ts';
import type { SshHost } from '../deps/ssh.ts';
import type { Driver, DriverCheck } from './driver.ts';
import { quote } from './shell.ts';
import { tilekitFinal, tilekitParser } from './tilekitFormat.ts';
import { toolRefused } from './tools.ts';

const params = z.object({
  host: z
    .string()
    .regex(/^[A-Za-z0-9._-]*$/, 'a host name or address')
    .default('')
    .describe('Address of the web server; empty = the guest address of the assigned VM'),
  port: z.number().int().min(1).max(65_535).default(80).describe('Port of the web server'),
  pages: z
    .enum(['path', 'olio'])
    .default('path')
    .describe('path = one page; olio = pages in the style of Olio, of a site by tilekit serve'),
  path: z
    .string()
    .regex(/^\/[A-Za-z0-9._~/?=&%+-]*$/, 'a path that begins with /')
    .default('/')
    .describe('The page, where pages is path'),
  mode: z
    .enum(['open', 'closed'])
    .default('open')
    .describe('open = at a rate, whatever the answers; closed = users who wait and pause'),
  arrivals: z
    .enum(['poisson', 'constant'])
    .default('poisson')
    .describe('Open loop: how arrivals lie in time'),
  rate: z
    .number()
    .min(0.1)
    .max(100_000)
    .default(50)
    .describe('Open loop: operations a second to offer'),
  users: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(64)
    .describe('Users, each with a connection of its own'),
  cycleS: z
    .number()
    .min(0)
    .max(3_600)
    .default(5)
    .describe('Closed loop: mean seconds from start to start of a user'),
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

function jobOf(one: Params, timing: { durationS: number; intervalS: number; drainS: number }) {
  return {
    schema: 1,
    scenario: 'web',
    seed: 1,
    durationS: timing.durationS,
    drainS: timing.drainS,
    everyS: Math.max(1, Math.round(timing.intervalS)),
    users: one.users,
    mode: one.mode,
    timeoutMs: one.timeoutMs,
    latenessLimitMs: one.latenessLimitMs,
    ...(one.mode === 'open'
      ? { arrivals: { kind: one.arrivals, rate: [{ atS: 0, perS: one.rate }] } }
      : { cycleS: one.cycleS, rampUpS: Math.min(one.cycleS, timing.durationS / 2) }),
    web: {
      target: `http://${one.host}:${one.port}`,
      ...(one.pages === 'olio'
        ? { pages: 'olio' }
        : { pages: 'paths', paths: [{ op: 'page', path: one.path, weight: 1 }] }),
    },
  };
}

const folder = '"${TILEBENCH_ROOT:-$HOME}/.tilebench-kit"';
/** Removes it where no process runs it: another tile of this client may still need it. */
const remove = `d=${folder}; [ -d "$d" ] || exit 0; d=$(cd "$d" && pwd -P); for p in /proc/[0-9]*/exe; do case $(readlink "$p" 2>/dev/null) in "$d"/*) exit 0;; esac; done; rm -f "$d"/tilekit-* "$d"/current; rmdir "$d" 2>/dev/null; [ ! -d "$d" ]`;

/** Checks of one client put the program there and take it away: one after the other. */
const turns = new WeakMap<SshHost, Promise<unknown>>();
function inTurn<T>(host: SshHost, work: () => Promise<T>): Promise<T> {
  const mine = (turns.get(host) ?? Promise.resolve()).then(work, work);
  turns.set(host, mine);
  return mine;
}

/** Runs a short command of tilekit with its job on standard input. */
async function ask(
  host: SshHost,
  kit: string,
  command: string,
  job: unknown,
  signal?: AbortSignal,
): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await host.exec(`${quote(kit)} ${command} --job -`, {
    stdin: JSON.stringify(job),
    timeoutMs: 60_000,
    ...(signal ? { signal } : {}),
  });
  if (code !== 0) throw toolRefused(`tilekit refused: ${stderr.trim().slice(-300)}`, stderr);
  return JSON.parse(stdout.trim().split('\n').at(-1)!) as Record<string, unknown>;
}

/** Tries of a calibration: a client that was busy for a moment is none that is too slow. */
const calibrations = 3;

async function calibrate(
  host: SshHost,
  kit: string,
  load: { perS: number; users: number; latenessLimitMs: number },
  signal?: AbortSignal,
): Promise<{ version: string; ready: boolean }> {
  let version = 'tilekit';
  for (let tried = 0; tried < calibrations; tried += 1) {
    const echo = await ask(host, kit, 'echo', { schema: 1, seconds: 1, ...load }, signal);
    version = `tilekit ${String(echo['kit'])}`;
    // Of a few arrivals a second no rate can be told.
    const reached = load.perS < 10 || Number(echo['reachedPerS']) >= 0.9 * load.perS;
    if (reached && echo['saturatedSeconds'] === 0) return { version, ready: true };
  }
  return { version, ready: false };
}

async function checkOn(
  host: SshHost,
  one: Params,
  signal?: AbortSignal,
): Promise<DriverCheck<Params>> {
  const kit = await host.putKit(signal);
  const perS = one.mode === 'open' ? one.rate : one.users / Math.max(0.05, one.cycleS);
  const { version, ready } = await calibrate(
    host,
    kit,
    { perS, users: one.users, latenessLimitMs: one.latenessLimitMs },
    signal,
  );
  if (!ready)
    return {
      ok: false,
      version,
      problem: `this client cannot offer ${perS} operations/s in time: it fell behind against a server that does nothing`,
      blames: one.mode === 'open' ? 'rate' : 'users',
      fix: 'Lower the load of this client, give it more users, or give the tile a client of its own.',
    };
  const first = await ask(
    host,
    kit,
    'run',
    jobOf(
      { ...one, mode: 'open', arrivals: 'constant', rate: 4, users: 1, timeoutMs: 10_000 },
      { durationS: 0.5, intervalS: 1, drainS: 10 },
    ),
    signal,
  );
  const failed = Object.keys(first['failed'] ?? {});
  return Number(first['done']) > 0 && failed.length === 0
    ? { ok: true, version }
    : {
        ok: false,
        version,
        problem: `${one.host}:${one.port} does not answer as a web server with that page (${failed.join(', ') || 'no answer'})`,
        blames: failed.includes('status') ? 'path' : 'host',
        fix: 'Start the web server there, or correct address, port and path.',
      };
}

/** Web load by the program of `kit/`, put on the client for the run. */
export const tilekit: Driver<Params> = {
  id: 'tilekit',
  title: 'tilekit',
  role: 'web',
  params,
  latenessLimitMs: ({ latenessLimitMs }) => latenessLimitMs,
  target: ({ host }) => host,
  withTarget: (one, guest) => (one.host === '' && guest ? { ...one, host: guest } : one),
  series: () => [
    { metric: 'throughput', unit: 'operations/s', decimals: 2 },
    { metric: 'latencyMeanMs', unit: 'ms', decimals: 3 },
    { metric: 'latencyP95Ms', unit: 'ms', decimals: 3 },
    { metric: 'latencyP99Ms', unit: 'ms', decimals: 3 },
    { metric: 'errorRate', unit: 'errors/s', decimals: 2 },
    { metric: 'clientLateMs', unit: 'ms', decimals: 3 },
    { metric: 'clientSaturatedPct', unit: '%', decimals: 0 },
  ],
  async check(host, one, signal) {
    if (one.host === '')
      return {
        ok: false,
        version: null,
        problem: 'no web server address is set, and the assigned VM has none',
        blames: 'host',
        fix: 'Enter the address of the web server.',
      };
    return inTurn(host, async () => {
      try {
        return await checkOn(host, one, signal);
      } catch (thrown) {
        const error = toAppError(thrown);
        if (error.kind !== 'notFound' && error.kind !== 'conflict') throw error;
        return {
          ok: false,
          version: null,
          problem: error.message,
          ...(error.hint ? { fix: error.hint } : {}),
        };
      } finally {
        await host.exec(remove, { timeoutMs: 20_000 }).catch(() => undefined);
      }
    });
  },
  async prepare(host, _one, signal) {
    await host.putKit(signal);
  },
  command(one, { durationS, intervalS }) {
    const job = JSON.stringify(jobOf(one, { durationS, intervalS, drainS: 2 }));
    return (
      `printf %s ${quote(job)} >tilekit.json && d=${folder} && read -r sum name <"$d/current" && ` +
      `(cd "$d" && echo "$sum  $name" | sha256sum -c >/dev/null 2>&1) || ` +
      `{ echo 'tilekit is not on this client, or was changed since it was put there' >&2; exit 126; }; ` +
      `exec "$d/$name" run --job tilekit.json`
    );
  },
  parser: (_params, options) => tilekitParser(options),
  finalReport: (_params, stdout) => tilekitFinal(stdout),
  async cleanup(host, _one, signal) {
    await host.exec(remove, { timeoutMs: 20_000, ...(signal ? { signal } : {}) });
  },
};
