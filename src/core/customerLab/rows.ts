import * as z from 'zod';

import { isPrintable } from '../base/bounds.ts';
import { type AppError, fail } from '../base/errors.ts';
import { field } from '../base/field.ts';
import {
  type ColumnField,
  columnFields,
  type Columns,
  type TableKind,
  unitsPer,
} from './columns.ts';
import { cellPlace, type Table, tableName } from './table.ts';

/** Rows of an inventory, each figure as it was read; null = the source does not say. */
const text = field.word().nullable();
const figure = field.figure().nullable();
const hostRow = z.object({
  name: field.name('host'),
  cluster: field.name('cluster').nullable(),
  vendor: text,
  model: text,
  cpuModel: text,
  ghz: figure,
  sockets: figure,
  coresPerSocket: figure,
  memoryGb: figure,
  hyperThreads: z.boolean().nullable(),
  uplinks: figure,
  uplinkGbps: figure,
  hbas: figure,
  version: text,
  maintenance: z.boolean().nullable(),
});
export type HostRow = z.infer<typeof hostRow>;
const datastoreRow = z.object({
  name: field.name('datastore'),
  capacityGb: figure,
  type: text,
  /** How many hosts see it, and which, where the source names them. */
  hosts: figure,
  hostNames: field.list(field.name('host')).nullable(),
});
export type DatastoreRow = z.infer<typeof datastoreRow>;
const vmRow = z.object({
  name: field.name('vm'),
  poweredOn: z.boolean().nullable(),
  template: z.boolean(),
  vcpus: figure,
  memoryGb: figure,
  host: field.name('host').nullable(),
  cluster: field.name('cluster').nullable(),
});
type VmRow = z.infer<typeof vmRow>;
export const inventoryRows = z.object({
  hosts: field.list(hostRow),
  datastores: field.list(datastoreRow),
  vms: field.list(vmRow),
});
export type InventoryRows = z.infer<typeof inventoryRows>;
export const noRows = (): InventoryRows => ({ hosts: [], datastores: [], vms: [] });

/** Longest text of a cell that is kept; the list of hosts of a datastore may be longer. */
const longestText = 500;
/** No host, datastore or VM has more of anything. */
const largest = 1e9;

interface Reader {
  text: (key: string) => string | null;
  /** Positive, in the unit that is kept. */
  figure: (key: string) => number | null;
  count: (key: string) => number | null;
  flag: (key: string) => boolean | null;
}

/**
 * The rows of a table by its columns. Throws invalidInput with file, sheet and cell for a figure that
 * is none, a formula, and text that hides something. Rows without a name are left out.
 */
export function readRows(table: Table, kind: TableKind, columns: Columns): InventoryRows {
  const fields = columnFields[kind];
  const lacking = fields.find(({ key, required }) => required && columns[key] === undefined);
  if (lacking)
    throw fail(
      'invalidInput',
      `${tableName(table)}: no column is ${lacking.label}.`,
      `Choose the column that holds it. It has ${table.columns.slice(0, 12).join(', ')}.`,
    );
  const rows = noRows();
  for (const row of table.rows) {
    const at = readerOf(table, fields, columns, row);
    const name = at.text('name');
    if (name === null) continue;
    if (kind === 'hosts') rows.hosts.push(hostOf(name, at));
    else if (kind === 'datastores') rows.datastores.push(datastoreOf(name, at));
    else rows.vms.push(vmOf(name, at));
  }
  return rows;
}

const hostOf = (name: string, at: Reader): HostRow => ({
  name,
  cluster: at.text('cluster'),
  vendor: at.text('vendor'),
  model: at.text('model'),
  cpuModel: at.text('cpuModel'),
  ghz: at.figure('ghz'),
  sockets: at.count('sockets'),
  coresPerSocket: at.count('coresPerSocket'),
  memoryGb: at.figure('memoryGb'),
  hyperThreads: at.flag('hyperThreads'),
  uplinks: at.count('uplinks'),
  uplinkGbps: null,
  hbas: at.count('hbas'),
  version: at.text('version'),
  maintenance: at.flag('maintenance'),
});

const datastoreOf = (name: string, at: Reader): DatastoreRow => ({
  name,
  capacityGb: at.figure('capacityGb'),
  type: at.text('type'),
  hosts: at.count('hosts'),
  hostNames:
    at
      .text('hostNames')
      ?.split(/[,;]/)
      .map((one) => one.trim())
      .filter((one) => one !== '') ?? null,
});

function vmOf(name: string, at: Reader): VmRow {
  const power = at.text('power');
  return {
    name,
    poweredOn: power === null ? null : /on$/i.test(power),
    template: at.flag('template') ?? false,
    vcpus: at.count('vcpus'),
    memoryGb: at.figure('memoryGb'),
    host: at.text('host'),
    cluster: at.text('cluster'),
  };
}

function readerOf(
  table: Table,
  fields: readonly ColumnField[],
  columns: Columns,
  row: Table['rows'][number],
): Reader {
  const refuse = (key: string, what: string, hint: string): AppError =>
    fail('invalidInput', `${cellPlace(table, row.number, columns[key]!.column)}: ${what}`, hint);
  const label = (key: string): string => fields.find((one) => one.key === key)?.label ?? key;
  const text = (key: string): string | null => {
    const choice = columns[key];
    const said = choice === undefined ? '' : (row.cells[choice.column] ?? '').trim();
    if (said === '') return null;
    if (!isPrintable(said))
      throw refuse(
        key,
        'a control character, or one that turns or hides text, is in it.',
        'Remove it, or leave the column out.',
      );
    if (said.length > longestText && key !== 'hostNames')
      throw refuse(
        key,
        `${label(key)} is longer than ${longestText} characters.`,
        'Choose another column for it.',
      );
    return said;
  };
  const figure = (key: string): number | null => {
    const said = text(key);
    if (said === null) return null;
    const value = numberOf(said, table.separator);
    if (typeof value !== 'number') throw refuse(key, `“${shown(said)}” ${value.fault}`, value.hint);
    if (!(value >= 0 && value <= largest))
      throw refuse(key, `${label(key)} cannot be ${shown(said)}.`, 'Mend the cell.');
    if (value === 0) return null;
    const { quantity } = fields.find((one) => one.key === key)!;
    const unit = columns[key]?.unit;
    return quantity === undefined || unit === undefined
      ? value
      : value / (unitsPer(quantity, unit) ?? 1);
  };
  return {
    text,
    figure,
    count(key) {
      const value = figure(key);
      if (value !== null && !Number.isInteger(value))
        throw refuse(key, `${label(key)} is a whole number, not ${value}.`, 'Mend the cell.');
      return value;
    },
    flag: (key) => {
      const said = text(key);
      return said === null ? null : /^(true|yes|1|on|wahr|ja|vrai|oui)$/i.test(said);
    },
  };
}

const shown = (said: string): string => (said.length > 60 ? `${said.slice(0, 60)}…` : said);

const plainNumber = /^\d+(\.\d+)?(e[+-]?\d+)?$/i;
const groupedByComma = /^\d{1,3}(,\d{3})+(\.\d+)?$/;
const groupedBySpace = /^\d{1,3}([ '\u00a0\u202f]\d{3})+(\.\d+)?$/;
const decimalComma = /^\d+,\d+$/;
const ambiguous = {
  fault: 'may be read in two ways.',
  hint: 'Write the figure without separators between thousands.',
};

/**
 * A figure as spreadsheets write it. Where semicolons stand between cells a comma may be a decimal
 * one: what could then be read in two ways is refused, not guessed.
 */
function numberOf(
  said: string,
  separator: Table['separator'],
): number | { fault: string; hint: string } {
  if (said.startsWith('='))
    return {
      fault: 'is a formula, which is not computed.',
      hint: 'Export values, or paste the column as values.',
    };
  const local = separator === ';' || separator === '\t';
  if (local && /^\d{1,3}([.,]\d{3})+$/.test(said)) return ambiguous;
  if (plainNumber.test(said)) return Number(said);
  if (groupedBySpace.test(said)) return Number(said.replace(/[ '\u00a0\u202f]/g, ''));
  if (local && decimalComma.test(said)) return Number(said.replace(',', '.'));
  if (!local && groupedByComma.test(said)) return Number(said.replaceAll(',', ''));
  return { fault: 'is no figure.', hint: 'Mend the cell, or choose another column.' };
}
