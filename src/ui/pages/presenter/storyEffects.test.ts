import { fail } from '../../../core/base/errors.ts';
import type { StudySummary } from '../../../core/study/study.ts';
import type { MethodName, Reader } from '../../../wire/contract.ts';
import type { SendCommand } from '../../engine/sendCommand.ts';
import { doEffect } from './storyEffects.ts';

const summary = (id: string, state: StudySummary['state']): StudySummary => ({
  id,
  name: id,
  state,
  origin: 'simulated',
  axis: 'Tiles',
  done: 0,
  total: 4,
  startedAtMs: null,
  galleryId: null,
});
/** An engine whose other study needs `ends` looks until it has ended after a pause. */
function fakeEngine(
  ends: number,
  refuse: MethodName | null = null,
): { engine: { client: Reader; send: SendCommand }; asked: string[] } {
  const asked: string[] = [];
  let looks = 0;
  let paused = false;
  const call = async (
    method: MethodName,
    input: { id?: string; now?: boolean },
  ): Promise<unknown> => {
    asked.push([method, input.id, input.now === true ? 'now' : ''].filter(Boolean).join(' '));
    if (method === refuse) throw fail('conflict', 'Refused.', 'Wait.');
    if (method === 'gallery.install') return { studyId: 's1', planId: 'p1' };
    if (method === 'study.pause') {
      paused = true;
      return {};
    }
    if (method === 'study.list') {
      if (paused) looks++;
      return [
        summary('s1', 'draft'),
        summary('s2', ends === 0 || looks > ends ? 'paused' : paused ? 'pausing' : 'running'),
      ];
    }
    return method === 'study.overview' ? { rev: 1 } : {};
  };
  return {
    engine: { client: { call } as unknown as Reader, send: call as unknown as SendCommand },
    asked,
  };
}
const waited: number[] = [];
const wait = async (ms: number): Promise<void> => {
  waited.push(ms);
};
const signal = new AbortController().signal;
beforeEach(() => {
  waited.length = 0;
});

test('installs an entry and names its study', async () => {
  expect(
    await doEffect(fakeEngine(0).engine, { do: 'install', galleryId: 'E01' }, wait, signal),
  ).toEqual({ on: 'installed', galleryId: 'E01', studyId: 's1', planId: 'p1' });
});

test('starts a study at once where none runs', async () => {
  const { engine, asked } = fakeEngine(0);
  expect(
    await doEffect(engine, { do: 'start', galleryId: 'E01', studyId: 's1' }, wait, signal),
  ).toMatchObject({ on: 'study', galleryId: 'E01' });
  expect(asked).toEqual(['study.list', 'study.start s1', 'study.overview s1']);
});

test('another study that runs is paused once, and waited for', async () => {
  const { engine, asked } = fakeEngine(2);
  await doEffect(engine, { do: 'start', galleryId: 'E01', studyId: 's1' }, wait, signal);
  expect(asked).toEqual([
    'study.list',
    'study.pause s2 now',
    'study.list',
    'study.list',
    'study.list',
    'study.start s1',
    'study.overview s1',
  ]);
  expect(waited).toEqual([500, 500, 500]);
});

test('a refusal is told with what to do; nothing is thrown', async () => {
  expect(
    await doEffect(
      fakeEngine(0, 'study.start').engine,
      { do: 'start', galleryId: 'E01', studyId: 's1' },
      wait,
      signal,
    ),
  ).toEqual({ on: 'failed', galleryId: 'E01', message: 'Refused. Wait.' });
});
