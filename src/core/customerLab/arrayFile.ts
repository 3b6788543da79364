import * as z from 'zod';

import { fail } from '../base/errors.ts';
import { field } from '../base/field.ts';
import { parseJsonFile } from '../base/jsonFile.ts';
import { schemaFaults } from '../base/schemaFaults.ts';
import {
  arrayColumns,
  type ArrayFacts,
  arrayFactsSchema,
  mostArrays,
} from '../testbed/arrayFacts.ts';
import { readCsv } from './csv.ts';

type Named = ArrayFacts['datastores'][number];
/** A file names datastores as people do. */
const given = z.looseObject({
  datastores: z.array(field.name('datastore').max(255)).max(1_024).default([]),
});
const jsonFile = z.object({ arrays: z.array(given).min(1).max(mostArrays) });
const numbers = new Set([
  'disks',
  'readCacheMb',
  'writeCacheMb',
  'highWatermarkPct',
  'lowWatermarkPct',
]);
const columnNames = [...Object.keys(arrayColumns), 'datastores'];

/**
 * Disk arrays of a small file: CSV whose first line names the columns as `arrayColumns` does
 * (`datastores`: names with semicolons between), or JSON with a list `arrays` of the same members.
 * Throws invalidInput with the row and what to do about it. A datastore of no such name here is
 * refused where the lab is known.
 */
export function parseArrayFile(
  fileName: string,
  text: string,
  known: readonly Named[] | null,
): ArrayFacts[] {
  const rows = /^\s*\{/.test(text.replace(/^\ufeff/, ''))
    ? parseJsonFile(fileName, text, jsonFile, 'arrays').arrays.map((values, i) => ({
        place: `${fileName}: array ${i + 1}`,
        values,
      }))
    : csvRows(fileName, text);
  const arrays = rows.map(({ place, values }) => {
    const { data, error } = arrayFactsSchema.safeParse({
      ...values,
      datastores: values.datastores.map((name) => datastoreOf(place, name, known)),
    });
    if (data) return data;
    const [fault] = schemaFaults(error);
    return refuse(place, `${fault?.path.join('.') ?? ''} ${fault?.message ?? 'is not valid'}`);
  });
  const names = arrays.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) refuse(fileName, `the array ${twice} is there twice. Remove one.`);
  return arrays;
}

function refuse(place: string, message: string): never {
  throw fail(
    'invalidInput',
    `${place}: ${message}`,
    `Columns are ${columnNames.join(', ')}; what is not known stays empty.`,
  );
}

function csvRows(
  fileName: string,
  text: string,
): { place: string; values: z.infer<typeof given> }[] {
  const { columns, rows } = readCsv(fileName, new TextEncoder().encode(text));
  const strange = columns.find((name) => !columnNames.includes(name.trim()));
  if (strange !== undefined) refuse(fileName, `the column ${strange.slice(0, 60)} is not known.`);
  if (rows.length === 0 || rows.length > mostArrays)
    refuse(fileName, `${rows.length} arrays; 1 to ${mostArrays} are read.`);
  return rows.map(({ number, cells }) => {
    const place = `${fileName}: row ${number}`;
    const values: Record<string, unknown> = {};
    let datastores: string[] = [];
    columns.forEach((column, i) => {
      const name = column.trim();
      const cell = (cells[i] ?? '').trim();
      if (cell === '') return;
      if (name === 'datastores')
        datastores = cell.split(';').flatMap((one) => (one.trim() === '' ? [] : [one.trim()]));
      else if (!numbers.has(name)) values[name] = cell;
      else if (/^\d+(?:\.\d+)?$/.test(cell)) values[name] = Number(cell);
      else refuse(place, `${name} is ${JSON.stringify(cell.slice(0, 40))}, which is no number.`);
    });
    return { place, values: { ...values, datastores } };
  });
}

function datastoreOf(place: string, name: string, known: readonly Named[] | null): Named {
  const found = known?.filter((one) => one.name === name) ?? [];
  if (found.length === 1) return { ref: found[0]!.ref, name };
  return known === null
    ? { ref: name, name }
    : refuse(
        place,
        found.length > 1
          ? `${found.length} datastores are called ${name}.`
          : `no datastore is called ${name} here.`,
      );
}
