import type { SeriesDef } from '../../../../src/core/metric/metric.ts';
import { uplinkEntityId } from '../../../../src/core/metric/metric.ts';
import type { CheckFinding } from '../../../../src/core/plan/plan.ts';
import type { Inventory } from '../../../../src/core/testbed/inventory.ts';
import { isMetered } from '../../../../src/core/testbed/powerSources.ts';
import type { PerfSeries } from '../../deps/vcenter.ts';
import { vcenterCounter } from '../../power/meterFacts.ts';
import { watchedProviders } from '../../runs/series.ts';
import { seriesOf } from '../../runs/sources/index.ts';
import { type CheckContext, defineCheck } from './types.ts';
import { vcenterName } from './vcenterChecks.ts';

/** A series that got no point within this time gets none in the run either. */
const lookBackMs = 300_000;
/**
 * Counters that exist only where somebody set something: a host without a power limit gives none.
 */
const optional: ReadonlySet<string> = new Set(['powerCapW']);
/** Names told one by one. */
const namesTold = 12;

/** Ids of what vCenter gave points for, as the run's series name their entities. */
function answering(perf: readonly PerfSeries[], powerIds: readonly string[]): Set<string> {
  const key = (entityId: string, metric: string): string => `${entityId} ${metric}`;
  return new Set(
    perf
      .filter((one) => one.points.length > 0)
      .flatMap((one) =>
        one.metric === 'powerW'
          ? powerIds.map((id) => key(`${id}.${one.ref}`, 'powerW'))
          : [
              key(
                one.instance === undefined ? one.ref : uplinkEntityId(one.ref, one.instance),
                one.metric,
              ),
            ],
      ),
  );
}

/** Series that the run will chart from vCenter and that got no points, by kind and metric. */
export function silentSeries(
  series: readonly SeriesDef[],
  perf: readonly PerfSeries[],
  powerIds: readonly string[],
): {
  kind: SeriesDef['entity']['kind'];
  metric: SeriesDef['metric'];
  names: string[];
  of: number;
}[] {
  const live = answering(perf, powerIds);
  const groups = new Map<
    string,
    { kind: SeriesDef['entity']['kind']; metric: SeriesDef['metric']; names: string[]; of: number }
  >();
  for (const { entity, metric } of series) {
    if (optional.has(metric)) continue;
    const group = groups.get(`${entity.kind} ${metric}`) ?? {
      kind: entity.kind,
      metric,
      names: [],
      of: 0,
    };
    groups.set(`${entity.kind} ${metric}`, group);
    group.of += 1;
    if (!live.has(`${entity.id} ${metric}`)) group.names.push(entity.name);
  }
  return [...groups.values()].filter((group) => group.names.length > 0);
}

/**
 * What the run itself will ask vCenter for: hosts and datastores that can answer, with the series
 * of their charts.
 */
async function wantedSeries(
  context: CheckContext,
  inventory: Inventory,
  signal: AbortSignal,
): Promise<{
  series: SeriesDef[];
  hosts: Inventory['hosts'];
  datastores: Inventory['datastores'];
  uplinks: number;
}> {
  const { inputs, units, world } = context;
  const { hosts, datastores } = watchedProviders(units, inventory);
  const up = hosts.filter((host) => host.connectionState === 'connected');
  const open = datastores.filter((store) => store.accessible);
  const uplinks =
    up.length === 0
      ? []
      : await (
          await world.session()
        ).uplinks(
          up.map((host) => host.ref),
          signal,
        );
  // Meters are asked by a check of their own.
  const powers = inputs.connections.flatMap((connection) =>
    connection.kind === 'power' && !isMetered(connection.source)
      ? [{ connection, ...vcenterCounter }]
      : [],
  );
  const all = seriesOf({
    plan: inputs.plan,
    testbed: inputs.testbed,
    units,
    inventory,
    uplinks,
    connections: inputs.connections,
    powers,
  });
  const refs = new Set([
    ...up.map((host) => host.ref),
    ...open.map((store) => store.ref),
    ...uplinks.map((one) => uplinkEntityId(one.hostRef, one.device)),
    ...powers.flatMap(({ connection }) => up.map((host) => `${connection.id}.${host.ref}`)),
  ]);
  return {
    series: all.filter((def) => refs.has(def.entity.id)),
    hosts: up,
    datastores: open,
    uplinks: uplinks.length,
  };
}

/** The dry run: the run's own questions, asked of the minutes just past. */
export const telemetryAnswers = defineCheck({
  id: 'telemetry.series',
  title: 'Every chart from vCenter gets points',
  needs: 'vcenter',
  async run(context, signal) {
    const inventory = await context.world.inventory();
    const session = await context.world.session();
    const { series, hosts, datastores, uplinks } = await wantedSeries(context, inventory, signal);
    if (series.length === 0) return [];
    const { offsetMs } = await session.clockOffset(signal);
    const providers = [
      ...hosts.map((host) => ({ kind: 'host' as const, ref: host.ref })),
      ...datastores.map((store) => ({ kind: 'datastore' as const, ref: store.ref })),
    ];
    const perf = await session.perf(
      providers,
      context.deps.clock.now() + offsetMs - lookBackMs,
      signal,
    );
    const silent = silentSeries(series, perf, context.inputs.testbed.powerIds);
    const source = `${vcenterName(context)}, counters of the last 5 minutes`;
    const missing = silent.reduce((sum, group) => sum + group.names.length, 0);
    return [
      ...silent.map(({ kind, metric, names, of }): CheckFinding => ({
        id: 'telemetry.silent',
        severity: 'warn',
        title: `No points: ${metric} of ${kind}s`,
        subject: `${kind} ${metric}`,
        source,
        evidence:
          `${names.length} of ${of} would stay empty: ` +
          `${names.slice(0, namesTold).join(', ')}${names.length > namesTold ? ` and ${names.length - namesTold} more` : ''}`,
        fix:
          'Check that the hosts are connected and that their real-time statistics are ' +
          'collected; or accept that these charts stay empty.',
      })),
      ...(uplinks === 0
        ? [
            {
              id: 'telemetry.uplinks',
              severity: 'info' as const,
              title: 'Uplinks',
              subject: 'uplinks',
              source,
              evidence:
                'vCenter counts no adapter on its own: charts show the network of each host as a whole',
            },
          ]
        : []),
      {
        id: 'telemetry.series',
        severity: missing > 0 ? 'info' : 'ok',
        title: 'Charts from vCenter',
        subject: 'charts',
        source,
        evidence:
          `${series.length - missing} of ${series.length} series of ${hosts.length} hosts and ` +
          `${datastores.length} datastores got points`,
      },
    ];
  },
});
