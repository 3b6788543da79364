import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';

import { fail } from '../../../core/base/errors.ts';
import type { Plan } from '../../../core/plan/plan.ts';
import type { StudySpec } from '../../../core/study/study.ts';
import { type Answers, renderRoute } from '../../testing/renderRoute.tsx';
import { demoStatus, demoStudy } from './testing/overviews.ts';

const phases = { rampUpS: 600, staggerS: 60, steadyS: 2_400, periods: 3, rampDownS: 0 };
const plan: Plan = {
  id: 'p1',
  name: 'Four hosts',
  version: 1,
  testbedId: 't1',
  profileId: 'quick',
  tiles: 6,
  phases,
  sampling: { workloadMs: 1_000, vcenterMs: 20_000 },
  referenceRunId: null,
  overrides: {},
  study: null,
  notes: '',
};
const refused = (): never => {
  throw fail('notFound', 'The study s1 does not exist.', 'Refresh the list.');
};
const demo = (answers: Answers = {}): Answers => ({
  'lab.status': () => demoStatus(),
  'plan.list': () => [plan],
  'study.overview': () => demoStudy(),
  ...answers,
});
// Whole screens are drawn, on machines that others load.
beforeEach(() => {
  localStorage.clear();
});

describe('the study', () => {
  test('the curve as its author charted it, with published points, knee, saturation and the broken limit', async () => {
    const { user } = renderRoute('/studies/s1', demo(), null, 'simulated');
    const chart = await screen.findByRole('region', { name: 'Scaling × one tile' });
    expect(screen.getAllByText('SIMULATED')).toHaveLength(1);
    expect(within(chart).getAllByRole('button', { name: /^\d tiles?:/ })).toHaveLength(6);
    expect(
      within(chart).getByRole('button', {
        name: /^6 tiles: 3.91 × one tile. QoS failed: Mail latency over its limit/,
      }),
    ).toBeInTheDocument();
    expect(within(chart).getByText('QoS failed')).toBeInTheDocument();
    expect(
      within(chart).getByRole('img', {
        name: /^Published, 4 tiles: 4.00 × one tile.*Seed 000, line 12/,
      }),
    ).toBeInTheDocument();
    expect(
      within(chart).getByText('Knee 3.81 to 4.18 tiles, two-segment regression'),
    ).toBeInTheDocument();
    expect(within(chart).getByText('Saturated from 4 tiles')).toBeInTheDocument();
    const says = screen.getByRole('region', { name: 'What the curve says' });
    expect(says).toHaveTextContent('QoS failed at 6 tiles.');
    expect(says).toHaveTextContent('4 tilessaturated from here, knee 3.81 to 4.18');
    await user.click(within(says).getByText('How found'));
    expect(
      within(says).getByRole('row', {
        name: /universal scalability law.*no maximum inside the measured values.*none/,
      }),
    ).toBeVisible();
  });

  test('a point opens its run, by mouse and by keyboard', async () => {
    const { user, path } = renderRoute('/studies/s1', demo(), null, 'simulated');
    const first = await screen.findByRole('button', { name: /^1 tile: 1.00/ });
    act(() => first.focus());
    await user.keyboard('{ArrowRight}{ArrowRight}');
    expect(document.activeElement).toHaveAccessibleName(/^3 tiles: 3.00/);
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement).toHaveAccessibleName(/^Published/);
    await user.keyboard('{ArrowUp}{Enter}');
    await waitFor(() => expect(path()).toBe('/runs/run-4'));
  });

  test('another measure, not normalised, and another method for the band', async () => {
    const { user } = renderRoute('/studies/s1', demo(), null, 'simulated');
    const measure = await screen.findByRole('combobox', { name: 'Measure' });
    await user.selectOptions(
      screen.getByRole('combobox', { name: 'Band on the chart' }),
      'Kneedle',
    );
    expect(screen.getByText('Knee 3 to 5 tiles, Kneedle')).toBeInTheDocument();
    await user.click(screen.getByRole('switch', { name: 'Normalised to the reference' }));
    expect(screen.getByRole('button', { name: /^1 tile: 1.10\./ })).toBeInTheDocument();
    expect(screen.getByText(/^Published figures are in × one tile/)).toBeVisible();
    await user.selectOptions(measure, 'Host CPU, mean of the hosts');
    expect(screen.getByRole('region', { name: 'Host CPU, mean of the hosts %' })).toBeVisible();
    expect(screen.getByText(/^No knee of this measure yet/)).toBeVisible();
  });

  test('what was published: met, missed and not known, each in words', async () => {
    renderRoute('/studies/s1', demo(), null, 'simulated');
    const table = await screen.findByRole('table', { name: 'Compared with what was published' });
    expect(screen.getByText('1 of 3 lines met, 1 without a value yet.')).toBeVisible();
    expect(
      within(table).getByRole('row', {
        name: 'Scaling at 4 tiles 4.00 × 4.0 0.00 × 3.90 to 4.10 × Met Seed 000, line 12',
      }),
    ).toBeVisible();
    expect(
      within(table).getByRole('row', { name: /Scaling at 6 tiles.*−1.99 ×.*Missed/ }),
    ).toBeVisible();
    expect(
      within(table).getByRole('row', { name: /Watts per VM – 17.5 W –.*No value yet/ }),
    ).toBeVisible();
  });

  test('table, copy, CSV and summary wear the mark', async () => {
    const copied: string[] = [];
    const { user } = renderRoute('/studies/s1', demo(), null, 'simulated');
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: {
        writeText: async (text: string) => {
          copied.push(text);
        },
      },
    });
    await screen.findByRole('region', { name: 'Scaling × one tile' });
    const choose = async (name: string): Promise<void> => {
      await user.click(screen.getByRole('button', { name: 'Actions for Scaling' }));
      await user.click(await screen.findByRole('menuitem', { name }));
    };
    await choose('Copy');
    expect(copied[0]!.split('\n').slice(0, 2)).toEqual([
      'Tiles\tModelled (× one tile, SIMULATED)\tPublished (× one tile, published)',
      '1\t1.00\t',
    ]);
    await choose('Text summary');
    expect(await screen.findByText('Scaling, SIMULATED, × one tile, against Tiles.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await choose('Table');
    expect(
      within(await screen.findByRole('table', { name: 'Scaling' })).getAllByRole('row'),
    ).toHaveLength(7);
  });

  test('before it starts: says what start does, and starts it', async () => {
    const fresh = demoStudy({
      state: 'draft',
      knees: [],
      expectations: [],
      published: [],
      points: demoStudy().points.map((p) => ({
        ...p,
        state: 'pending',
        runId: null,
        measures: {},
      })),
    });
    const { user, calls, emit } = renderRoute(
      '/studies/s1',
      demo({ 'study.overview': () => fresh, 'study.start': () => ({}) }),
      null,
      'simulated',
    );
    expect(
      await screen.findByText(
        'Start study runs the plan at every value. Each run adds a point here.',
      ),
    ).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Start study' }));
    expect(calls.find((c) => c.method === 'study.start')?.input).toEqual({ id: 's1' });
    act(() =>
      emit('study.changed', {
        ...fresh,
        rev: 6,
        state: 'running',
        points: fresh.points.map((p, i) =>
          i === 0 ? { ...p, state: 'passed', runId: 'run-1', measures: { score: 2 } } : p,
        ),
      }),
    );
    expect(await screen.findByRole('button', { name: /^1 tile: 1.00/ })).toBeInTheDocument();
    expect(
      screen.getByText(/^1 of 6 points, 4:10:00 left of lab time, about 0:25 here$/),
    ).toBeVisible();
    act(() => emit('study.changed', { ...fresh, rev: 4 }));
    expect(screen.getByRole('status', { name: 'State of the study' })).toHaveTextContent('Running');
  });

  test('running: paused after the run, or now; the command does the same', async () => {
    const { user, calls } = renderRoute(
      '/studies/s1',
      demo({ 'study.overview': () => demoStudy({ state: 'running' }), 'study.pause': () => ({}) }),
      null,
      'simulated',
    );
    await user.click(await screen.findByRole('button', { name: 'Pause after this run' }));
    await user.click(screen.getByRole('button', { name: 'Pause now' }));
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() =>
      expect(calls.filter((c) => c.method === 'study.pause').map((c) => c.input)).toEqual([
        { id: 's1', now: false },
        { id: 's1', now: true },
        { id: 's1', now: false },
      ]),
    );
  });

  test('waiting: the instruction, and the word that it is done', async () => {
    const { user, calls } = renderRoute(
      '/studies/s1',
      demo({
        'study.overview': () =>
          demoStudy({
            state: 'waiting',
            origin: 'real',
            instruction: 'Move the LUNs to the second array.',
          }),
        'study.start': () => ({}),
      }),
    );
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Move the LUNs to the second array.',
    );
    await user.click(screen.getByRole('button', { name: 'Done, go on' }));
    expect(calls.some((c) => c.method === 'study.start')).toBe(true);
  });

  test('one point is run again; its earlier run can be opened', async () => {
    const study = demoStudy();
    study.points[1]!.earlierRunIds = ['run-old'];
    const { user, calls } = renderRoute(
      '/studies/s1',
      demo({ 'study.overview': () => study, 'study.rerun': () => ({}) }),
      null,
      'simulated',
    );
    await user.click(await screen.findByRole('button', { name: 'Run tiles=2;repeat=1 again' }));
    expect(calls.find((c) => c.method === 'study.rerun')?.input).toEqual({
      id: 's1',
      key: 'tiles=2;repeat=1',
    });
    expect(screen.getByRole('link', { name: 'Earlier 1' })).toHaveAttribute(
      'href',
      '/runs/run-old',
    );
  });

  test('a study that is gone is said', async () => {
    renderRoute('/studies/s1', demo({ 'study.overview': refused }));
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'The study s1 does not exist.Refresh the list.',
    );
  });
});

describe('the editor', () => {
  test('what is wrong is marked at its field, the draft survives leaving, and the study is saved', async () => {
    const { user, calls, path } = renderRoute(
      '/studies/new',
      demo({ 'study.save': (spec) => ({ ...spec, version: 1 }) as StudySpec }),
    );
    await user.click(await screen.findByRole('button', { name: 'Save study' }));
    expect(await screen.findByText('Give the study a name.')).toBeVisible();
    expect(screen.getByText('Choose the plan that is run at every value.')).toBeVisible();
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Tiles up');
    await user.click(screen.getByRole('link', { name: 'Runs' }));
    await waitFor(() => expect(path()).toBe('/runs'));
    await user.click(screen.getByRole('link', { name: 'Studies' }));
    await user.click((await screen.findAllByRole('button', { name: 'New study' }))[0]!);
    expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveValue('Tiles up');
    await user.click(screen.getByRole('combobox', { name: 'Plan' }));
    await user.click(await screen.findByRole('option', { name: 'Four hosts' }));
    expect(await screen.findByText('8 runs, 6:40:00 in all.')).toBeVisible();
    await user.click(screen.getByRole('switch', { name: /^Find the limit/ }));
    await user.click(screen.getByRole('button', { name: 'Save study' }));
    await waitFor(() =>
      expect(calls.find((c) => c.method === 'study.save')?.input).toMatchObject({
        name: 'Tiles up',
        planId: 'p1',
        findLimit: { from: 1, to: 20, coarseStep: 4, resolution: 1, confirmations: 2 },
      }),
    );
    await waitFor(() => expect(path()).toMatch(/^\/studies\/study-/));
  });

  test('what the engine refuses keeps what was typed', async () => {
    const { user } = renderRoute(
      '/studies/s1/edit',
      demo({
        'study.save': () => {
          throw Object.assign(new Error('Somebody else saved version 3.'), {
            kind: 'conflict',
            hint: 'Reload it.',
          });
        },
      }),
    );
    const name = await screen.findByRole('textbox', { name: 'Name' });
    await user.type(name, ' again');
    await user.click(screen.getByRole('button', { name: 'Save study' }));
    expect(await screen.findByText('Somebody else saved version 3.')).toBeVisible();
    expect(name).toHaveValue('Consolidation again');
  });

  test('a second axis has fields of its own; lab properties only in the demo lab', async () => {
    const { user } = renderRoute('/studies/new', demo());
    await user.click(await screen.findByRole('button', { name: 'Add a second axis' }));
    const second = screen.getByRole('group', { name: 'Second axis' });
    expect(within(second).getByRole('textbox', { name: 'Axis label' })).toHaveValue('Testbed');
    await user.click(within(second).getByRole('combobox', { name: 'What changes' }));
    expect(screen.queryByRole('option', { name: 'A property of the simulated lab' })).toBeNull();
    await user.click(await screen.findByRole('option', { name: 'Something a person changes' }));
    expect(within(second).getByRole('textbox', { name: 'Instruction' })).toBeVisible();
    await user.click(within(second).getByRole('button', { name: 'Remove the second axis' }));
    expect(screen.queryByRole('group', { name: 'Second axis' })).toBeNull();
  });
});

test('the curve is zoomed by drag and shown whole again', async () => {
  const { user } = renderRoute('/studies/s1', demo(), null, 'simulated');
  const chart = await screen.findByRole('region', { name: 'Scaling × one tile' });
  const ground = chart.querySelector('.ground')!;
  Object.assign(ground, { setPointerCapture: () => undefined });
  // jsdom's pointer events carry no position.
  if (!('PointerEvent' in window)) Object.assign(window, { PointerEvent: MouseEvent });
  const at = (clientX: number) => ({ clientX, button: 0, pointerId: 1 });
  fireEvent.pointerDown(ground, at(60));
  fireEvent.pointerMove(ground, at(200));
  fireEvent.pointerUp(ground, at(320));
  await waitFor(() =>
    expect(within(chart).getAllByRole('button', { name: /Opens its run/ }).length).toBeLessThan(6),
  );
  await user.click(within(chart).getByRole('button', { name: 'Reset zoom' }));
  expect(within(chart).getAllByRole('button', { name: /Opens its run/ })).toHaveLength(6);
});
