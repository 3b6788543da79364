/** @jest-environment jsdom */
import '@testing-library/jest-dom';

import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

import { packSamples, type SeriesData } from '../../../core/metric/metric.ts';
import { installChartDom, renderPage } from '../../charts/testing/page.tsx';
import { createLiveSeries } from '../../engine/liveSeries.ts';
import { LiveBoard } from './LiveBoard.tsx';
import { testOverview, testProfile, testStartMs } from './testing/overview.ts';

installChartDom();
/** What is drawn late is no older: a busy machine must not make these samples stale. */
beforeEach(() => {
  jest.spyOn(performance, 'now').mockReturnValue(0);
});
afterEach(() => {
  jest.restoreAllMocks();
});
const at = (s: number): number => testStartMs + s * 1_000;

function filled() {
  const live = createLiveSeries();
  const overview = testOverview();
  live.define('r1', overview.series);
  for (let s = 0; s <= 120; s++)
    live.ingest(
      'r1',
      packSamples([
        [0, at(s), 100],
        [1, at(s), 90],
        [2, at(s), 10],
        [3, at(s), 25],
        [5, at(s), 212.4],
      ]),
    );
  return live;
}

test('four figures come first: worst headroom, throughput, power, busiest host', async () => {
  renderPage(
    <LiveBoard overview={testOverview()} source="live" live={filled()} profile={testProfile} />,
  );
  const figure = (label: string): HTMLElement =>
    screen.getByText(label, { selector: 'dt' }).parentElement!;
  expect(figure('Throughput')).toHaveTextContent(/^Throughput95\.0%of the reference$/);
  expect(figure('Power')).toHaveTextContent(/^Power212Wone meter$/);
  expect(figure('Busiest host CPU')).toHaveTextContent(/–not measured$/);
  await waitFor(() => {
    expect(figure('Worst headroom')).toHaveTextContent('−25 %tile 2 Database');
  });
});

test('a profile without limits has no headroom, and the board says why', async () => {
  renderPage(
    <LiveBoard
      overview={testOverview()}
      source="live"
      live={filled()}
      profile={{ ...testProfile, workloads: testProfile.workloads.map((w) => ({ ...w, qos: [] })) }}
    />,
  );
  await waitFor(() => {
    expect(screen.getByText('Worst headroom').parentElement).toHaveTextContent(
      '–the profile sets no limit',
    );
  });
});

test('the heat strip marks a broken limit by sign, mark and word, tiles in their order; a tile opens from it', async () => {
  renderPage(
    <LiveBoard overview={testOverview()} source="live" live={filled()} profile={testProfile} />,
  );
  const strip = screen.getByRole('table', { name: /QoS headroom now/ });
  await waitFor(() => {
    expect(within(strip).getByRole('cell', { name: '▼ −25 %' })).toHaveAttribute(
      'title',
      'Tile 2 Database: 25.00 ms of at most 20.00 ms, over the limit',
    );
  });
  await waitFor(() => {
    expect(
      within(strip)
        .getAllByRole('columnheader')
        .map((h) => h.textContent),
    ).toEqual(['T1', 'T2']);
  });
  await userEvent.click(within(strip).getByRole('button', { name: 'Open Tile 2' }));
  expect(screen.getByRole('heading', { name: 'Tile 2' })).toHaveFocus();
  expect(
    within(screen.getByRole('region', { name: 'Tile 2' }))
      .getAllByRole('region')
      .map((r) => r.getAttribute('aria-labelledby') !== null),
  ).toEqual([true, true]);
  const chart = screen.getByRole('region', { name: 'Database throughput tps' });
  expect(within(chart).getByRole('button', { name: /Tile 2/, pressed: true })).toBeInTheDocument();
});

test('groups narrow the charts; notes are asked for now', async () => {
  const asked: (number | null)[] = [];
  renderPage(
    <LiveBoard
      overview={testOverview()}
      source="live"
      live={filled()}
      profile={testProfile}
      onAddNote={(t) => asked.push(t)}
    />,
  );
  expect(screen.getAllByRole('heading', { level: 2 }).map((h) => h.textContent)).toEqual([
    'Overview',
    'Most interesting now',
    'Hosts',
    'Placement',
  ]);
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Charts' }), 'Latency');
  expect(screen.getAllByRole('heading', { level: 2 }).map((h) => h.textContent)).toEqual([
    'Overview',
    'Most interesting now',
    'Latency',
  ]);
  await userEvent.click(screen.getByRole('button', { name: 'Add note' }));
  expect(asked).toEqual([null]);
});

test('after the run the same board reads what is stored, once', async () => {
  const asked: number[][] = [];
  const ended = testOverview({ state: 'passed', endedAtMs: at(400), phases: [] });
  const load = async (ids: readonly number[]) => {
    asked.push([...ids]);
    return ids.map((seriesId) => ({
      seriesId,
      tMs: Float64Array.of(at(0), at(1)),
      value: Float64Array.of(1, 2),
    }));
  };
  renderPage(<LiveBoard overview={ended} source="stored" load={load} profile={testProfile} />);
  const chart = screen.getByRole('region', { name: 'Database throughput tps' });
  await waitFor(() => {
    expect(within(chart).getByRole('button', { name: /Tile 1/ })).toHaveTextContent('2.00');
  });
  expect(asked).toEqual([[0, 1, 2, 3, 4, 5]]);
  expect(screen.queryByRole('radio', { name: 'Following' })).toBeNull();
});

test('stored samples that cannot be read: every chart says so and offers to load again', async () => {
  let tries = 0;
  const load = () => {
    tries++;
    return Promise.reject(new Error('disk is gone'));
  };
  renderPage(
    <LiveBoard overview={testOverview({ state: 'failed' })} source="stored" load={load} />,
  );
  expect((await screen.findAllByRole('alert'))[0]).toHaveTextContent('disk is gone');
  await userEvent.click(screen.getAllByRole('button', { name: 'Load again' })[0]!);
  await waitFor(() => {
    expect(tries).toBe(2);
  });
});

test('a run without series says when they come', () => {
  renderPage(
    <LiveBoard
      overview={testOverview({ series: [], state: 'starting' })}
      source="live"
      live={createLiveSeries()}
    />,
  );
  expect(screen.getByText(/No series yet/)).toBeInTheDocument();
});

test('the key / finds a host; its measures open below, Escape closes them', async () => {
  const user = userEvent.setup();
  renderPage(
    <LiveBoard overview={testOverview()} source="live" live={filled()} profile={testProfile} />,
  );
  await user.keyboard('/');
  expect(screen.getByRole('combobox', { name: 'Find on the board' })).toHaveFocus();
  await user.keyboard('esx');
  // The host and its meter have one name; hosts come first.
  await user.click((await screen.findAllByRole('option', { name: 'esx-01', hidden: true }))[0]!);
  const focus = screen.getByRole('region', { name: 'esx-01' });
  expect(within(focus).getByRole('heading', { name: 'esx-01: Host CPU %' })).toHaveTextContent(
    'Host CPU',
  );
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('region', { name: 'esx-01' })).toBeNull();
});

test('Enter after a pasted name opens what is marked: it was lost once the list had opened', async () => {
  const user = userEvent.setup();
  renderPage(
    <LiveBoard overview={testOverview()} source="live" live={filled()} profile={testProfile} />,
  );
  await user.keyboard('/');
  await user.paste('esx-01');
  expect(await screen.findAllByRole('option', { hidden: true })).not.toHaveLength(0);
  await user.keyboard('{Enter}');
  expect(screen.getByRole('region', { name: 'esx-01' })).toBeInTheDocument();
  expect(screen.getByRole('combobox', { name: 'Find on the board' })).toHaveValue('');
});

test('hosts are bars, highest first, with source, period and last update; a bar opens its host', async () => {
  const live = filled();
  const overview = testOverview();
  const host = overview.series.find((one) => one.id === 4)!;
  const series = [
    ...overview.series,
    { ...host, id: 6, entity: { ...host.entity, id: 'h2', name: 'esx-02' } },
  ];
  live.define('r1', series);
  live.ingest(
    'r1',
    packSamples([
      [4, at(100), 96],
      [6, at(100), 50],
    ]),
  );
  renderPage(
    <LiveBoard
      overview={{ ...overview, series }}
      source="live"
      live={live}
      profile={testProfile}
    />,
  );
  const strip = screen.getByRole('region', { name: 'Host CPU, now' });
  expect(strip).toHaveTextContent('1 of 2 ≥ 82.0 %, median 73.0 %');
  expect(strip).toHaveTextContent('test, every 20 s last 1:40');
  within(strip)
    .getByRole('group', { name: /^Host CPU, now: 2 bars/ })
    .focus();
  await userEvent.keyboard('{ArrowRight}');
  expect(within(strip).getAllByText('esx-01: 96.0 %, very high').length).toBe(2);
  await userEvent.keyboard('{Enter}');
  expect(screen.getByRole('heading', { name: 'esx-01' })).toHaveFocus();
});

test('marks have one lane; the arrows go from mark to mark, the charts follow with their cursor, and a table has them all', async () => {
  const user = userEvent.setup();
  renderPage(
    <LiveBoard overview={testOverview()} source="live" live={filled()} profile={testProfile} />,
  );
  const panel = screen.getByRole('region', { name: 'What happened' });
  within(panel)
    .getByRole('group', { name: /^Marks;/ })
    .focus();
  await user.keyboard('{ArrowRight}');
  expect(panel).toHaveTextContent('1:10 · Note: Fan checked');
  await user.keyboard('{Enter}');
  expect(screen.getByRole('status', { name: 'View' })).toHaveTextContent(
    'Zoomed: 0:00 to 3:10, not following',
  );
  await user.click(screen.getByRole('button', { name: 'Follow' }));
  expect(screen.getByRole('status', { name: 'View' })).toHaveTextContent('Following');
  await user.click(within(panel).getByRole('button', { name: 'Actions for What happened' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Table' }));
  expect(
    within(screen.getByRole('table', { name: 'What happened' }))
      .getAllByRole('row')
      .map((r) => r.textContent),
  ).toEqual([
    'Time in runLaneKindWhat',
    '0:00PhasesRamp-upuntil 1:00',
    '1:00PhasesSteady stateuntil 6:00, as planned',
    '1:00PeriodsPeriod 1until 6:00',
    '1:10NotesNoteFan checked',
  ]);
});

test('pinned charts stand on top in the order given by keys, and are there again after a restart', async () => {
  const user = userEvent.setup();
  localStorage.clear();
  const live = filled();
  live.ingest('r1', packSamples([[4, at(100), 96]]));
  const board = () =>
    renderPage(
      <LiveBoard overview={testOverview()} source="live" live={live} profile={testProfile} />,
    );
  const first = board();
  expect(screen.queryByRole('region', { name: 'Pinned' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Pin Host CPU' }));
  await user.click(screen.getByRole('button', { name: 'Pin Power' }));
  const titles = () =>
    within(screen.getByRole('region', { name: 'Pinned' }))
      .getAllByRole('heading', { level: 3 })
      .map((h) => h.textContent);
  expect(titles()).toEqual(['Host CPU %', 'Power W']);
  screen.getByRole('button', { name: /^Move Power, place 2 of 2/ }).focus();
  await user.keyboard('{ArrowLeft}');
  expect(titles()).toEqual(['Power W', 'Host CPU %']);
  expect(screen.getByRole('button', { name: /^Move Power, place 1 of 2/ })).toHaveFocus();
  first.unmount();
  board();
  expect(titles()).toEqual(['Power W', 'Host CPU %']);
  await user.click(
    within(screen.getByRole('region', { name: 'Pinned' })).getByRole('button', {
      name: 'Pin Power',
    }),
  );
  expect(titles()).toEqual(['Host CPU %']);
  localStorage.setItem('tilebench.board', 'not json');
  act(() => {
    window.dispatchEvent(new StorageEvent('storage', { key: 'tilebench.board' }));
  });
  await waitFor(() => {
    expect(screen.queryByRole('region', { name: 'Pinned' })).toBeNull();
  });
});

test('a chart whose source says nothing is folded away by its name', async () => {
  renderPage(
    <LiveBoard
      overview={testOverview({ nowMs: at(240) })}
      source="live"
      live={filled()}
      profile={testProfile}
    />,
  );
  expect(await screen.findByText('Without samples: Host CPU')).toBeInTheDocument();
  expect(screen.queryByRole('slider', { name: 'Time cursor of Host CPU' })).toBeNull();
});

test('no source is called silent while what was measured before is still read', () => {
  const past = createLiveSeries();
  const board = (reading: boolean): ReturnType<typeof renderPage> =>
    renderPage(
      <LiveBoard
        overview={testOverview({ nowMs: at(240) })}
        source="live"
        live={past}
        reading={reading}
        profile={testProfile}
      />,
    );
  const first = board(true);
  expect(screen.getByRole('region', { name: 'Database throughput tps' })).toBeVisible();
  expect(screen.queryByText(/^Without samples/)).toBeNull();
  first.unmount();
  board(false);
  expect(screen.getByText(/^Without samples: .*Power/)).toBeVisible();
});

describe('several hosts', () => {
  const two = () => {
    const overview = testOverview();
    const places = ['esx-01', 'esx-02'];
    return {
      ...overview,
      workloads: overview.workloads.map((w) => ({ ...w, vmName: `vm${w.tile + 1}` })),
      placement: {
        hosts: places.map((name, i) => ({ ref: `h${i + 1}`, name })),
        vms: [0, 1].map((tile) => ({ ref: `v${tile}`, name: `vm${tile + 1}`, tile })),
        moves: [
          ...[0, 1].map((vm) => ({ tMs: at(0), vm, host: 0, by: 'start' as const })),
          { tMs: at(60), vm: 1, host: 1, by: 'drs' as const },
        ],
      },
    };
  };
  const stage = (): HTMLElement => screen.getByRole('region', { name: 'Hosts and their VMs' });
  const racks = (): HTMLElement => within(stage()).getByRole('group');

  test('stand on the first screen of a live run, with what is missing shown as missing', async () => {
    renderPage(<LiveBoard overview={two()} source="live" live={filled()} profile={testProfile} />);
    expect(racks()).toHaveAccessibleDescription(
      '2 VMs on 2 hosts, 2 under load. esx-01: CPU –, power 212 W, 1 VM. ' +
        'esx-02: CPU –, power –, 1 VM.',
    );
  });

  test('of a run that ended: a slider by keyboard, and the moves one by one, say where VMs were', async () => {
    const overview = { ...two(), state: 'passed' as const, endedAtMs: at(390), nowMs: at(390) };
    renderPage(
      <LiveBoard
        overview={{
          ...overview,
          phases: overview.phases.map((p) => ({ ...p, endMs: p.plannedEndMs })),
        }}
        source="stored"
        load={stored}
        profile={testProfile}
      />,
    );
    await waitFor(() => {
      expect(racks()).toHaveAccessibleDescription(/esx-01: .*, 1 VM\. esx-02: .*, 1 VM\./);
    });
    const slider = within(stage()).getByRole('slider');
    expect(slider).toHaveAttribute('aria-valuetext', '5:59');
    await userEvent.click(within(stage()).getByRole('button', { name: 'Move before' }));
    expect(slider).toHaveAttribute('aria-valuetext', '1:00');
    fireEvent.change(slider, { target: { value: String(at(30)) } });
    expect(racks()).toHaveAccessibleDescription(/esx-01: .*, 2 VMs\. esx-02: .*, 0 VMs\./);
  });

  test('one host alone has no such picture', () => {
    renderPage(
      <LiveBoard overview={testOverview()} source="live" live={filled()} profile={testProfile} />,
    );
    expect(screen.queryByRole('region', { name: 'Hosts and their VMs' })).not.toBeInTheDocument();
  });
});
const stored = (): Promise<readonly SeriesData[]> => Promise.resolve([]);

test('lost tiles are one line of the alerts, and what stops a run stands before a warning', () => {
  const overview = testOverview();
  const finding = (id: string, severity: 'warn' | 'block') => ({
    id,
    severity,
    text: `Found ${id}`,
    tMs: at(60),
  });
  renderPage(
    <LiveBoard
      overview={{
        ...overview,
        workloads: overview.workloads.map((w) => ({ ...w, state: 'lost' as const })),
        findings: [finding('slow', 'warn'), finding('gone', 'block')],
      }}
      source="live"
      live={filled()}
      profile={testProfile}
    />,
  );
  const slot = screen.getByRole('region', { name: 'Alerts' });
  expect(within(slot).getByRole('alert')).toHaveTextContent(
    'Tiles 1, 2 LOST: no sample of 2 workloads arrives',
  );
  expect(
    within(slot)
      .getAllByText(/^Found/)
      .map((node) => node.textContent),
  ).toEqual(['Found gone', 'Found slow']);
});
