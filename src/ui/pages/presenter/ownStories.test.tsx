import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';

import { fail } from '../../../core/base/errors.ts';
import type { OwnStory } from '../../../core/history/story.ts';
import { storyText } from '../../../core/history/story.ts';
import { detachedKind, detachedNotesPath } from '../../../wire/detached.ts';
import { installChartDom } from '../../charts/testing/page.tsx';
import { type Answers, renderRoute } from '../../testing/renderRoute.tsx';
import { type DemoRun, demoRun, samplesOf } from '../runs/testing/records.ts';
import { demoStudy } from '../studies/testing/overviews.ts';
import { PresenterNotes } from './PresenterNotes.tsx';

/** Windows of one program: what one sends, the others hear. */
class Line {
  static open = new Set<Line>();
  onmessage: ((event: { data: unknown }) => void) | null = null;
  constructor() {
    Line.open.add(this);
  }
  postMessage(data: unknown): void {
    for (const other of Line.open) if (other !== this) other.onmessage?.({ data });
  }
  close(): void {
    Line.open.delete(this);
  }
}

beforeAll(() => {
  installChartDom();
});
beforeEach(() => {
  localStorage.clear();
  Object.assign(globalThis, { BroadcastChannel: Line });
});
afterEach(() => {
  Line.open.clear();
  Reflect.deleteProperty(globalThis, 'BroadcastChannel');
});

const press = (key: string): void => {
  fireEvent.keyDown(window, { key });
};
const runs = [demoRun({ id: 'run-a', name: 'Before' }), demoRun({ id: 'run-b', name: 'After' })];
/** `kept`: the stories that the engine has. */
const answers = (kept: OwnStory[] = []): Answers => {
  const of = (id: string): DemoRun => runs.find((r) => r.summary.id === id)!;
  return {
    'story.list': () => [...kept],
    'story.save': (story) => {
      const at = kept.findIndex(({ id }) => id === story.id);
      kept.splice(at < 0 ? kept.length : at, at < 0 ? 0 : 1, story);
      return story;
    },
    'run.list': () => runs.map((r) => r.summary),
    'run.overview': ({ id }) => of(id).record.overview,
    'run.record': ({ id }) => of(id).record,
    'run.samples': ({ runId, seriesIds }) => samplesOf(of(runId), seriesIds),
  };
};
const key = 'tilebench.stories.real';
const stored: OwnStory = {
  id: 'story-1',
  name: 'An upgrade',
  steps: [
    { kind: 'run', of: 'run-a', headline: 'As it was', notes: 'Say who built it.' },
    { kind: 'run', of: 'run-b', headline: '', notes: '' },
  ],
};

test('a story is made of runs in an order, with headlines and notes, and presented as it stands', async () => {
  const { user, path } = renderRoute('/studies/stories/new', answers());
  expect(await screen.findByRole('button', { name: 'Save and present' })).toBeDisabled();
  await user.type(screen.getByRole('textbox', { name: /^Title/ }), 'An upgrade');
  for (const name of ['Before', 'After']) {
    await user.click(screen.getByRole('combobox', { name: 'Add a run or a study' }));
    await user.click(await screen.findByRole('option', { name }));
  }
  await user.click(screen.getByRole('button', { name: 'Move step 2 up' }));
  const first = within(screen.getByRole('region', { name: 'Step 1' }));
  expect(first.getByRole('heading', { name: '1. After' })).toBeVisible();
  await user.type(first.getByRole('textbox', { name: 'Headline' }), 'Twice the work');
  await user.type(first.getByRole('textbox', { name: 'Speaker notes' }), 'Wait for questions.');
  await user.click(screen.getByRole('button', { name: 'Save and present' }));
  expect(path()).toMatch(/^\/present\/own\/story-/);
  expect(await screen.findByText('Twice the work')).toBeVisible();
  expect(screen.getByText('1 of 2', { selector: 'span' })).toBeVisible();
  // The room reads no notes.
  expect(screen.queryByText('Wait for questions.')).toBeNull();
  press('ArrowRight');
  expect(await screen.findByText('Before', { selector: 'p' })).toBeVisible();
});

test('a study shows every chart of its author, one after the other, before the story goes on', async () => {
  const study = demoStudy();
  const charts = ['Work', 'Load'].map((title) => ({
    title,
    measure: 'score',
    unit: '×',
    normalise: false,
  }));
  const overview = { ...study, spec: { ...study.spec, charts } };
  const told: OwnStory = {
    ...stored,
    steps: [
      { kind: 'study', of: study.spec.id, headline: 'It scales', notes: '' },
      stored.steps[0]!,
    ],
  };
  renderRoute('/present/own/story-1', { ...answers([told]), 'study.overview': () => overview });
  const place = (text: string) => screen.findByText(text, { selector: 'span' });
  expect(await place('1 of 2, chart 1 of 2')).toBeVisible();
  expect(screen.getByRole('region', { name: /^Work/ })).toBeVisible();
  press('ArrowRight');
  expect(await place('1 of 2, chart 2 of 2')).toBeVisible();
  expect(screen.getByRole('region', { name: /^Load/ })).toBeVisible();
  press('ArrowRight');
  expect(await screen.findByText('As it was', { selector: 'p' })).toBeVisible();
  press('ArrowLeft');
  expect(await place('1 of 2, chart 1 of 2')).toBeVisible();
});

test('the second screen has headline, notes and what comes next; its keys turn the page in the room', async () => {
  renderRoute('/present/own/story-1', answers([stored]));
  expect(await screen.findByText('As it was')).toBeVisible();
  const second = render(
    <MantineProvider env="test">
      <PresenterNotes />
    </MantineProvider>,
  );
  const notes = within(second.container);
  expect(await notes.findByRole('heading', { name: 'As it was' })).toBeVisible();
  expect(notes.getByText('Say who built it.')).toBeVisible();
  expect(await notes.findByText('Next: After')).toBeVisible();
  fireEvent.click(notes.getByRole('button', { name: 'Next' }));
  expect(await notes.findByText('No notes for this one.')).toBeVisible();
  expect(notes.getByText('This is the last.')).toBeVisible();
  await waitFor(() => expect(notes.getByText(/An upgrade · 2 of 2/)).toBeVisible());
  // What another program says on this line is not believed.
  act(() => new Line().postMessage({ k: 'said', spoken: { title: 5 } }));
  expect(notes.getByText(/An upgrade · 2 of 2/)).toBeVisible();
});

test('back in the list nothing is presented, and the second screen says so', async () => {
  renderRoute('/present/own/story-1', answers([stored]));
  expect(await screen.findByText('As it was')).toBeVisible();
  const second = render(
    <MantineProvider env="test">
      <PresenterNotes />
    </MantineProvider>,
  );
  const notes = within(second.container);
  expect(await notes.findByText('Say who built it.')).toBeVisible();
  press('Escape');
  expect(await screen.findByRole('navigation', { name: 'What to present' })).toBeVisible();
  expect(await notes.findByRole('heading', { name: 'Nothing is presented' })).toBeVisible();
  expect(notes.queryByText('No notes for this one.')).toBeNull();
});

test('stories that this window kept before go to the engine once; what cannot be read stays aside', async () => {
  const odd = { id: 'story-2', title: 'Of a later version', steps: [{ kind: 'disk' }] };
  const { id, name: title, steps } = stored;
  localStorage.setItem(key, JSON.stringify([{ id, title, steps }, odd]));
  const kept: OwnStory[] = [];
  const { emit } = renderRoute('/present', answers(kept));
  await waitFor(() => expect(localStorage.getItem(key)).toBeNull());
  emit('list.changed', { list: 'stories' });
  expect(kept).toEqual([stored]);
  expect(JSON.parse(localStorage.getItem(`${key}.unread`)!)).toEqual([odd]);
  expect(await screen.findByRole('link', { name: /^An upgrade/ })).toBeVisible();
});

test('a story of a file is taken in beside the one of its id, and its words are no markup', async () => {
  const kept = [stored];
  const text = storyText({ ...stored, name: '<b>Of a file</b>' });
  const { user, path } = renderRoute('/present', answers(kept), { name: 's.json', text });
  await user.click(await screen.findByRole('button', { name: 'Import story' }));
  await waitFor(() => expect(path()).toMatch(/^\/studies\/stories\/story-/));
  expect(kept.map(({ name }) => name)).toEqual(['An upgrade', '<b>Of a file</b>']);
  expect(kept[1]!.id).not.toBe(stored.id);
});

test('a file that is no story is refused with the place, and nothing is kept', async () => {
  const kept: OwnStory[] = [];
  const text = storyText(stored).replace('"run"', '"disk"');
  const { user } = renderRoute('/present', answers(kept), { name: 's.json', text });
  await user.click(await screen.findByRole('button', { name: 'Import story' }));
  expect(await screen.findByText(/s\.json:8:/)).toBeVisible();
  expect(kept).toEqual([]);
});

test('a story leaves with its runs in one file, after what leaves was shown; its words can go alone', async () => {
  const { user, calls } = renderRoute('/studies/stories/story-1', {
    ...answers([stored]),
    'story.preview': () => ({
      parts: [
        { name: 'story', holds: '2 steps', bytes: 200 },
        { name: 'not in the file', holds: '1 run that was removed here', bytes: null },
      ],
      replacements: [],
      doubts: [],
    }),
    'story.export': () => ({
      fileName: 's.story.tilebench',
      bytes: new Uint8Array(3),
      cursor: null,
      done: 3,
      total: 3,
    }),
  });
  const open = async (item: string): Promise<void> => {
    await user.click(await screen.findByRole('button', { name: 'Export story' }));
    await user.click(await screen.findByRole('menuitem', { name: item }));
  };
  await open('With its runs…');
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText('1 run that was removed here')).toBeVisible();
  // Written to be read: nothing is replaced unless somebody wants it.
  expect(dialog.getByRole('switch')).not.toBeChecked();
  await user.click(dialog.getByRole('button', { name: 'Write story' }));
  expect(await screen.findByText('Wrote s.story.tilebench.')).toBeVisible();
  expect(calls.filter(({ method }) => method === 'story.export').map(({ input }) => input)).toEqual(
    [{ id: 'story-1', redact: false, cursor: null, keep: [], confirmed: [] }],
  );
  await open('Words only');
  expect(await screen.findByText('Wrote An-upgrade.story.json.')).toBeVisible();
});

test('an export that the engine refuses says why and what to do', async () => {
  const { user } = renderRoute('/studies/stories/story-1', {
    ...answers([stored]),
    'story.preview': () => ({ parts: [], replacements: [], doubts: [] }),
    'story.export': () => {
      throw fail(
        'conflict',
        'Before is not over: a bundle holds a whole run.',
        'Wait for its end.',
      );
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Export story' }));
  await user.click(await screen.findByRole('menuitem', { name: 'With its runs…' }));
  await user.click(await screen.findByRole('button', { name: 'Write story' }));
  expect(await screen.findByText(/a whole run\. Wait for its end\./)).toBeVisible();
});

test('a story with its runs is opened where stories are imported, and leads to it', async () => {
  const kept = [stored];
  const { user, path } = renderRoute(
    '/present',
    {
      ...answers(kept),
      'bundle.import': () => ({ uploadId: 'u', runId: null, storyId: 'story-1' }),
    },
    { name: 's.tilebench', text: 'PK and more' },
  );
  await user.click(await screen.findByRole('button', { name: 'Import story' }));
  await waitFor(() => expect(path()).toBe('/studies/stories/story-1'));
  expect(await screen.findByText('s.tilebench opened')).toBeVisible();
  expect(kept).toEqual([stored]);
});

test('notes have a window of their own', () => {
  expect(detachedKind(detachedNotesPath)).toBe('notes');
  expect(detachedKind(`${detachedNotesPath}/more`)).toBeNull();
});
