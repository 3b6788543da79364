import { type DemoRun, demoRun, type RunSpec } from '../../ui/pages/runs/testing/records.ts';
import { meanPower, type RunAggregates, scorePerKilowatt, type SeriesAggregate } from './index.ts';

const run = (id: string, more: Partial<RunSpec> = {}): DemoRun =>
  demoRun({ id, name: `Run ${id}`, planHash: `hash-${id}`, ...more });

describe('power', () => {
  const series = (
    id: number,
    source: string,
    periodMs: number,
    watts: number | null,
  ): SeriesAggregate => ({
    def: {
      id,
      metric: 'powerW',
      entity: { kind: 'power', id: `p${id}`, name: `p${id}` },
      unit: 'W',
      source,
      periodMs,
      decimals: 0,
      lagMs: 0,
    },
    steady: watts === null ? null : { count: 10, mean: watts, min: watts, max: watts },
    periods: [],
  });
  const of = (...list: SeriesAggregate[]): RunAggregates => ({ steadyS: 180, series: list });
  test('sources are never added up; a meter speaks before the hypervisor', () => {
    expect(
      meanPower(
        of(
          series(0, 'vCenter vc1', 20_000, 200),
          series(1, 'vCenter vc1', 20_000, 210),
          series(2, 'NUT rack1', 30_000, 460),
        ),
      ),
    ).toEqual({ watts: 460, source: 'NUT rack1', periodMs: 30_000 });
    expect(
      meanPower(of(series(0, 'vCenter vc1', 20_000, 200), series(1, 'vCenter vc1', 20_000, 210)))!
        .watts,
    ).toBe(410);
  });
  test('half a source is no source', () =>
    expect(
      meanPower(of(series(0, 'vCenter vc1', 20_000, 200), series(1, 'vCenter vc1', 20_000, null))),
    ).toBeNull());
  test('no efficiency over an interval shorter than the period of the source', () => {
    const a = run('a');
    const with_ = (periodMs: number) =>
      scorePerKilowatt({ ...a, aggregates: of(series(0, 'NUT rack1', periodMs, 500)) });
    expect(with_(60_000)).toBeCloseTo(a.summary.score! / 0.5, 9);
    expect(with_(61_000)).toBeNull();
  });
});
