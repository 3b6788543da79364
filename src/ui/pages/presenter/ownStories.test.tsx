import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';

import { detachedKind, detachedNotesPath } from '../../../wire/detached.ts';
import { installChartDom } from '../../charts/testing/page.tsx';
import { type Answers, renderRoute } from '../../testing/renderRoute.tsx';
import { type DemoRun, demoRun, samplesOf } from '../runs/testing/records.ts';
import { demoStudy } from '../studies/testing/overviews.ts';
import { readStories } from './ownStories.ts';
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
const answers = (): Answers => {
  const of = (id: string): DemoRun => runs.find((r) => r.summary.id === id)!;
  return {
    'run.list': () => runs.map((r) => r.summary),
    'run.overview': ({ id }) => of(id).record.overview,
    'run.record': ({ id }) => of(id).record,
    'run.samples': ({ runId, seriesIds }) => samplesOf(of(runId), seriesIds),
  };
};
const key = 'tilebench.stories.real';
const stored = {
  id: 'story-1',
  title: 'An upgrade',
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
  const told = {
    ...stored,
    steps: [
      { kind: 'study', of: study.spec.id, headline: 'It scales', notes: '' },
      stored.steps[0],
    ],
  };
  localStorage.setItem(key, JSON.stringify([told]));
  renderRoute('/present/own/story-1', { ...answers(), 'study.overview': () => overview });
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
  localStorage.setItem(key, JSON.stringify([stored]));
  renderRoute('/present/own/story-1', answers());
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

test('what cannot be read is no story, and the same text is the same list', () => {
  localStorage.setItem(key, '{');
  expect(readStories(false)).toEqual([]);
  localStorage.setItem(key, JSON.stringify([{ ...stored, steps: [{ kind: 'disk' }] }]));
  expect(readStories(false)).toEqual([]);
  localStorage.setItem(key, JSON.stringify([stored]));
  expect(readStories(false)).toEqual([stored]);
  expect(readStories(false)).toBe(readStories(false));
  expect(readStories(true)).toEqual([]);
});

test('a story that cannot be read costs no other, and is kept aside when one is saved', async () => {
  const later = { id: 'story-2', title: 'Of a later version', steps: [{ kind: 'disk' }] };
  const text = JSON.stringify([stored, later]);
  localStorage.setItem(key, text);
  expect(readStories(false)).toEqual([stored]);
  const { user } = renderRoute('/studies/stories/new', answers());
  await user.type(await screen.findByRole('textbox', { name: /^Title/ }), 'Another');
  await user.click(screen.getByRole('combobox', { name: 'Add a run or a study' }));
  await user.click(await screen.findByRole('option', { name: 'Before' }));
  await user.click(screen.getByRole('button', { name: 'Save and present' }));
  await waitFor(() => {
    expect(readStories(false).map(({ title }) => title)).toEqual(['An upgrade', 'Another']);
  });
  const aside = Object.keys(localStorage).filter((one) => one.startsWith(`${key}.unread.`));
  expect(aside.map((one) => localStorage.getItem(one))).toEqual([text]);
});

test('notes have a window of their own', () => {
  expect(detachedKind(detachedNotesPath)).toBe('notes');
  expect(detachedKind(`${detachedNotesPath}/more`)).toBeNull();
});
