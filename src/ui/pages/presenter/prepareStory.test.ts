import { fail } from '../../../core/base/errors.ts';
import type { MethodName, Reader } from '../../../wire/contract.ts';
import type { SendCommand } from '../../engine/sendCommand.ts';
import { prepareStory, type Preparing, studiesOf } from './prepareStory.ts';
import { stories } from './stories.ts';

const story = stories.find(({ id }) => id === 'consolidation')!;

/** An engine whose studies need two looks each; `stops` ends one before its last point. */
function fakeEngine(stops: string | null = null) {
  const asked: string[] = [];
  const looks = new Map<string, number>([['e01-study', 9]]);
  const call = async (
    method: MethodName,
    input: { id?: string; speed?: number | null },
  ): Promise<unknown> => {
    const { id = '' } = input;
    asked.push([method, id, 'speed' in input ? String(input.speed) : ''].filter(Boolean).join(' '));
    if (method === 'lab.status') return { speed: 60, paused: true };
    if (method === 'gallery.install') return { studyId: `${id.toLowerCase()}-study` };
    if (method === 'study.start') looks.set(id, 1);
    if (method !== 'study.overview') return {};
    const look = looks.get(id) ?? 0;
    if (look > 0) looks.set(id, look + 1);
    const state = look === 0 ? 'draft' : id === stops ? 'failed' : look > 2 ? 'done' : 'running';
    return { state, points: [{ state: 'passed' }, { state: 'pending' }] };
  };
  return {
    engine: { client: { call } as unknown as Reader, send: call as unknown as SendCommand },
    asked,
  };
}
const options = (said: Preparing[]) => ({
  tell: (now: Preparing): void => {
    said.push(now);
  },
  waitMs: async (): Promise<void> => undefined,
  signal: new AbortController().signal,
});

test('every study of a story is run once, in order, those that are done not again; the clock is as it was', async () => {
  expect(studiesOf(story)).toEqual(['E01', 'E11', 'E03']);
  const { engine, asked } = fakeEngine();
  const said: Preparing[] = [];
  await prepareStory(engine, story, options(said));
  expect(asked.filter((one) => one.startsWith('study.start'))).toEqual([
    'study.start e11-study',
    'study.start e03-study',
  ]);
  expect(asked.at(-1)).toBe('lab.pace 60');
  expect(said).toContainEqual({ done: 1, studies: 3, points: { done: 1, total: 2 } });
  expect(said.at(-1)).toEqual({ done: 3, studies: 3, points: null });
});

test('a study that stops is told, and the clock is as it was', async () => {
  const { engine, asked } = fakeEngine('e11-study');
  await expect(prepareStory(engine, story, options([]))).rejects.toEqual(
    fail('conflict', 'Study E11 stopped.', 'Open it to see why, or try again.'),
  );
  expect(asked.at(-1)).toBe('lab.pace 60');
});
