import type { AppError } from '../../../src/core/base/errors.ts';
import { fail, toAppError } from '../../../src/core/base/errors.ts';
import type { TestReport } from '../../../src/wire/contract/connections.ts';
import type { Clock } from '../deps.ts';
import type { PowerMeter } from '../deps/power.ts';
import { createValueGate } from '../metrics/freshReadings.ts';
import { createNutClient, type NutClient, NutRefusal } from './nutClient.ts';

export interface NutSource {
  host: string;
  port: number;
  ups: string;
  variable: string;
  periodMs: number;
}
const answerMs = 5_000;
/**
 * NUT's own default of pollinterval (ups.conf(5)): what a driver that does not say asks its device
 * at, and how old a value may be.
 */
const usualUpdateMs = 2_000;

const safeWord = /^[A-Za-z0-9._-]+$/;

async function readWatts(
  client: NutClient,
  source: NutSource,
  signal?: AbortSignal,
): Promise<number> {
  if (!safeWord.test(source.ups) || !safeWord.test(source.variable))
    throw fail(
      'invalidInput',
      `The UPS name ${source.ups} or the variable ${source.variable} has characters NUT does not allow.`,
      'Letters, digits, dot, dash and underscore only.',
    );
  try {
    const answer = await client.ask(`GET VAR ${source.ups} ${source.variable}`, signal);
    const match = /^VAR \S+ \S+ "([^"]*)"$/.exec(answer.trim());
    const watts = Number(match?.[1]);
    if (!match || match[1] === '' || !Number.isFinite(watts))
      throw fail(
        'internal',
        `The NUT server said "${answer.slice(0, 80)}", which is no number.`,
        `Choose a variable in watts instead of ${source.variable}.`,
      );
    return watts;
  } catch (thrown) {
    throw thrown instanceof NutRefusal
      ? await refusal(client, source, thrown.code, signal)
      : thrown;
  }
}

async function refusal(
  client: NutClient,
  source: NutSource,
  code: string,
  signal?: AbortSignal,
): Promise<AppError> {
  const word = code.split(' ')[0] ?? '';
  if (word === 'UNKNOWN-UPS') {
    const known = await client.list('LIST UPS', signal).catch(() => []);
    const names = known.map((line) => line.split(' ')[1]).join(', ');
    return fail(
      'notFound',
      `The NUT server has no UPS ${source.ups}.`,
      names ? `It has: ${names}.` : 'Check ups.conf there.',
    );
  }
  if (word === 'VAR-NOT-SUPPORTED')
    return fail(
      'notFound',
      `${source.ups} has no variable ${source.variable}.`,
      'See upsc on that server for its variables; ups.realpower is in watts.',
    );
  if (word === 'DATA-STALE' || word === 'DRIVER-NOT-CONNECTED')
    return fail(
      'unreachable',
      `${source.ups} gives no fresh data (${word}).`,
      "Check the meter's cable and its NUT driver.",
    );
  if (word === 'ACCESS-DENIED')
    return fail(
      'authFailed',
      `The NUT server denies access (${word}).`,
      'Allow this machine in upsd.conf.',
    );
  return fail('unreachable', `The NUT server refused: ${code}.`);
}

/**
 * A meter behind upsd. NUT tells no times: a value that upsd repeats until its driver has asked the
 * device again is one reading, so that a meter read every second whose driver polls every 15 s
 * gives the readings there were, each once.
 */
export function openNut(source: NutSource, clock: Clock): PowerMeter {
  const client = createNutClient({ host: source.host, port: source.port, timeoutMs: answerMs });
  const isNew = createValueGate();
  let updateMs: number | null = null;
  return {
    source: `NUT ${source.ups}@${source.host}`,
    periodMs: source.periodMs,
    lagMs: usualUpdateMs,
    decimals: 1,
    async read(signal) {
      const watts = await readWatts(client, source, signal);
      const tMs = clock.now();
      updateMs ??= (await readUpdateMs(client, source, signal)) ?? usualUpdateMs;
      return isNew(watts, tMs, updateMs) ? [{ watts, tMs }] : [];
    },
    about: async (signal) => ({
      scope: `UPS ${source.ups}`,
      updateMs: await readUpdateMs(client, source, signal),
      lagMs: null,
      windowMs: null,
      uncertaintyPct: null,
    }),
    close: () => client.close(),
  };
}

/** How often a driver asks its device; some ask for all of its values only every pollfreq. */
const intervals = ['driver.parameter.pollinterval', 'driver.parameter.pollfreq'];

/**
 * How often upsd's driver asks the device: a reading is at most that old. null where the driver
 * does not say.
 */
async function readUpdateMs(
  client: NutClient,
  source: NutSource,
  signal?: AbortSignal,
): Promise<number | null> {
  const read = async (name: string): Promise<number[]> => {
    try {
      const answer = await client.ask(`GET VAR ${source.ups} ${name}`, signal);
      const seconds = Number(/"([\d.]+)"$/.exec(answer.trim())?.[1]);
      return seconds > 0 ? [seconds * 1_000] : [];
    } catch (thrown) {
      if (thrown instanceof NutRefusal) return [];
      throw thrown;
    }
  };
  const known: number[] = [];
  for (const name of intervals) known.push(...(await read(name)));
  return known.length === 0 ? null : Math.max(...known);
}

/** Name, port, then the variable itself. NUT reads need no login. */
export async function testNut(source: NutSource, signal?: AbortSignal): Promise<TestReport> {
  const client = createNutClient({ host: source.host, port: source.port, timeoutMs: answerMs });
  const steps: TestReport['steps'] = [];
  try {
    const watts = await readWatts(client, source, signal);
    steps.push(
      { step: 'name', ok: true, detail: `${source.host} resolves.` },
      { step: 'port', ok: true, detail: `A NUT server answers at port ${source.port}.` },
      { step: 'permission', ok: true, detail: `${source.ups} ${source.variable} is ${watts} W.` },
    );
  } catch (thrown) {
    const error = toAppError(thrown);
    const at =
      error.details?.['step'] === 'name'
        ? 'name'
        : error.details?.['step'] === 'port' || error.kind === 'timedOut'
          ? 'port'
          : 'permission';
    if (at !== 'name') steps.push({ step: 'name', ok: true, detail: `${source.host} resolves.` });
    if (at === 'permission')
      steps.push({
        step: 'port',
        ok: true,
        detail: `A NUT server answers at port ${source.port}.`,
      });
    steps.push({
      step: at,
      ok: false,
      detail: error.message,
      ...(error.hint ? { fix: error.hint } : {}),
    });
  } finally {
    client.close();
  }
  return { ok: steps.every((step) => step.ok), steps };
}
