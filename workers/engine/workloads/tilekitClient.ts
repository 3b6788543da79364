import { toAppError } from '../../../src/core/base/errors.ts';
import type { SshHost } from '../deps/ssh.ts';
import type { DriverCheck } from './driver.ts';
import { quote } from './shell.ts';
import { toolRefused } from './tools.ts';

const folder = '"${TILEBENCH_ROOT:-$HOME}/.tilebench-kit"';
/** Removes it where no process runs it: another tile of this client may still need it. */
const remove = `d=${folder}; [ -d "$d" ] || exit 0; d=$(cd "$d" && pwd -P); for p in /proc/[0-9]*/exe; do case $(readlink "$p" 2>/dev/null) in "$d"/*) exit 0;; esac; done; rm -f "$d"/tilekit-* "$d"/current; rmdir "$d" 2>/dev/null; [ ! -d "$d" ]`;

/** Takes the program away. */
export async function removeKit(host: SshHost, signal?: AbortSignal): Promise<void> {
  await host.exec(remove, { timeoutMs: 20_000, ...(signal ? { signal } : {}) });
}

/** Checks of one client put the program there and take it away: one after the other. */
const turns = new WeakMap<SshHost, Promise<unknown>>();
function inTurn<T>(host: SshHost, work: () => Promise<T>): Promise<T> {
  const mine = (turns.get(host) ?? Promise.resolve()).then(work, work);
  turns.set(host, mine);
  return mine;
}

/** Runs a command of tilekit with its job on standard input, and gives what it says. */
export async function ask(
  host: SshHost,
  kit: string,
  command: string,
  job: unknown,
  signal?: AbortSignal,
  timeoutMs = 60_000,
): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await host.exec(`${quote(kit)} ${command} --job -`, {
    stdin: JSON.stringify(job),
    timeoutMs,
    ...(signal ? { signal } : {}),
  });
  if (code !== 0) throw toolRefused(`tilekit refused: ${stderr.trim().slice(-300)}`, stderr);
  return JSON.parse(stdout.trim().split('\n').at(-1)!) as Record<string, unknown>;
}

/** Tries of a calibration: a client that was busy for a moment is none that is too slow. */
const calibrations = 3;

/** Whether a client can offer a load, against a server that is its own; `net` is of that scenario. */
export async function calibrate(
  host: SshHost,
  kit: string,
  load: { perS: number; users: number; latenessLimitMs: number; net?: object },
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

/** A check that puts the program there, and takes it away however it ends. */
export const checkInTurn = <P>(
  host: SshHost,
  check: () => Promise<DriverCheck<P>>,
): Promise<DriverCheck<P>> =>
  inTurn(host, async () => {
    try {
      return await check();
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

/** The load of a run. */
export const runCommand = (job: unknown): string => kitCommand('run', job);

/** A command of the program that was put on a machine, if it is still that, with its job in a file. */
export const kitCommand = (command: 'run' | 'serve', job: unknown): string =>
  `printf %s ${quote(JSON.stringify(job))} >tilekit.json && d=${folder} && ` +
  `read -r sum name <"$d/current" && ` +
  `(cd "$d" && echo "$sum  $name" | sha256sum -c >/dev/null 2>&1) || ` +
  `{ echo 'tilekit is not on this client, or was changed since it was put there' >&2; exit 126; }; ` +
  `exec "$d/$name" ${command} --job tilekit.json`;
