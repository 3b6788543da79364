import { act, screen, waitFor, within } from '@testing-library/react';

import { createEngineClock } from '../../charts/engineClock.ts';
import { extrapolatedMs } from '../../engine/engineTime.ts';
import { stepSpeed } from '../../engine/labClock.ts';
import { workspaceAddress, workspaceOf } from '../../engine/workspace.ts';
import { type Answers, renderRoute } from '../../testing/renderRoute.tsx';
import { demoRun } from '../runs/testing/records.ts';
import { parsePart, partText, testbedText } from '../studies/TestbedPicture.tsx';
import { demoGallery, demoStatus, demoStudy } from '../studies/testing/overviews.ts';

const demo = (answers: Answers = {}): Answers => ({
  'lab.status': () => demoStatus(),
  'gallery.list': () => demoGallery(),
  'lab.pace': (pace) => demoStatus(pace),
  ...answers,
});
// Whole screens are drawn, on machines that others load.
beforeEach(() => {
  localStorage.clear();
});

test('an address names its workspace, and keeps the rest', () => {
  expect(workspaceOf('http://127.0.0.1:7450/?workspace=simulated#/lab')).toBe('simulated');
  expect(workspaceOf('http://127.0.0.1:7450/?workspace=other')).toBe('real');
  expect(workspaceAddress('http://127.0.0.1:7450/?x=1#/runs', 'simulated', '/lab')).toBe(
    'http://127.0.0.1:7450/?x=1&workspace=simulated#/lab',
  );
  expect(workspaceAddress('file:///app/index.html?workspace=simulated#/lab', 'real', '/')).toBe(
    'file:///app/index.html#/',
  );
});

test('speeds step through the list, and stay at its ends', () => {
  expect(stepSpeed(1, 1)).toBe(10);
  expect(stepSpeed(3_600, 1)).toBeNull();
  expect(stepSpeed(null, 1)).toBeNull();
  expect(stepSpeed(null, -1)).toBe(3_600);
  expect(stepSpeed(45, 1)).toBe(60);
  expect(stepSpeed(1, -1)).toBe(1);
});

test('time is extrapolated at the speed of the lab, two seconds here at most; charts stand at what is known', () => {
  expect(extrapolatedMs(1_500, 600)).toBe(900_000);
  expect(extrapolatedMs(60_000, 600)).toBe(1_200_000);
  expect(extrapolatedMs(60_000, 1)).toBe(60_000);
  let wall = 0,
    newest = NaN;
  const clock = createEngineClock(
    1_000,
    () => wall,
    () => newest,
  );
  clock.sync(1_000, 600);
  wall = 5_000;
  expect(clock.now()).toBe(1_000);
  newest = 90_000;
  expect(clock.now()).toBe(90_000);
  clock.sync(100_000, 1);
  wall = 6_000;
  expect(clock.now()).toBe(101_000);
});

test('the real workspace shows the way into the demo lab, and no mark', async () => {
  const { user, opened } = renderRoute('/lab', {});
  await user.click(await screen.findByRole('button', { name: 'Open the demo lab' }));
  expect(opened).toEqual(['simulated /lab']);
  expect(screen.queryByText('SIMULATED')).toBeNull();
});

test('first start: the demo lab is one click, the study with its chart the second', async () => {
  const first = renderRoute('/', {});
  await first.user.click(await screen.findByRole('button', { name: 'Open the demo lab' }));
  expect(first.opened).toEqual(['simulated /lab']);
});

test('one obvious button installs and starts the first study, and shows it', async () => {
  const { user, calls, path } = renderRoute(
    '/lab',
    demo({
      'gallery.install': () => ({ studyId: 's1', planId: 'p1' }),
      'study.start': () => ({}),
      'study.overview': () => demoStudy({ state: 'running' }),
    }),
    null,
    'simulated',
  );
  await user.click(await screen.findByRole('button', { name: /^Run study: / }));
  await waitFor(() => expect(path()).toBe('/studies/s1'));
  expect(
    calls
      .filter((c) => c.method === 'gallery.install' || c.method === 'study.start')
      .map((c) => [c.method, c.input]),
  ).toEqual([
    ['gallery.install', { id: 'E01' }],
    ['study.start', { id: 's1' }],
  ]);
  expect(await screen.findByRole('region', { name: 'Scaling × one tile' })).toBeVisible();
});

test('a study that is done is opened and not run again', async () => {
  const { user, calls, path } = renderRoute(
    '/lab',
    demo({
      'gallery.list': () => demoGallery('done'),
      'gallery.install': () => ({ studyId: 's1', planId: 'p1' }),
      'study.overview': () => demoStudy(),
    }),
    null,
    'simulated',
  );
  await user.click(await screen.findByRole('button', { name: /^Open result: / }));
  await waitFor(() => expect(path()).toBe('/studies/s1'));
  expect(calls.some((c) => c.method === 'study.start')).toBe(false);
});

test('an entry says what it is: paragraph, benchmark, year, testbed in words, published with its source', async () => {
  const { user } = renderRoute('/lab', demo(), null, 'simulated');
  const entry = await screen.findByRole('region', { name: 'Twenty tiles on four hosts' });
  expect(entry).toHaveTextContent('Tiles are added until the cluster is full.');
  expect(within(entry).getByText('VMmark 1.0')).toBeVisible();
  expect(within(entry).getByRole('figure', { name: 'Testbed' })).toHaveTextContent(
    /4 hosts: host1 \(2 × 4 cores, 2.3 GHz\).*array with 20 LUNs \(90 disks\); 20 client machines; 120 VMs\.$/,
  );
  expect(
    within(entry).getByRole('row', { name: 'Saturated at 17 tiles Seed 000, line 31' }),
  ).toBeVisible();
  await user.click(screen.getByRole('button', { name: /^E14/ }));
  expect(
    within(screen.getByRole('region', { name: 'Sixty-four hosts on one LUN' })).getByText(
      /picture only/,
    ),
  ).toBeVisible();
});

test('a host of the drawing is pressed: its study is installed, and the drawing opens to change it', async () => {
  const { user, calls, path } = renderRoute(
    '/lab',
    demo({
      'gallery.install': () => ({ studyId: 's1', planId: 'p1' }),
      'study.overview': () => demoStudy(),
    }),
    null,
    'simulated',
  );
  const drawing = await screen.findByRole('group', { name: 'Parts of the lab' });
  await user.click(within(drawing).getByRole('button', { name: /^host2, 2 × 4 cores/ }));
  await waitFor(() => expect(path()).toMatch(/^\/studies\/s1\/what-if/));
  expect(calls.filter((c) => c.method === 'gallery.install').map((c) => c.input)).toEqual([
    { id: 'E01' },
  ]);
});

test('parts have an address; what names none is none', () => {
  expect(['host.3', 'array.0', 'networkLinks'].map((text) => partText(parsePart(text)!))).toEqual([
    'host.3',
    'array.0',
    'networkLinks',
  ]);
  expect(['', 'host', 'host.x', 'disk.1', null].map(parsePart)).toEqual(Array(5).fill(null));
});

test('many hosts are counted', () => {
  expect(
    testbedText({ hosts: [{ name: '4 × R310', text: '4 cores' }], arrays: [], clients: 1, vms: 5 }),
  ).toBe('4 hosts: 4 × R310 (4 cores); no shared storage; 1 client machine; 5 VMs.');
  expect(testbedText(demoGallery()[1]!.testbed)).toBe(
    '64 hosts: blade1 (2 × 2 cores), blade2 (2 × 2 cores) and 62 more; shared with 1 LUN (5 disks); no client machine; 64 VMs.',
  );
});

test('a gallery that cannot be read is said and asked again', async () => {
  let fail = true;
  const { user } = renderRoute(
    '/lab',
    demo({
      'gallery.list': () => {
        if (fail)
          throw Object.assign(new Error('The demo engine is starting.'), { kind: 'unreachable' });
        return demoGallery();
      },
    }),
    null,
    'simulated',
  );
  expect(await screen.findByRole('alert')).toHaveTextContent('The demo engine is starting.');
  fail = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('button', { name: /^Run study: / })).toBeVisible();
});

test('pace by mouse and keyboard, on every page', async () => {
  const { user, calls, emit } = renderRoute('/runs', demo(), null, 'simulated');
  const speed = await screen.findByRole('combobox', { name: 'Speed of simulated time' });
  expect(speed).toHaveValue('600');
  await user.selectOptions(speed, 'As fast as it goes');
  await user.click(screen.getByRole('button', { name: 'Pause time' }));
  await user.keyboard('{Control>}]{/Control}');
  await user.keyboard('{Control>}[[{/Control}');
  await user.keyboard('{Control>}{Shift>}p{/Shift}{/Control}');
  await waitFor(() =>
    expect(calls.filter((c) => c.method === 'lab.pace').map((c) => c.input)).toEqual([
      { speed: null, paused: false },
      { speed: 600, paused: true },
      { speed: 1_800, paused: false },
      { speed: 300, paused: false },
      { speed: 600, paused: true },
    ]),
  );
  act(() => emit('lab.changed', demoStatus({ paused: true, speed: null })));
  expect(await screen.findByRole('button', { name: 'Resume time' })).toBeVisible();
  expect(screen.getByRole('combobox', { name: 'Speed of simulated time' })).toHaveDisplayValue(
    'As fast as it goes',
  );
});

test('a fault is injected on a chosen LUN from and to, listed and cleared', async () => {
  let faults: ReturnType<typeof demoStatus>['labs'][number]['faults'] = [];
  const status = () => {
    const s = demoStatus();
    s.labs[0]!.faults = faults;
    return s;
  };
  const { user, calls, emit } = renderRoute(
    '/lab',
    demo({
      'lab.status': status,
      'lab.fault': ({ fault }) => {
        faults = [{ ...fault, amount: fault.amount ?? 1 }];
        return status();
      },
      'lab.clearFault': () => {
        faults = [];
        return status();
      },
    }),
    null,
    'simulated',
  );
  await user.click(await screen.findByRole('tab', { name: 'Faults (0)' }));
  expect(await screen.findByText('No fault is active or planned.')).toBeVisible();
  await user.click(screen.getByRole('combobox', { name: 'LUN' }));
  await user.click(await screen.findByRole('option', { name: 'lun2' }));
  const to = screen.getByRole('textbox', { name: 'To' });
  await user.clear(to);
  await user.type(to, '0');
  await user.click(screen.getByRole('button', { name: 'Inject' }));
  expect(screen.getByText('After its beginning')).toBeVisible();
  expect(calls.some((c) => c.method === 'lab.fault')).toBe(false);
  await user.clear(to);
  await user.type(to, '5m');
  await user.click(screen.getByRole('button', { name: 'Inject' }));
  await waitFor(() =>
    expect(calls.find((c) => c.method === 'lab.fault')?.input).toMatchObject({
      labId: 'e01',
      fault: { kind: 'lunSlow', targetId: 'lun2', amount: 4, fromS: 0, toS: 300 },
    }),
  );
  act(() => emit('lab.changed', status()));
  const row = within(await screen.findByRole('table', { name: 'Faults' })).getByRole('row', {
    name: /LUN slow lun2 Four hosts Times as slow: 4 Active, 5:00 left/,
  });
  await user.click(within(row).getByRole('button', { name: 'Clear LUN slow on lun2' }));
  await waitFor(() => expect(calls.some((c) => c.method === 'lab.clearFault')).toBe(true));
  act(() => emit('lab.changed', status()));
  expect(await screen.findByText('No fault is active or planned.')).toBeVisible();
});

test.each([
  '/',
  '/studies',
  '/runs',
  '/connections',
  '/compare',
  '/testbeds',
  '/settings',
  '/lab',
  '/runs/run-1',
  '/studies/s1',
])('SIMULATED stands on %s once', async (address) => {
  const { record, summary } = demoRun({ id: 'run-1', origin: 'simulated' });
  renderRoute(
    address,
    demo({
      'run.list': () => [summary],
      'run.overview': () => record.overview,
      'run.record': () => record,
      'run.samples': () => [],
      'study.overview': () => demoStudy(),
    }),
    null,
    'simulated',
  );
  await screen.findByRole('main');
  expect(within(screen.getAllByRole('banner')[0]!).getByText('SIMULATED')).toBeVisible();
  expect(screen.getAllByText('SIMULATED')).toHaveLength(1);
  expect(screen.getByRole('button', { name: 'Back to the real lab' })).toBeVisible();
});

test('back to the real lab', async () => {
  const { user, opened } = renderRoute('/studies', demo(), null, 'simulated');
  await user.click(await screen.findByRole('button', { name: 'Back to the real lab' }));
  expect(opened).toEqual(['real /']);
});

test('drafts of the two workspaces do not mix', async () => {
  localStorage.setItem('tilebench.drafts.simulated', JSON.stringify({ 'study new': 'simulated' }));
  localStorage.setItem('tilebench.drafts', JSON.stringify({ 'study new': 'real' }));
  renderRoute('/settings', demo(), null, 'simulated');
  await screen.findByRole('heading', { name: 'Settings' });
  expect(JSON.parse(localStorage.getItem('tilebench.drafts') ?? '{}')).toEqual({
    'study new': 'real',
  });
});
