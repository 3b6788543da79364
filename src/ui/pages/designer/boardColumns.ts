import { counted } from '../../../core/base/counted.ts';
import type { Forecast, ForecastRow } from '../../../core/layout/layoutTypes.ts';
import type { LayoutDatastore, LayoutHost, LayoutView } from '../../../core/testbed/layoutModel.ts';
import type { BoardColumn } from './BoardHead.tsx';
import { type ColumnFilter, shownColumns } from './filter.ts';
import { type Axis, axisWords, nowhere } from './geometry.ts';

/**
 * Columns of a board with their figures, and first the one of VMs without a place where there are
 * such. Columns that did not change keep their identity.
 */
export function boardColumns(
  view: LayoutView,
  forecast: Forecast,
  axis: Axis,
  filter: ColumnFilter,
  previous: ReadonlyMap<string, BoardColumn> = new Map(),
): BoardColumn[] {
  const rows = new Map(
    (axis === 'host' ? forecast.hosts : forecast.datastores).map((row) => [row.ref, row]),
  );
  const made =
    axis === 'host'
      ? shownColumns(view.hosts, filter).map((host) => hostColumn(host, rows.get(host.ref)))
      : shownColumns(view.datastores, filter).map((store) =>
          storeColumn(store, rows.get(store.ref)),
        );
  const homeless = view.unplaced[axis].length;
  const all =
    homeless === 0
      ? made
      : [
          {
            ref: nowhere,
            name: axisWords[axis].none,
            vmCount: homeless,
            figures: [],
            mark: null,
            title: `VMs without a ${axisWords[axis].one}. A drop here takes the plan back.`,
          },
          ...made,
        ];
  return all.map((column) => {
    const was = previous.get(column.ref);
    return was && same(was, column) ? was : column;
  });
}

const pickFigures = (
  row: ForecastRow | undefined,
  ids: readonly string[],
): BoardColumn['figures'] =>
  ids.flatMap((id) => row?.figures.find((figure) => figure.id === id) ?? []);

function hostColumn(host: LayoutHost, row: ForecastRow | undefined): BoardColumn {
  const facts = [
    host.name,
    host.info?.model,
    host.clusterName === null ? null : `cluster ${host.clusterName}`,
    host.cores === null ? null : counted(host.cores, 'core'),
    counted(host.vms.length, 'VM'),
  ];
  const mark = host.maintenance
    ? 'maintenance'
    : host.connected === false
      ? 'not connected'
      : host.info === null
        ? 'not discovered'
        : null;
  return {
    ref: host.ref,
    name: host.name,
    vmCount: host.vms.length,
    figures: pickFigures(row, ['vcpu', 'memory']),
    mark,
    title: facts.filter(Boolean).join('\n'),
  };
}

function storeColumn(store: LayoutDatastore, row: ForecastRow | undefined): BoardColumn {
  const facts = [
    store.name,
    store.lunCount === null ? null : counted(store.lunCount, 'LUN'),
    store.queueDepth === null ? 'queue depth not read' : `queue depth ${store.queueDepth} a host`,
    'spindles: vCenter does not tell them',
    counted(store.vms.length, 'VM'),
  ];
  const mark = store.maintenance
    ? 'maintenance'
    : store.accessible === false
      ? 'not accessible'
      : store.info === null
        ? 'not discovered'
        : null;
  return {
    ref: store.ref,
    name: store.name,
    vmCount: store.vms.length,
    figures: pickFigures(row, ['space', 'commands']),
    mark,
    title: facts.filter((one) => one !== null).join('\n'),
  };
}

const same = (a: BoardColumn, b: BoardColumn): boolean =>
  a.name === b.name &&
  a.vmCount === b.vmCount &&
  a.mark === b.mark &&
  a.title === b.title &&
  a.figures.length === b.figures.length &&
  a.figures.every((figure, i) => {
    const other = b.figures[i]!;
    return (
      figure.value === other.value &&
      figure.limit === other.limit &&
      figure.level === other.level &&
      figure.missingParts === other.missingParts
    );
  });
