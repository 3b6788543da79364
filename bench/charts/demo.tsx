import '@mantine/core/styles.css';

import { MantineProvider } from '@mantine/core';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

import type { SeriesData } from '../../src/core/metric/metric.ts';
import { createLiveSeries } from '../../src/ui/engine/liveSeries.ts';
import { LiveBoard } from '../../src/ui/pages/live/LiveBoard.tsx';
import { demoProfile, demoRun } from './demoRun.ts';
import { randomSource, startMs } from './feed.ts';

/** The live board over made-up data, to be looked at: `?tiles=4&scheme=dark&stored=1`. */
const query = new URLSearchParams(location.search);
const tiles = Number(query.get('tiles') ?? 4);
const stored = query.has('stored');
const from = 720;
const { overview, series } = demoRun(tiles, 4, from);
const random = randomSource(11);
const live = createLiveSeries();
live.define('r1', overview.series);
const kept = series.map(() => ({ t: [] as number[], v: [] as number[] }));

function second(s: number): void {
  const batch: number[] = [];
  series.forEach(({ def, value }, i) => {
    const v = value(s, random);
    if (v === null) return;
    const rounded = Number(v.toFixed(def.decimals));
    batch.push(def.id, startMs + s * 1_000, rounded);
    kept[i]!.t.push(startMs + s * 1_000);
    kept[i]!.v.push(rounded);
  });
  live.ingest('r1', Float64Array.from(batch));
}
for (let s = 0; s <= from; s++) second(s);

const load = async (ids: readonly number[]): Promise<SeriesData[]> =>
  ids.map((id) => ({
    seriesId: id,
    tMs: Float64Array.from(kept[id]!.t),
    value: Float64Array.from(kept[id]!.v),
  }));

function Demo() {
  const [note, setNote] = useState('');
  return (
    <MantineProvider forceColorScheme={query.get('scheme') === 'dark' ? 'dark' : 'light'}>
      <main style={{ padding: 12 }}>
        <LiveBoard
          overview={overview}
          {...(stored ? { source: 'stored', load } : { source: 'live', live })}
          profile={demoProfile}
          onAddNote={(at) => {
            setNote(String(at));
          }}
        />
        <p hidden={note === ''}>{note}</p>
      </main>
    </MantineProvider>
  );
}
createRoot(document.getElementById('root')!).render(<Demo />);
if (!stored) {
  let s = from;
  setInterval(() => {
    second(++s);
  }, 1_000);
}
