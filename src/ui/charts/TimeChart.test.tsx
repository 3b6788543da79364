/** @jest-environment jsdom */
import '@testing-library/jest-dom';

import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

import { createSeriesRing } from '../engine/seriesRing.ts';
import { ChartMarkContext } from '../kit/mark.ts';
import { createChartGroup } from './group.ts';
import { testSeries } from './testing/lab.ts';
import { installChartDom, renderPage } from './testing/page.tsx';
import { TimeChart } from './TimeChart.tsx';

const pen = installChartDom();
beforeEach(() => {
  pen.clear();
});

const series = [
  testSeries('Tile 1', [
    [0, 10],
    [1_000, 1234.5],
    [2_000, 11],
  ]),
  testSeries('Tile 2', [
    [0, 20],
    [1_000, 21],
    [2_000, 22],
  ]),
];
const plot = (): HTMLElement =>
  screen.getByRole('slider', { name: 'Time cursor of Database throughput' });

test('title, unit, legend with last values, axes by the frame, lines on the canvas', async () => {
  renderPage(
    <TimeChart title="Database throughput" unit="tps" series={series} originMs={1_000_000} />,
  );
  expect(screen.getByRole('region', { name: 'Database throughput tps' })).toBeInTheDocument();
  await waitFor(() => {
    expect(screen.getByRole('button', { name: /Tile 1/ })).toHaveTextContent('11.0');
  });
  expect(screen.getByRole('button', { name: /Tile 2/ })).toHaveTextContent('22.0');
  expect(pen.count('stroke')).toBeGreaterThanOrEqual(2);
  expect(screen.getAllByText('0:02', { selector: 'tspan' })).toHaveLength(1);
  expect(screen.getAllByText('1.5k', { selector: 'tspan' })).toHaveLength(1);
});

test('no series: says what will be here', () => {
  renderPage(<TimeChart title="Database throughput" unit="tps" series={[]} />);
  expect(
    screen.getByText('No series. Samples appear here once a source delivers them.'),
  ).toBeVisible();
});

test('series without a sample wait; the first sample ends it', async () => {
  const ring = createSeriesRing(1_000);
  let arrived: () => void = () => undefined;
  const lines = [testSeries('Tile 1', [], { source: ring })];
  const { container } = renderPage(
    <TimeChart
      title="Database throughput"
      unit="tps"
      series={lines}
      originMs={1_000_000}
      nowMs={() => 1_001_000}
      feed={(listener) => {
        arrived = listener;
        return () => undefined;
      }}
    />,
  );
  const chart = container.querySelector('section')!;
  await waitFor(() => {
    expect(chart).toHaveAttribute('data-empty');
  });
  ring.push(1_001_000, 5);
  act(() => {
    arrived();
  });
  await waitFor(() => {
    expect(pen.count('stroke')).toBeGreaterThan(0);
  });
});

test('a stale series says so in legend and badge', async () => {
  renderPage(
    <TimeChart
      title="Database throughput"
      unit="tps"
      series={series}
      originMs={1_000_000}
      nowMs={() => 1_014_000}
    />,
  );
  await waitFor(() => {
    expect(screen.getByRole('button', { name: /Tile 1/ })).toHaveTextContent('11.0 stale 12 s');
  });
  expect(screen.getByText('Stale 12 s')).toBeInTheDocument();
});

test('error says what and what to do, and loads again', async () => {
  let again = 0;
  renderPage(
    <TimeChart
      title="Database throughput"
      unit="tps"
      series={series}
      error={{ message: 'Samples of run r1 could not be read.', hint: 'Check the engine log.' }}
      onRetry={() => again++}
    />,
  );
  expect(screen.getByRole('alert')).toHaveTextContent(
    'Samples of run r1 could not be read.Check the engine log.',
  );
  await userEvent.click(screen.getByRole('button', { name: 'Load again' }));
  expect(again).toBe(1);
});

test('loading has a name; partial names what is not there', () => {
  renderPage(
    <TimeChart
      title="Database throughput"
      unit="tps"
      series={series}
      loading
      missing={['esx-03', 'esx-04', 'esx-05']}
    />,
  );
  expect(screen.getByRole('status')).toHaveTextContent('Loading Database throughput');
  expect(screen.getByText('Partial: no esx-03, esx-04 and 1 more')).toBeInTheDocument();
});

test('keyboard: arrows move the cursor over samples and are spoken, Enter enlarges', async () => {
  renderPage(
    <TimeChart title="Database throughput" unit="tps" series={series} originMs={1_000_000} />,
  );
  plot().focus();
  await userEvent.keyboard('{Home}{ArrowRight}');
  expect(screen.getByText('0:01. Tile 1 1 234.5 tps. Tile 2 21.0 tps')).toBeInTheDocument();
  await waitFor(() => {
    expect(plot()).toHaveAttribute('aria-valuetext', '0:01');
  });
  await userEvent.keyboard('{End}');
  expect(screen.getByText('0:02. Tile 1 11.0 tps. Tile 2 22.0 tps')).toBeInTheDocument();
  await userEvent.keyboard('{Enter}');
  expect(
    await screen.findByRole('dialog', { name: 'Database throughput, tps' }),
  ).toBeInTheDocument();
});

test('the table shows exact values under units', async () => {
  renderPage(
    <TimeChart title="Database throughput" unit="tps" series={series} originMs={1_000_000} />,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Actions for Database throughput' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Table' }));
  const table = await screen.findByRole('table', { name: 'Database throughput' });
  expect(within(table).getByRole('columnheader', { name: 'Tile 1 (tps)' })).toBeInTheDocument();
  expect(await within(table).findByRole('cell', { name: '1 234.5' })).toBeInTheDocument();
});

test('the text summary is in words', async () => {
  renderPage(
    <TimeChart title="Database throughput" unit="tps" series={series} originMs={1_000_000} />,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Actions for Database throughput' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Text summary' }));
  expect(
    await screen.findByText('Tile 2: last 22.0, mean 21.0, min 20.0, max 22.0 tps.'),
  ).toBeInTheDocument();
});

test('drag zooms every chart of the group, double click resets', async () => {
  const group = createChartGroup();
  renderPage(
    <TimeChart
      title="Database throughput"
      unit="tps"
      series={[
        testSeries(
          'Tile 1',
          Array.from({ length: 61 }, (_, s) => [s * 1_000, s] as const),
        ),
      ]}
      group={group}
      originMs={1_000_000}
    />,
  );
  await waitFor(() => {
    expect(pen.count('stroke')).toBeGreaterThan(0);
  });
  plot().setPointerCapture = () => undefined;
  fireEvent.pointerDown(plot(), { button: 0, clientX: 56 + 100, pointerId: 1 });
  fireEvent.pointerMove(plot(), { clientX: 56 + 300, pointerId: 1 });
  fireEvent.pointerUp(plot(), { clientX: 56 + 300, pointerId: 1 });
  expect(group.get().zoom).toEqual([10_000, 30_000]);
  expect(screen.getByRole('button', { name: 'Reset zoom' })).toBeInTheDocument();
  fireEvent.doubleClick(plot());
  expect(group.get().zoom).toBeNull();
});

test('past eight series one is chosen from a list and the rest is told as a spread', async () => {
  const many = Array.from({ length: 12 }, (_, i) => testSeries(`Tile ${i + 1}`, [[0, i + 1]]));
  const group = createChartGroup();
  renderPage(
    <TimeChart
      title="Database throughput"
      unit="tps"
      series={many}
      group={group}
      originMs={1_000_000}
    />,
  );
  await waitFor(() => {
    expect(screen.getByText('min 1.00 · median 6.50 · max 12.0')).toBeInTheDocument();
  });
  await userEvent.selectOptions(
    screen.getByRole('combobox', { name: 'Highlighted series of Database throughput' }),
    'Tile 7',
  );
  expect(group.get().highlight).toBe('Tile 7');
});

test('a mark is in what leaves a chart, its copy and summary, and not on the chart', async () => {
  const user = userEvent.setup();
  const copied: string[] = [];
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: {
      writeText: async (text: string) => {
        copied.push(text);
      },
    },
  });
  renderPage(
    <ChartMarkContext value="SIMULATED, REPLAY">
      <TimeChart title="Database throughput" unit="tps" series={series} originMs={1_000_000} />
    </ChartMarkContext>,
  );
  const chart = screen.getByRole('region', { name: 'Database throughput tps' });
  expect(within(chart).queryByText('SIMULATED, REPLAY')).toBeNull();
  await user.click(within(chart).getByRole('button', { name: /^Actions for/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Copy' }));
  expect(copied[0]!.split('\n')[0]).toBe(
    'elapsed\tclock\tTile 1 (tps, SIMULATED, REPLAY)\tTile 2 (tps, SIMULATED, REPLAY)',
  );
  await user.click(within(chart).getByRole('button', { name: /^Actions for/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Text summary' }));
  expect(await screen.findByText(/^Database throughput, SIMULATED, REPLAY, tps,/)).toBeVisible();
});

test('a picture is drawn as it will be saved: size and theme by choice, its mark in it, what it shows in words', async () => {
  renderPage(
    <ChartMarkContext value="SIMULATED">
      <TimeChart title="Database throughput" unit="tps" series={series} originMs={1_000_000} />
    </ChartMarkContext>,
  );
  await waitFor(() => {
    expect(screen.getByRole('button', { name: /Tile 1/ })).toHaveTextContent('11.0');
  });
  await userEvent.click(screen.getByRole('button', { name: 'Actions for Database throughput' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Save picture…' }));
  const picture = await screen.findByRole('img', { name: /^Database throughput/ });
  const drawn = (): string => decodeURIComponent(picture.getAttribute('src')!);
  expect(drawn()).toContain('Database throughput (tps), SIMULATED');
  expect(drawn()).toContain('width="1000"');
  expect(drawn().match(/<path /g)).toHaveLength(2);
  const width = screen.getByRole('textbox', { name: 'Width (px)' });
  await userEvent.clear(width);
  await userEvent.type(width, '640');
  expect(drawn()).toContain('width="640"');
});
