import { type StudyOverview, studyOverview, studySpecSchema } from '../../../core/study/study.ts';
import { stories, type Story } from './stories.ts';
import {
  effectOf,
  firstState,
  reached,
  reduceStory,
  showOf,
  type StoryEvent,
  type StoryState,
  studyAsShown,
  visiblePoints,
} from './storyMachine.ts';
import { newestPoint } from './studyNumbers.ts';

const spec = studySpecSchema.parse({
  schemaVersion: 1,
  id: 's',
  name: 'Tiles',
  planId: 'p',
  axes: [{ name: 'tiles', label: 'Tiles', parameter: { kind: 'tiles' }, values: [1, 2, 3, 4] }],
});
/** A study whose first `done` points have a result. */
const study = (
  done: number,
  state: StudyOverview['state'] = done === 4 ? 'done' : done === 0 ? 'draft' : 'running',
): StudyOverview =>
  studyOverview.parse({
    spec,
    rev: 1,
    state,
    origin: 'simulated',
    instruction: null,
    activeKey: state === 'running' ? `tiles=${done + 1}` : null,
    startedAtMs: 0,
    endedAtMs: null,
    nowMs: 0,
    limit: { lastPass: 3, firstFail: 4, confirmed: 1 },
    points: [1, 2, 3, 4].map((tiles) => ({
      key: `tiles=${tiles}`,
      values: { tiles },
      repeat: 1,
      state: tiles <= done ? 'passed' : 'pending',
      runId: tiles <= done ? `r${tiles}` : null,
      measures: tiles <= done ? { score: tiles } : {},
    })),
    knees: [{ measure: 'score', series: '', results: [] }],
    published: [1, 4].map((tiles) => ({
      factIds: [],
      measure: 'score',
      label: '',
      values: { tiles },
      value: tiles,
      unit: '×',
      source: 'test',
    })),
    expectations: [],
  });
const step = (
  id: string,
  upTo: number,
  end: Story['steps'][number]['end'] = { on: 'key' },
  knees = false,
): Story['steps'][number] => ({
  id,
  galleryId: 'E01',
  sentence: id,
  numbers: [],
  view: { kind: 'curve', measures: ['score'], upTo, ...(knees ? { knees } : {}) },
  runs: true,
  end,
});
const story: Story = {
  id: 't',
  title: 'T',
  about: '',
  speed: 3_600,
  steps: [
    step('one', 1),
    step('two', 2),
    step('all', 4, { on: 'done' }, true),
    { ...step('other', 4), galleryId: 'E11' },
  ],
};
const play = (state: StoryState, ...events: StoryEvent[]): StoryState =>
  events.reduce((now, event) => reduceStory(story, now, event), state);
const installed: StoryEvent[] = [
  { on: 'begun', galleryId: 'E01', effect: 'install' },
  { on: 'installed', galleryId: 'E01', studyId: 's', planId: 'p' },
];
const looked = (overview: StudyOverview): StoryState =>
  play(firstState, ...installed, { on: 'study', galleryId: 'E01', overview });
const seconds = (overview: StudyOverview, count: number): StoryEvent[] =>
  Array.from({ length: count }, () => ({ on: 'second', overview }));
const shown = (state: StoryState, overview: StudyOverview): string[] =>
  visiblePoints(overview, story.steps[state.step]!, showOf(state, 'E01')).map((p) => p.key);

test('a study that was never run is installed, started and followed', () => {
  expect(effectOf(story, firstState, null)).toEqual({ do: 'install', galleryId: 'E01' });
  const before = looked(study(0));
  expect(showOf(before, 'E01')).toMatchObject({ phase: 'stored', revealed: 0, studyId: 's' });
  expect(effectOf(story, before, study(0))).toEqual({
    do: 'start',
    galleryId: 'E01',
    studyId: 's',
  });
  const started = play(before, { on: 'begun', galleryId: 'E01', effect: 'start' });
  expect(effectOf(story, started, study(0))).toBeNull();
  const live = play(started, { on: 'study', galleryId: 'E01', overview: study(0, 'running') });
  expect(showOf(live, 'E01').phase).toBe('live');
  // Live, the curve is held at the step: the presenter talks, the lab goes on.
  expect([shown(live, study(3)), shown(play(live, { on: 'next' }), study(3))]).toEqual([
    ['tiles=1'],
    ['tiles=1', 'tiles=2'],
  ]);
});

test('a study that was run before is played from what is stored, a point a second, and nothing is started', () => {
  const state = looked(study(4));
  expect(shown(state, study(4))).toEqual([]);
  const one = play(state, ...seconds(study(4), 5));
  expect(shown(one, study(4))).toEqual(['tiles=1']);
  const two = play(one, { on: 'next' }, ...seconds(study(4), 1));
  expect(shown(two, study(4))).toEqual(['tiles=1', 'tiles=2']);
  expect(effectOf(story, two, study(4))).toBeNull();
});

test('a study that was stopped half way: what is stored first, then it goes on', () => {
  const half = study(2, 'paused');
  const state = play(looked(half), ...seconds(half, 1));
  expect(effectOf(story, state, half)).toBeNull();
  const second = play(state, { on: 'next' }, ...seconds(half, 1));
  expect(shown(second, half)).toEqual(['tiles=1', 'tiles=2']);
  expect(effectOf(story, second, half)).toEqual({ do: 'start', galleryId: 'E01', studyId: 's' });
});

test('a study that is running is followed at once', () => {
  expect(showOf(looked(study(1)), 'E01').phase).toBe('live');
});

test('a step ends by itself when the study is done and all of it was shown; pause holds it', () => {
  const at = play(looked(study(4)), { on: 'next' }, { on: 'next' });
  expect(at.step).toBe(2);
  expect(play(at, ...seconds(study(4), 4)).step).toBe(2);
  expect(play(at, ...seconds(study(4), 5)).step).toBe(3);
  expect(play(at, { on: 'pause' }, ...seconds(study(4), 9))).toMatchObject({
    step: 2,
    paused: true,
    shows: { E01: { revealed: 0 } },
  });
});

test('a step that ends at a value goes on when a point of that value is shown', () => {
  const until = step('until', 4, { on: 'value', atLeast: 3 });
  const live = { phase: 'live' as const, studyId: 's', planId: 'p', revealed: 0, error: null };
  expect([
    reached(study(2), until, live),
    reached(study(3), until, live),
    reached(study(4), { ...until, end: { on: 'key' } }, live),
  ]).toEqual([false, true, false]);
});

test('a failure is shown, does not move the story, and is tried again by key or by coming back', () => {
  const failed = play(firstState, ...installed, {
    on: 'failed',
    galleryId: 'E01',
    message: 'Another run is active.',
  });
  expect(showOf(failed, 'E01')).toMatchObject({ phase: 'failed', error: 'Another run is active.' });
  expect(effectOf(story, failed, null)).toBeNull();
  expect(effectOf(story, play(failed, { on: 'retry' }), null)).toEqual({
    do: 'install',
    galleryId: 'E01',
  });
  const away = play(failed, { on: 'last' });
  expect(effectOf(story, away, null)).toEqual({ do: 'install', galleryId: 'E11' });
  expect(effectOf(story, play(away, { on: 'first' }), null)).toEqual({
    do: 'install',
    galleryId: 'E01',
  });
});

test('keys stay within the story', () => {
  expect([
    play(firstState, { on: 'previous' }).step,
    play(firstState, { on: 'last' }, { on: 'next' }).step,
  ]).toEqual([0, 3]);
});

test('what a step shows of a study: nothing beyond it, and knees only with every point', () => {
  const live = { phase: 'live' as const, studyId: 's', planId: 'p', revealed: 0, error: null };
  const one = studyAsShown(study(4), story.steps[0]!, live);
  expect(one.points.map((p) => [p.state, p.measures['score'] ?? null])).toEqual([
    ['passed', 1],
    ['pending', null],
    ['pending', null],
    ['pending', null],
  ]);
  expect([one.published.length, one.knees.length, one.limit]).toEqual([1, 0, null]);
  const all = studyAsShown(study(4), story.steps[2]!, live);
  expect([all.published.length, all.knees.length, all.limit?.lastPass]).toEqual([2, 1, 3]);
});

test('a step may show one curve of several, and its published figures', () => {
  const two = studySpecSchema.parse({
    ...spec,
    axes: [
      spec.axes[0],
      {
        name: 'placement',
        label: 'Placement',
        parameter: { kind: 'lab', path: 'variant' },
        values: ['drs', 'hand'],
      },
    ],
  });
  const overview = { ...study(4), spec: two };
  overview.points = overview.points.map((p, i) => ({
    ...p,
    values: { ...p.values, placement: i % 2 === 0 ? 'drs' : 'hand' },
  }));
  overview.published = overview.published.map((p, i) => ({
    ...p,
    values: { ...p.values, placement: i === 0 ? 'drs' : 'hand' },
  }));
  const only: Story['steps'][number] = {
    ...story.steps[2]!,
    view: { kind: 'curve', measures: ['score'], only: 'hand' },
  };
  const live = { phase: 'live' as const, studyId: 's', planId: 'p', revealed: 0, error: null };
  const shownStudy = studyAsShown(overview, only, live);
  expect(shownStudy.points.map((p) => p.state)).toEqual(['pending', 'passed', 'pending', 'passed']);
  expect(shownStudy.published.map((p) => p.value)).toEqual([4]);
  expect([
    newestPoint(overview, 'drs')?.key,
    newestPoint(overview, 'hand')?.key,
    newestPoint(overview, 'none')?.key,
  ]).toEqual(['tiles=3', 'tiles=4', 'tiles=4']);
});

test.each(stories.map((s) => [s.title, s] as const))(
  '%s: steps have names of their own, end within the story, and can be read from the last row',
  (_title, { steps }) => {
    expect(new Set(steps.map((s) => s.id)).size).toBe(steps.length);
    for (const s of steps) {
      expect(s.sentence.length).toBeLessThanOrEqual(130);
      expect(s.sentence).not.toMatch(/!|\bplease\b|\bwe\b/i);
    }
    expect(steps.at(-1)!.end).toEqual({ on: 'key' });
  },
);
