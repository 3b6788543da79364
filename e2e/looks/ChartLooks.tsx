import { Paper, SimpleGrid, Title } from '@mantine/core';

import { seriesColors, tileStyle } from '../../src/core/chart/palette.ts';
import type { StageScene } from '../../src/core/chart/stage/scene.ts';
import type { XyInput } from '../../src/core/chart/xyModel.ts';
import { HeatStrip } from '../../src/ui/charts/HeatStrip.tsx';
import { Stage } from '../../src/ui/charts/stage/Stage.tsx';
import { TimeChart } from '../../src/ui/charts/TimeChart.tsx';
import { XyChart } from '../../src/ui/charts/xy/XyChart.tsx';
import { type ChartSeries, storedSource } from '../../src/ui/engine/series.ts';

const seconds = 120;
const line = (tile: number): ChartSeries => ({
  key: `tile${tile}`,
  label: `Tile ${tile + 1}`,
  unit: 'tps',
  ...tileStyle(tile),
  source: storedSource(
    {
      tMs: Float64Array.from({ length: seconds }, (_, s) => s * 1_000),
      value: Float64Array.from(
        { length: seconds },
        (_, s) => 100 + 12 * tile + 20 * Math.sin(s / 7 + tile) + (s > 80 ? -30 : 0),
      ),
    },
    1_000,
  ),
  originMs: 0,
  periodMs: 1_000,
  lagMs: 0,
  decimals: 1,
});
const few = [0, 1].map(line);
const many = Array.from({ length: 12 }, (_, tile) => line(tile));
const phases = [
  { name: 'rampUp' as const, fromMs: 0, toMs: 20_000 },
  { name: 'steady' as const, fromMs: 20_000, toMs: 110_000 },
  { name: 'rampDown' as const, fromMs: 110_000, toMs: 120_000 },
];
const events = [
  { id: 1, atMs: 30_000, kind: 'vm', text: 'vMotion of web1', by: 'drs' as const },
  { id: 2, atMs: 50_000, untilMs: 62_000, kind: 'clock', text: 'This computer slept for 12 s' },
  { id: 3, atMs: 80_000, kind: 'fault', text: 'No answer from client2', flag: true as const },
];
const periods = [0, 1, 2].map((at) => ({
  label: `Period ${at + 1}`,
  fromMs: 20_000 + at * 30_000,
  toMs: 50_000 + at * 30_000,
  over: at === 2,
}));

const curve = (key: string, at: number, knee: number, published: boolean) => ({
  key,
  label: key,
  color: seriesColors[at]!,
  dash: [],
  shape: 'circle' as const,
  published,
  points: Array.from({ length: 10 }, (_, i) => ({
    key: `${key}${i}`,
    x: i + 1,
    y: Math.min(i + 1, knee) * 100,
    low: published ? null : Math.min(i + 1, knee) * 100 - 20,
    high: published ? null : Math.min(i + 1, knee) * 100 + 20,
    flaw: i === 9 && !published ? { word: 'over a limit' } : null,
    lines: [`${i + 1} tiles`],
    open: null,
  })),
});
const xy: XyInput = {
  series: [curve('as measured', 0, 7, false), curve('published', 1, 8, true)],
  bands: [{ key: 'knee', from: 6.5, to: 7.5, label: 'knee' }],
  marks: [{ key: 'end', at: 9, label: 'first limit broken' }],
  categories: null,
  fromZero: true,
};

const roles = ['Mail', 'Java', 'Web', 'Database', 'File server', 'Standby'];
const scene: StageScene = {
  hosts: [0, 1, 2].map((at) => ({
    ref: `host-${at}`,
    name: `esx${at + 1}`,
    vms: 6,
    cpuPct: { value: [35, 88, null][at]!, staleMs: 0 },
    watts: { value: [212, 298, null][at]!, staleMs: 0 },
  })),
  vms: Array.from({ length: 18 }, (_, at) => ({
    ref: `vm-${at}`,
    name: `t${Math.floor(at / 6) + 1}-${at % 6}`,
    tile: Math.floor(at / 6),
    role: at % 6,
    state: at === 7 ? ('lost' as const) : at === 9 ? ('idle' as const) : ('load' as const),
    host: at % 3,
    slot: Math.floor(at / 3),
  })),
  roles: roles.map((name, ordinal) => ({ id: name, name, letter: name[0]!, ordinal })),
  capacity: 8,
  placed: true,
  power: { watts: 510, known: 2, meters: 3 },
};

const headroom = [72, 15, -8, null];

/** Charts with all they may wear: phases, periods, limits, events, flags; empty, waiting, failed. */
export const ChartLooks = () => (
  <Paper component="section" p="md">
    <Title order={2}>Charts</Title>
    <SimpleGrid cols={2} mt="sm">
      <TimeChart
        title="Database throughput"
        unit="tps"
        series={few}
        phases={phases}
        events={events}
        limits={[{ kind: 'max', value: 130, label: 'QoS ≤ 130 tps' }]}
        height={220}
      />
      <TimeChart
        title="All tiles"
        unit="tps"
        series={many}
        periods={periods}
        height={220}
        missing={['Tile 13 Database']}
      />
      <TimeChart title="Nothing yet" unit="ms" series={[]} height={120} />
      <TimeChart
        title="Cannot be read"
        unit="ms"
        series={[]}
        height={120}
        error={{ message: 'The database is damaged.', hint: 'Restore a copy.' }}
        onRetry={() => undefined}
      />
      <XyChart
        title="Throughput by tiles"
        unit="tps"
        xLabel="Tiles"
        xUnit=""
        decimals={1}
        input={xy}
        height={260}
        onOpen={() => undefined}
        onSave={() => undefined}
        emptyText="No point is measured."
      />
      <HeatStrip
        title="QoS headroom"
        rows={roles.slice(0, 4).map((name) => ({ id: name, label: name }))}
        columns={headroom.map((_, at) => ({ id: String(at), label: `T${at + 1}` }))}
        cell={(row, column) => ({
          pct: headroom[(Number(column) + row.length) % headroom.length]!,
          detail: 'of the limit',
        })}
      />
    </SimpleGrid>
    <Stage scene={scene} height={260} />
  </Paper>
);
