import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';

import type { LabStatus } from '../../../core/lab/lab.ts';
import {
  galleryItem,
  type StudyOverview,
  studyOverview,
  studySpecSchema,
} from '../../../core/study/study.ts';
import { installChartDom } from '../../charts/testing/page.tsx';
import { type Answers, type Console, renderRoute } from '../../testing/renderRoute.tsx';
import { type DemoRun, demoRun, placeVms, samplesOf } from '../runs/testing/records.ts';

beforeAll(() => {
  installChartDom();
});
const press = (key: string): void => {
  fireEvent.keyDown(window, { key });
};
const number = (label: string): HTMLElement =>
  screen.getByText(label, { selector: 'dt' }).parentElement!;
const runAnswers = (...runs: DemoRun[]): Answers => {
  const of = (id: string): DemoRun => runs.find((r) => r.summary.id === id)!;
  return {
    'run.list': () => runs.map((r) => r.summary),
    'run.overview': ({ id }) => of(id).record.overview,
    'run.record': ({ id }) => of(id).record,
    'run.samples': ({ runId, seriesIds }) => samplesOf(of(runId), seriesIds),
  };
};

describe('a run', () => {
  const stored = demoRun({ origin: 'simulated' });

  test('one that has ended is played again: big numbers, two charts, marks, and nothing it cannot give', async () => {
    const { path } = renderRoute('/present/run/run-a', runAnswers(stored));
    expect(
      await screen.findByRole('heading', { level: 1, name: 'Baseline, 2 tiles: Overview' }),
    ).toBeVisible();
    expect(path()).toBe('/present/replay/run-a');
    expect(document.documentElement).toHaveAttribute('data-mantine-color-scheme', 'dark');
    expect(within(screen.getAllByRole('banner')[0]!).getByText('SIMULATED, REPLAY')).toBeVisible();
    expect(screen.getAllByRole('region')).toHaveLength(2);
    expect(screen.getAllByText('SIMULATED, REPLAY')).toHaveLength(1);
    expect(screen.queryByText('Users', { selector: 'dt' })).toBeNull();
    // No score before the first period is complete.
    expect(screen.queryByText('Scaling', { selector: 'dt' })).toBeNull();
  });

  test('where its VMs ran is its hero, at the first slide only', async () => {
    const run = structuredClone(stored);
    placeVms(run.record.overview);
    renderRoute('/present/run/run-a', runAnswers(run));
    const racks = await screen.findByRole('group', { name: 'Hosts and their VMs' });
    expect(racks).toHaveAccessibleDescription(
      /^8 VMs on 2 hosts, .*esx1\.lab: .*, 1 VM\. esx2\.lab: .*, 7 VMs\.$/,
    );
    press('ArrowRight');
    await waitFor(() => {
      expect(screen.queryByRole('region', { name: 'Hosts and their VMs' })).toBeNull();
    });
  });

  test('keys: slides, pause, pace, blank and help; the mark stays, Escape leads back to the run', async () => {
    const { path } = renderRoute('/present/replay/run-a', runAnswers(stored));
    const pace = await screen.findByRole('status', { name: 'Pace' });
    expect(pace).toHaveTextContent(/of 4:20, 10×$/);
    press('+');
    expect(pace).toHaveTextContent(/30×$/);
    press('-');
    press(' ');
    expect(pace).toHaveTextContent(/paused$/);
    press('ArrowRight');
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(
      'Baseline, 2 tiles: Throughput 1 of 2',
    );
    expect(screen.queryByRole('term')).toBeNull();
    press('PageUp');
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Overview');
    press('End');
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Power');
    press('b');
    expect(screen.getByRole('status', { name: /Screen is blank/ })).toBeVisible();
    expect(within(screen.getAllByRole('banner')[0]!).getByText('SIMULATED, REPLAY')).toBeVisible();
    press('b');
    expect(screen.queryByRole('status', { name: /Screen is blank/ })).toBeNull();
    press('?');
    expect(screen.getByRole('dialog', { name: 'Keys' })).toHaveTextContent(
      'Blank screen, and back',
    );
    press('Escape');
    expect(screen.queryByRole('dialog')).toBeNull();
    press('Escape');
    await waitFor(() => {
      expect(path()).toBe('/runs/run-a');
    });
  });

  test('one that goes on is live and carries no REPLAY; on a real lab its time cannot be changed', async () => {
    renderRoute('/present/run/run-a', runAnswers(demoRun({ state: 'steady' })));
    expect(
      await screen.findByRole('heading', { level: 1, name: 'Baseline, 2 tiles: Overview' }),
    ).toBeVisible();
    await waitFor(() => {
      expect(number('Virtual machines')).toHaveTextContent(/^Virtual machines8$/);
    });
    expect(number('Tiles')).toHaveTextContent(/^Tiles2$/);
    expect(within(screen.getAllByRole('banner')[0]!).queryByText(/REPLAY|SIMULATED/)).toBeNull();
    expect(screen.queryByRole('status', { name: 'Pace' })).toBeNull();
  });

  test('one that never started, and one that is not there, say so and let go', async () => {
    const { path } = renderRoute('/present/replay/run-a', runAnswers(demoRun({ state: 'ready' })));
    expect(await screen.findByRole('alert')).toHaveTextContent('never started');
    press('Escape');
    await waitFor(() => {
      expect(path()).toBe('/runs/run-a');
    });
  });
});

const spec = studySpecSchema.parse({
  schemaVersion: 1,
  id: 'e01-study',
  name: 'Tiles on a cluster',
  planId: 'e01-plan',
  galleryId: 'E01',
  axes: [
    { name: 'tiles', label: 'Tiles', parameter: { kind: 'tiles' }, values: [1, 4, 16, 17, 20] },
  ],
  charts: [{ title: 'Scaling', measure: 'score', unit: '×', normalise: true }],
});
const scores = [2, 8, 30.4, 31.8, 31.9];
const study = (done: number, state: StudyOverview['state'], rev = done): StudyOverview =>
  studyOverview.parse({
    spec,
    rev,
    state,
    origin: 'simulated',
    instruction: null,
    activeKey: null,
    startedAtMs: 0,
    endedAtMs: null,
    nowMs: 0,
    limit: null,
    knees: [],
    expectations: [],
    published: [
      {
        factIds: ['F002'],
        measure: 'score',
        label: '',
        values: { tiles: 4 },
        value: 4,
        unit: '×',
        source: 'seed 000 line 42',
      },
    ],
    points: [1, 4, 16, 17, 20].map((tiles, i) => ({
      key: `tiles=${tiles}`,
      values: { tiles },
      repeat: 1,
      state: i < done ? 'passed' : 'pending',
      runId: i < done ? 'run-a' : null,
      measures: i < done ? { score: scores[i]!, wattsPerVm: 17.5 } : {},
    })),
  });
const status = (speed: number | null, paused = false): LabStatus => ({
  nowMs: 0,
  paused,
  speed,
  labs: [],
});
const labAnswers = (change: Answers = {}): Answers => ({
  ...runAnswers(demoRun({ origin: 'simulated' })),
  'lab.status': () => status(60),
  'lab.pace': ({ speed, paused }) => status(speed, paused),
  ...change,
});
const open = (address: string, answers: Answers): Console =>
  renderRoute(address, answers, null, 'simulated');

describe('a study', () => {
  test('shows the hosts of its newest point beside the curve', async () => {
    const run = demoRun({ origin: 'simulated' });
    placeVms(run.record.overview);
    open('/present/study/e01-study', {
      ...labAnswers({ 'study.overview': () => study(1, 'running') }),
      ...runAnswers(run),
    });
    expect(
      await screen.findByRole('group', { name: 'Hosts and their VMs' }),
    ).toHaveAccessibleDescription(
      /^8 VMs on 2 hosts, 8 under load\. esx1\.lab: CPU 71 %, power –, 1 VM\./,
    );
    expect(screen.getByRole('region', { name: /Scaling/ })).toBeVisible();
  });

  test('its curve builds up, numbers follow the newest point, keys change the pace of the lab', async () => {
    const { emit, calls } = open(
      '/present/study/e01-study',
      labAnswers({ 'study.overview': () => study(1, 'running') }),
    );
    expect(
      await screen.findByRole('heading', { level: 1, name: 'Tiles on a cluster: Scaling' }),
    ).toBeVisible();
    await waitFor(() => {
      expect(number('Scaling')).toHaveTextContent('1.00×');
    });
    expect(within(screen.getAllByRole('banner')[0]!).getByText('SIMULATED')).toBeVisible();
    act(() => {
      emit('study.changed', study(4, 'running', 9));
    });
    await waitFor(() => {
      expect(number('Scaling')).toHaveTextContent('15.9×');
    });
    expect(number('Tiles')).toHaveTextContent('17');
    expect(number('Watts per VM')).toHaveTextContent('17.5W');
    expect(screen.getByRole('progressbar', { name: 'Points done' })).toHaveAttribute(
      'aria-valuenow',
      '4',
    );
    await screen.findByText('Lab time 60×');
    press('+');
    await waitFor(() => {
      expect(calls.filter((c) => c.method === 'lab.pace').at(-1)?.input).toEqual({
        speed: 300,
        paused: false,
      });
    });
    press(' ');
    await waitFor(() => {
      expect(calls.filter((c) => c.method === 'lab.pace').at(-1)?.input).toMatchObject({
        paused: true,
      });
    });
  });
});

describe('a story', () => {
  test('a study that was run before is played from what is stored: nothing is started, a point a second, marked REPLAY', async () => {
    const { calls } = open(
      '/present/story/consolidation',
      labAnswers({
        'gallery.install': () => ({ studyId: 'e01-study', planId: 'e01-plan' }),
        'study.overview': () => study(5, 'done'),
      }),
    );
    expect(await screen.findByText(/One tile: six machines/)).toBeVisible();
    await waitFor(() => {
      expect(number('Scaling')).toHaveTextContent('1.00×');
    });
    expect(within(screen.getAllByRole('banner')[0]!).getByText('SIMULATED, REPLAY')).toBeVisible();
    press('ArrowRight');
    expect(screen.getByText(/four tiles do the work of four/)).toBeVisible();
    await waitFor(() => {
      expect(number('Scaling')).toHaveTextContent('4.00×');
    });
    press('ArrowLeft');
    expect(number('Scaling')).toHaveTextContent('1.00×');
    expect(calls.filter((c) => c.method === 'study.start')).toEqual([]);
  });

  test('a study that was never run is started at the speed of the story, with room made for it', async () => {
    let started = false;
    const { emit, calls } = open(
      '/present/story/consolidation',
      labAnswers({
        'gallery.install': () => ({ studyId: 'e01-study', planId: 'e01-plan' }),
        'study.overview': () => study(0, started ? 'running' : 'draft', started ? 2 : 1),
        'study.start': () => {
          started = true;
          return {};
        },
      }),
    );
    await waitFor(() => {
      expect(calls.some((c) => c.method === 'study.start')).toBe(true);
    });
    expect(calls.find((c) => c.method === 'lab.pace')?.input).toEqual({
      speed: 3_600,
      paused: false,
    });
    act(() => {
      emit('study.changed', study(1, 'running', 5));
    });
    await waitFor(() => {
      expect(number('Scaling')).toHaveTextContent('1.00×');
    });
    expect(within(screen.getAllByRole('banner')[0]!).getByText('SIMULATED')).toBeVisible();
  });

  test('what the engine refuses is said, the story goes on, and R tries again', async () => {
    let refuse = true;
    open(
      '/present/story/consolidation',
      labAnswers({
        'gallery.install': () => {
          if (refuse)
            throw Object.assign(new Error('The gallery has no study E01.'), { kind: 'notFound' });
          return { studyId: 'e01-study', planId: 'e01-plan' };
        },
        'study.overview': () => study(5, 'done'),
      }),
    );
    expect(await screen.findByRole('alert')).toHaveTextContent('The gallery has no study E01.');
    press('ArrowRight');
    expect(screen.getByText(/four tiles do the work of four/)).toBeVisible();
    refuse = false;
    press('r');
    await waitFor(() => {
      expect(screen.queryByRole('alert')).toBeNull();
    });
  });

  test('on a real lab it says where it runs, and one key leads there', async () => {
    const { opened } = renderRoute('/present/story/consolidation', {});
    expect(await screen.findByText(/Stories run in the demo lab/)).toBeVisible();
    press('ArrowRight');
    expect(opened).toEqual(['simulated /present/story/consolidation']);
  });
});

test('the choice lists stories, studies and runs; arrows walk through it', async () => {
  renderRoute('/present', {
    ...runAnswers(demoRun()),
    'study.list': () => [
      {
        id: 'e01-study',
        name: 'Tiles on a cluster',
        state: 'done',
        origin: 'simulated',
        axis: 'Tiles',
        done: 5,
        total: 5,
        startedAtMs: 0,
        galleryId: 'E01',
      },
    ],
    'gallery.list': () => [].map((item) => galleryItem.parse(item)),
  });
  const nav = await screen.findByRole('navigation', { name: 'What to present' });
  await waitFor(() => {
    expect(
      within(nav)
        .getAllByRole('link')
        .map((a) => a.getAttribute('href')),
    ).toEqual([
      '/present/story/consolidation',
      '/present/story/hands-free',
      '/studies/stories/new',
      '/present/study/e01-study',
      '/present/replay/run-a',
    ]);
  });
  press('ArrowDown');
  press('ArrowDown');
  expect(screen.getByRole('link', { name: /A cluster fills up by itself/ })).toHaveFocus();
});
