import * as z from 'zod';

import type { SshHost } from '../deps/ssh.ts';
import type { DriverCheck, DriverTiming } from './driver.ts';
import { choice } from './parameterMeta.ts';
import { ask, calibrate } from './tilekitClient.ts';
import { commonParams, jobHead, tilekitDriver } from './tilekitScenario.ts';

const params = z.object({
  host: commonParams.host('web server'),
  port: z.number().int().min(1).max(65_535).default(80).describe('Port of the web server'),
  pages: z
    .enum(['path', 'olio'])
    .default('path')
    .meta(
      choice('What a user reads; the style of Olio needs a site by tilekit serve', {
        path: 'One page',
        olio: 'Pages in the style of Olio',
      }),
    ),
  path: z
    .string()
    .regex(/^\/[A-Za-z0-9._~/?=&%+-]*$/, 'a path that begins with /')
    .default('/')
    .meta({ description: 'The page', when: { member: 'pages', is: ['path'] } }),
  mode: z
    .enum(['open', 'closed'])
    .default('open')
    .meta(
      choice('How the load is offered', {
        open: 'Open: at a rate, whatever the answers',
        closed: 'Closed: users who wait and pause',
      }),
    ),
  arrivals: commonParams.arrivals,
  rate: z
    .number()
    .min(0.1)
    .max(100_000)
    .default(50)
    .meta({
      description: 'Operations per second to offer',
      when: { member: 'mode', is: ['open'] },
    }),
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
    .meta({
      description: 'Mean time from one start of a user to the next',
      when: { member: 'mode', is: ['closed'] },
    }),
  timeoutMs: commonParams.timeoutMs('An operation'),
  latenessLimitMs: commonParams.latenessLimitMs('arrivals'),
});
type Params = z.infer<typeof params>;

function jobOf(one: Params, timing: DriverTiming & { drainS: number }) {
  return {
    ...jobHead('web', one, timing),
    durationS: timing.durationS,
    drainS: timing.drainS,
    users: one.users,
    mode: one.mode,
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

async function checkOn(
  host: SshHost,
  kit: string,
  one: Params,
  signal?: AbortSignal,
): Promise<DriverCheck<Params>> {
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
      problem:
        `this client cannot offer ${perS} operations/s in time: it fell behind against a ` +
        'server that does nothing',
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
        problem:
          `${one.host}:${one.port} does not answer as a web server with that page ` +
          `(${failed.join(', ') || 'no answer'})`,
        blames: failed.includes('status') ? 'path' : 'host',
        fix: 'Start the web server there, or correct address, port and path.',
      };
}

/** Web load by the program of `kit/`. */
export const tilekit = tilekitDriver<Params>({
  id: 'tilekit',
  title: 'tilekit',
  role: 'web',
  params,
  unit: 'operations/s',
  unnamed: { server: 'web server', fix: 'Enter the address of the web server.' },
  check: checkOn,
  job: (one, timing) => jobOf(one, { ...timing, drainS: 2 }),
});
