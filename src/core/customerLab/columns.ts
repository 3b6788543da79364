import type { Table } from './table.ts';

/** What a table of an inventory can be, and by which names its columns are known. */
export const tableKinds = ['hosts', 'datastores', 'vms'] as const;
export type TableKind = (typeof tableKinds)[number];

/** A quantity of a column: its units, each with how many make one of what is kept. */
const quantities = {
  /** GB of 1,024 MB, as hosts and VMs are sold. */
  memory: { MB: 1_024, GB: 1, TB: 1 / 1_024 },
  clock: { MHz: 1_000, GHz: 1 },
} as const;
export type Quantity = keyof typeof quantities;
export const unitsOf = (quantity: Quantity): string[] => Object.keys(quantities[quantity]);
/** How many of a unit make a GB or GHz; undefined = no unit of it. */
export const unitsPer = (quantity: Quantity, unit: string): number | undefined =>
  (quantities[quantity] as Readonly<Record<string, number>>)[unit];

export interface ColumnField {
  key: string;
  label: string;
  /** Without it there is no row. */ required?: true;
  /** As RVTools and its like head the column, the newest first; case and spaces do not count. */
  names: readonly string[];
  quantity?: Quantity;
  /** Unit where the head of the column names none. */ unit?: string;
}

/** RVTools 3.6 to 4.x: vHost, vDatastore, vInfo. */
export const columnFields: Readonly<Record<TableKind, readonly ColumnField[]>> = {
  hosts: [
    { key: 'name', label: 'Host', required: true, names: ['Host', 'Host name', 'Name'] },
    { key: 'cluster', label: 'Cluster', names: ['Cluster'] },
    { key: 'vendor', label: 'Maker', names: ['Vendor'] },
    { key: 'model', label: 'Model', names: ['Model'] },
    { key: 'cpuModel', label: 'Processor', names: ['CPU Model'] },
    {
      key: 'ghz',
      label: 'Clock',
      names: ['Speed', 'CPU Speed', 'CPU MHz'],
      quantity: 'clock',
      unit: 'MHz',
    },
    { key: 'sockets', label: 'Sockets', names: ['# CPU', 'CPUs', '# CPUs', 'Sockets'] },
    {
      key: 'coresPerSocket',
      label: 'Cores per socket',
      names: ['Cores per CPU', '# Cores per CPU', 'Cores per socket'],
    },
    {
      key: 'memoryGb',
      label: 'Memory',
      names: ['# Memory', '# Memory MiB', '# Memory MB', 'Memory'],
      quantity: 'memory',
      unit: 'MB',
    },
    { key: 'hyperThreads', label: 'Hyper-threading is on', names: ['HT Active'] },
    { key: 'uplinks', label: 'Network links', names: ['# NICs', '# NIC', 'NICs'] },
    { key: 'hbas', label: 'Storage links', names: ['# HBAs', '# HBA', 'HBAs'] },
    {
      key: 'maintenance',
      label: 'Is in maintenance mode',
      names: ['in Maintenance Mode', 'Maintenance mode', 'Maintenance'],
    },
    { key: 'version', label: 'Version of ESX', names: ['ESX Version', 'Version'] },
  ],
  datastores: [
    { key: 'name', label: 'Datastore', required: true, names: ['Name', 'Datastore'] },
    {
      key: 'capacityGb',
      label: 'Capacity',
      names: ['Capacity MiB', 'Capacity MB', 'Capacity'],
      quantity: 'memory',
      unit: 'MB',
    },
    { key: 'type', label: 'Kind', names: ['Type'] },
    { key: 'hosts', label: 'Hosts that see it', names: ['# Hosts', '# Host'] },
    { key: 'hostNames', label: 'Names of these hosts', names: ['Hosts'] },
  ],
  vms: [
    { key: 'name', label: 'VM', required: true, names: ['VM', 'VM name', 'Name'] },
    { key: 'power', label: 'Power state', names: ['Powerstate', 'Power state'] },
    { key: 'template', label: 'Is a template', names: ['Template'] },
    { key: 'vcpus', label: 'vCPUs', names: ['CPUs', '# CPU', 'vCPUs', 'Num CPU'] },
    {
      key: 'memoryGb',
      label: 'Memory',
      names: ['Memory', 'Memory MiB', 'Memory MB', 'Memory Size'],
      quantity: 'memory',
      unit: 'MB',
    },
    { key: 'host', label: 'Host', names: ['Host'] },
    { key: 'cluster', label: 'Cluster', names: ['Cluster'] },
  ],
};

/** Sheets and files by their names: `vInfo`, `tabvHost`, `RVTools_tabvDatastore.csv`. */
const kindNames: readonly [RegExp, TableKind][] = [
  [/(^|_|tab)vinfo(\.csv)?$/i, 'vms'],
  [/(^|_|tab)vhost(\.csv)?$/i, 'hosts'],
  [/(^|_|tab)vdatastore(\.csv)?$/i, 'datastores'],
];

/** What a table says it is, by its name alone; null = it does not say. */
export const kindByName = ({ file, sheet }: Pick<Table, 'file' | 'sheet'>): TableKind | null =>
  kindNames.find(([name]) => name.test((sheet ?? file).trim()))?.[1] ?? null;

export interface ColumnChoice {
  /** From 0. */ column: number;
  /** Of a quantity. */ unit?: string | undefined;
}
export type Columns = Readonly<Record<string, ColumnChoice>>;

const plain = (name: string): string =>
  name
    .toLowerCase()
    .replace(/\((.*?)\)/g, ' $1')
    .replace(/[\s_]+/g, ' ')
    .trim();
const unitWord = /\b(mib|mb|gib|gb|tib|tb|mhz|ghz)\b/i;

/** The unit that a column's head names: `Capacity MiB` MB, `Memory (GB)` GB; null = none. */
function unitNamed(head: string, quantity: Quantity): string | null {
  const word = unitWord.exec(head)?.[1]?.toLowerCase().replace('ib', 'b');
  return unitsOf(quantity).find((unit) => unit.toLowerCase() === word) ?? null;
}

/**
 * Columns whose heads are known names, each field once; others are left to whoever maps them. A unit
 * in the head goes before that of the field.
 */
export function knownColumns(kind: TableKind, heads: readonly string[]): Columns {
  const found: Record<string, ColumnChoice> = {};
  const taken = new Set<number>();
  for (const { key, names, quantity, unit } of columnFields[kind]) {
    const wanted = names.map(plain);
    const column = heads.findIndex((head, index) => {
      if (taken.has(index)) return false;
      const name = plain(head);
      return (
        wanted.includes(name) ||
        (quantity !== undefined &&
          unitNamed(head, quantity) !== null &&
          wanted.includes(plain(name.replace(unitWord, ''))))
      );
    });
    if (column < 0) continue;
    taken.add(column);
    const named = quantity === undefined ? null : unitNamed(heads[column]!, quantity);
    const chosen = named ?? unit;
    found[key] = { column, ...(chosen === undefined ? {} : { unit: chosen }) };
  }
  return found;
}

/** The kind of a table by its name, or by its columns where it has at least three known ones. */
export function kindOf(table: Pick<Table, 'file' | 'sheet' | 'columns'>): TableKind | null {
  const named = kindByName(table);
  if (named !== null) return named;
  const known = (kind: TableKind): number => {
    const columns = knownColumns(kind, table.columns);
    return columns['name'] === undefined ? 0 : Object.keys(columns).length;
  };
  const [best] = [...tableKinds].sort((a, b) => known(b) - known(a));
  return best !== undefined && known(best) >= 3 ? best : null;
}
