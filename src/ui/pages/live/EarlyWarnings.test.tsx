/** @jest-environment jsdom */
import '@testing-library/jest-dom';

import { screen, within } from '@testing-library/react';

import { warningText } from '../../../core/limits/earlyWarning.ts';
import { packSamples } from '../../../core/metric/metric.ts';
import { installChartDom, renderPage } from '../../charts/testing/page.tsx';
import { createLiveSeries } from '../../engine/liveSeries.ts';
import { storedSource } from '../../engine/series.ts';
import { boardWarnings } from './headroom.ts';
import { LiveBoard } from './LiveBoard.tsx';
import { testOverview, testProfile, testStartMs } from './testing/overview.ts';

installChartDom();
const at = (s: number): number => testStartMs + s * 1_000;
const seconds = Array.from({ length: 121 }, (_, s) => s);

test('a limit that will be missed at the present trend is said in words beside the strip', async () => {
  const live = createLiveSeries();
  const overview = testOverview();
  live.define('r1', overview.series);
  // Tile 1 stays at 10 ms; tile 2 rises by 0.1 ms a second from 10 ms at the start of the period:
  // still kept at 120 s.
  for (const s of seconds)
    live.ingest(
      'r1',
      packSamples([
        [2, at(s), 10],
        [3, at(s), 10 + Math.max(0, s - 60) / 10],
      ]),
    );
  renderPage(<LiveBoard overview={overview} source="live" live={live} profile={testProfile} />);
  const status = screen.getByRole('status', { name: 'Early warning' });
  expect(
    await within(status).findByText(
      /^Tile 2 Database, 95th percentile latency, limit ≤ 20\.0 ms: will be missed in this period at the present trend; mean 1[23]\.\d ms so far, 2[45]\.\d ms at the end\.$/,
    ),
  ).toBeVisible();
  expect(within(status).queryByText(/Tile 1/)).toBeNull();
});

test('no period, no profile, or an ended run: nothing is warned of', () => {
  const rising = storedSource(
    { tMs: Float64Array.from(seconds, at), value: Float64Array.from(seconds) },
    1_000,
  );
  const source = () => rising;
  expect(boardWarnings(testOverview(), testProfile, source, at(120))).toHaveLength(2);
  expect(boardWarnings(testOverview(), testProfile, source, at(400))).toEqual([]);
  expect(boardWarnings(testOverview(), null, source, at(120))).toEqual([]);
  expect(boardWarnings(testOverview({ state: 'passed' }), testProfile, source, at(120))).toEqual(
    [],
  );
});

test('a limit that no value can keep any more', () => {
  const high = storedSource(
    { tMs: Float64Array.from(seconds, at), value: Float64Array.from(seconds, () => 200) },
    1_000,
  );
  expect(warningText(boardWarnings(testOverview(), testProfile, () => high, at(120))[0]!)).toBe(
    'Tile 1 Database, 95th percentile latency, limit ≤ 20.0 ms: missed in period 1, no value from now on can keep it; mean 200 ms so far, 200 ms at the end.',
  );
});
