import { byNaturalOrder } from '../base/naturalOrder.ts';
import { parameterLabel } from '../base/parameterLabel.ts';
import type { RunRecord } from '../run/run.ts';
import { notRecorded, type SetupDifference } from './setupRows.ts';

type Planned = Pick<RunRecord, 'plan' | 'profile' | 'testbed'>;

/** More kinds of difference of one parameter over the tiles than these are told as one row. */
const rowsAtMost = 3;
/** More tiles than these are counted. */
const tilesNamed = 4;
/** Parameters that name the machine under load: which one it is, placement tells. */
const namesMachine = /^(host|hosts|target|address|server|url)$/i;

/**
 * The parameter of a workload in effect on one tile, as its driver is told: the plan's, else the
 * tile's own, else the profile's. `default` where nobody sets it: the driver's own. null = the run
 * has no such workload.
 */
export function parameterInEffect(
  { plan, profile, testbed }: Planned,
  workloadId: string,
  tile: number | null,
  name: string,
): string | null {
  const workload = profile.workloads.find(({ id }) => id === workloadId);
  if (workload === undefined) return null;
  const own = testbed.tiles
    .find(({ index }) => index === tile)
    ?.workloads.find((one) => one.workloadId === workloadId)?.params;
  return String(
    plan.overrides[workloadId]?.[name] ?? own?.[name] ?? workload.params[name] ?? 'default',
  );
}

/** Every parameter that any of the runs sets of a workload. */
function namesOf(records: readonly Planned[], workloadId: string): string[] {
  const sets = records.flatMap(({ plan, profile, testbed }) => [
    profile.workloads.find(({ id }) => id === workloadId)?.params ?? {},
    plan.overrides[workloadId] ?? {},
    ...testbed.tiles
      .slice(0, plan.tiles)
      .flatMap(({ workloads }) => workloads)
      .filter((one) => one.workloadId === workloadId)
      .map(({ params }) => params),
  ]);
  return [...new Set(sets.flatMap((set) => Object.keys(set)))].sort(byNaturalOrder);
}

/** Tiles that all runs loaded; one without a number where there is none. */
function tilesOfAll(records: readonly Planned[]): (number | null)[] {
  const [first = [], ...rest] = records.map(({ plan, testbed }) =>
    testbed.tiles.slice(0, plan.tiles).map(({ index }) => index),
  );
  const common = first.filter((index) => rest.every((tiles) => tiles.includes(index)));
  return common.length === 0 ? [null] : common;
}

function tileWords(tiles: readonly (number | null)[]): string {
  const numbers = tiles.map((tile) => String((tile ?? 0) + 1));
  if (numbers.length > tilesNamed) return `${numbers.length} tiles`;
  return numbers.length === 1
    ? `tile ${numbers[0]!}`
    : `tiles ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)!}`;
}

/**
 * Drivers and their parameters in which runs differ, by name and by the tiles on which they do:
 * `Database threads, tile 1`. A tile that not all runs loaded is no difference of parameters.
 * `settings`: how many were held beside each other.
 */
export function parameterRows(records: readonly Planned[]): {
  rows: SetupDifference[];
  settings: number;
} {
  const tiles = tilesOfAll(records);
  const workloads = new Map(
    records.flatMap(({ profile }) => profile.workloads.map(({ id, name }) => [id, name])),
  );
  let settings = 0;
  const rows: SetupDifference[] = [];
  const add = (label: string, values: readonly string[], name: string): void => {
    rows.push({
      group: 'Workloads',
      label,
      values: [...values],
      ...(namesMachine.test(name)
        ? { effect: 'none', why: 'names the VM under load' }
        : { effect: 'strong', why: 'another load' }),
      subjects: [],
    });
  };
  for (const [id, workload] of workloads) {
    const drivers = records.map(
      ({ profile }) => profile.workloads.find((one) => one.id === id)?.driver ?? notRecorded,
    );
    settings += 1;
    if (new Set(drivers).size > 1) add(`${workload} driver`, drivers, '');
    for (const name of namesOf(records, id)) {
      settings += 1;
      const label = parameterLabel(name);
      const title = `${workload} ${label.charAt(0).toLowerCase()}${label.slice(1)}`;
      const perTile = tiles.map((tile) =>
        records.map((record) => parameterInEffect(record, id, tile, name) ?? notRecorded),
      );
      const differing = new Map<string, { values: string[]; tiles: (number | null)[] }>();
      perTile.forEach((values, i) => {
        if (new Set(values).size === 1) return;
        const key = JSON.stringify(values);
        const row = differing.get(key) ?? { values, tiles: [] };
        row.tiles.push(tiles[i]!);
        differing.set(key, row);
      });
      const groups = [...differing.values()];
      if (groups.length === 1 && groups[0]!.tiles.length === tiles.length)
        add(title, groups[0]!.values, name);
      else if (groups.length <= rowsAtMost)
        for (const group of groups) add(`${title}, ${tileWords(group.tiles)}`, group.values, name);
      else
        add(
          title,
          records.map((_, run) =>
            [...new Set(perTile.map((values) => values[run]!))].sort(byNaturalOrder).join(', '),
          ),
          name,
        );
    }
  }
  return { rows, settings };
}
