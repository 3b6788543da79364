import { type OwnStory, parseStoryFile, storyText } from '../../../src/core/history/story.ts';
import { createHarness, type Harness } from '../testing/engineHarness.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.close());

const story = (n: number): OwnStory => ({
  id: `story-${n}`,
  name: `Story ${n}`,
  steps: [{ kind: 'run', of: 'run-1', headline: 'Twice the work', notes: 'Wait.' }],
});

test('stories are kept over a restart, by name, saved over and removed', async () => {
  for (const n of [10, 2]) await harness.call('story.save', story(n));
  await harness.call('story.save', { ...story(2), name: 'Story 3' });
  await harness.restart();
  expect((await harness.call('story.list', {})).map(({ name }) => name)).toEqual([
    'Story 3',
    'Story 10',
  ]);
  await harness.call('story.remove', { id: 'story-2' });
  expect(await harness.call('story.list', {})).toEqual([story(10)]);
});

test('the fifty-first story is refused, one of the fifty is still saved', async () => {
  for (let n = 0; n < 50; n += 1) await harness.call('story.save', story(n));
  await expect(harness.call('story.save', story(50))).rejects.toThrow('There are 50 stories');
  await harness.call('story.save', { ...story(7), name: 'Renamed' });
  expect(await harness.call('story.list', {})).toHaveLength(50);
});

test('a story comes back from its file as it was; a file of another version is refused', () => {
  expect(parseStoryFile('s.json', storyText(story(1)))).toEqual(story(1));
  const later = storyText(story(1)).replace('"tilebenchStory": 1', '"tilebenchStory": 2');
  expect(() => parseStoryFile('s.json', later)).toThrow(/s\.json:2:/);
});
