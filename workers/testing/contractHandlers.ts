import { fail } from '../../src/core/base/errors.ts';
import type { Handlers, MethodName } from '../../src/wire/contract.ts';
import { methods } from '../../src/wire/contract.ts';

/** Handlers for the contract suite: a few that answer, the rest fail as notFound. */
export function contractHandlers(
  seen: { aborted: number; calls: string[] } = { aborted: 0, calls: [] },
): Handlers {
  const others = Object.fromEntries(
    (Object.keys(methods) as MethodName[]).map((name) => [
      name,
      () => Promise.reject(fail('notFound', `${name} is not here.`)),
    ]),
  ) as unknown as Handlers;
  return {
    ...others,
    'app.info': async () => ({
      version: '1',
      host: 'test',
      secrets: 'session',
      dataDir: '/data',
      node: 'v24',
      workspace: 'real',
      nowMs: 0,
      disk: { state: 'ok', freeBytes: 2 ** 40 },
    }),
    'run.samples': async ({ seriesIds, maxPoints }) => {
      seen.calls.push(`run.samples ${maxPoints}`);
      return seriesIds.map((seriesId) => ({
        seriesId,
        tMs: Float64Array.of(1, 2.5, Number.MAX_SAFE_INTEGER),
        value: Float64Array.of(-0.5, Number.NaN, 1e300).subarray(0, 3),
      }));
    },
    'run.abort': (_input, signal) =>
      new Promise((_resolve, reject) => {
        seen.calls.push('run.abort');
        signal.addEventListener('abort', () => {
          seen.aborted += 1;
          reject(fail('aborted', 'Cancelled at the engine.'));
        });
      }),
    'run.remove': () =>
      Promise.reject(
        fail('conflict', 'Run r1 is active.', 'Abort it first.', { runId: 'r1', rev: 3 }),
      ),
    'run.record': () => Promise.reject(new TypeError('cannot read x of undefined')),
    'run.list': async () => {
      seen.calls.push('run.list');
      return [];
    },
    'connection.remove': async ({ id }) => {
      seen.calls.push(`connection.remove ${id.length}`);
      return {};
    },
  };
}
