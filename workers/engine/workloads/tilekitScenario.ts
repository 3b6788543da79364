import * as z from 'zod';

import type { SshHost } from '../deps/ssh.ts';
import type { Driver, DriverCheck, DriverServer, DriverTiming } from './driver.ts';
import { choice } from './parameterMeta.ts';
import { ask, checkInTurn, removeKit, runCommand } from './tilekitClient.ts';
import {
  tilekitFinal,
  tilekitParser,
  type TilekitReading,
  tilekitSeries,
} from './tilekitFormat.ts';

/** The parameters that every scenario of tilekit has, with the words for what it loads. */
export const commonParams = {
  host: (server: string) =>
    z
      .string()
      .regex(/^[A-Za-z0-9._-]*$/, 'a host name or address')
      .default('')
      .describe(`Address of the ${server}; empty = the guest address of the assigned VM`),
  /** Counts where the parameter `mode` is open. */
  arrivals: z
    .enum(['poisson', 'constant'])
    .default('poisson')
    .meta({
      ...choice('How they lie in time', { poisson: 'At random (Poisson)', constant: 'Evenly' }),
      when: { member: 'mode', is: ['open'] },
    }),
  timeoutMs: (operation: string) =>
    z
      .number()
      .int()
      .min(1)
      .max(600_000)
      .default(30_000)
      .describe(`${operation} that takes longer has failed`),
  latenessLimitMs: (arrivals: string) =>
    z
      .number()
      .min(0.1)
      .max(60_000)
      .default(25)
      .describe(`A client that is later than this with a hundredth of its ${arrivals} is too slow`),
};
interface CommonParams {
  host: string;
  timeoutMs: number;
  latenessLimitMs: number;
}

/** What every job of a run says, beside what its scenario adds. */
export const jobHead = (scenario: string, one: CommonParams, { intervalS }: DriverTiming) => ({
  schema: 1,
  scenario,
  seed: 1,
  everyS: Math.max(1, Math.round(intervalS)),
  timeoutMs: one.timeoutMs,
  latenessLimitMs: one.latenessLimitMs,
});

/** A data set that a scenario works on. */
interface DataSet<P> {
  /** What `tilekit verify`, `load` and `unload` are told. */ job(one: P): object;
  loads(one: P): boolean;
  unloads(one: P): boolean;
  unloadMs: number;
}
/** A large one is written for hours. */
const loadMs = 12 * 3_600_000;

/** What a driver of tilekit has of its own. */
interface Scenario<P> extends Pick<Driver<P>, 'id' | 'title' | 'role' | 'params'> {
  /** Of its throughput. */ unit: string | ((one: P) => string);
  /** Beside the series of every load. */ more?: (one: P) => ReturnType<Driver<P>['series']>;
  /** How its output is read; default: operations a second. */
  reading?: (one: P) => TilekitReading;
  /** Whether the load stays on the client: no other machine is asked for then. */
  staysOnClient?: (one: P) => boolean;
  /** What to say where neither parameters nor vCenter name a server. */
  unnamed: { server: string; fix: string };
  check(host: SshHost, kit: string, one: P, signal?: AbortSignal): Promise<DriverCheck<P>>;
  /** What a run starts on other machines. */ servers?: (one: P) => DriverServer[];
  data?: DataSet<P>;
  job(one: P, timing: DriverTiming): object;
}

/**
 * A driver of one scenario of the program of `kit/`, which is put on the client for its checks and
 * runs and taken away after them. No password stands in a job or on a command line.
 */
export function tilekitDriver<P extends CommonParams>(scenario: Scenario<P>): Driver<P> {
  const { data, unit, more = () => [], reading = (): TilekitReading => ({}) } = scenario;
  const { staysOnClient = () => false } = scenario;
  /** What a run leaves: nothing of the program, and of its data what it was asked to leave. */
  const undo: Driver<P>['cleanup'] = async (host, one, signal) => {
    try {
      if (data?.unloads(one))
        await ask(host, await host.putKit(signal), 'unload', data.job(one), signal, data.unloadMs);
    } finally {
      await removeKit(host, signal);
    }
  };
  return {
    id: scenario.id,
    title: scenario.title,
    role: scenario.role,
    params: scenario.params,
    ...(scenario.servers ? { servers: scenario.servers } : {}),
    latenessLimitMs: ({ latenessLimitMs }) => latenessLimitMs,
    target: (one) => (staysOnClient(one) ? '' : one.host),
    withTarget: (one, guest) =>
      one.host === '' && guest && !staysOnClient(one) ? { ...one, host: guest } : one,
    series: (one) => [
      ...tilekitSeries(typeof unit === 'string' ? unit : unit(one), reading(one).latency),
      ...more(one),
    ],
    async check(host, one, signal) {
      if (one.host === '' && !staysOnClient(one))
        return {
          ok: false,
          version: null,
          problem: `no ${scenario.unnamed.server} address is set, and the assigned VM has none`,
          blames: 'host',
          fix: scenario.unnamed.fix,
        };
      return checkInTurn(host, async () =>
        scenario.check(host, await host.putKit(signal), one, signal),
      );
    },
    async prepare(host, one, signal) {
      const kit = await host.putKit(signal);
      if (data?.loads(one)) await ask(host, kit, 'load', data.job(one), signal, loadMs);
    },
    command: (one, timing) => runCommand(scenario.job(one, timing)),
    parser: (one, options) => tilekitParser(options, reading(one)),
    finalReport: (one, stdout) => tilekitFinal(stdout, reading(one)),
    afterRun: undo,
    cleanup: undo,
  };
}

/** How a check of a scenario with a data set speaks of what it found. */
interface DataWords<P> {
  /** Which parameter an option of tilekit is; undefined = none of them. */
  parameter(option: string): (keyof P & string) | undefined;
  /** The parameter that is blamed where the data set is not whole. */
  dataIs: keyof P & string;
  isMade: string;
  makeIt: string;
  repair: string;
}

/** Lets tilekit look at server and data set: what is missing is no fault where it will be made. */
export async function checkData<P extends CommonParams & { load: boolean }>(
  { host, kit, one, job }: { host: SshHost; kit: string; one: P; job: object },
  words: DataWords<P>,
  signal?: AbortSignal,
): Promise<DriverCheck<P>> {
  const said = await ask(host, kit, 'verify', job, signal);
  const version = `tilekit ${String(said['kit'])}`;
  if (said['ok'] === true) return { ok: true, version };
  const blames = words.parameter(String(said['blames'])) ?? 'host';
  const problem = String(said['problem']);
  const isData = blames === words.dataIs;
  if (isData && one.load) return { ok: true, version, warning: `${problem}. ${words.isMade}` };
  return { ok: false, version, problem, blames, fix: isData ? words.makeIt : words.repair };
}
