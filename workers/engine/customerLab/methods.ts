import { fail, toAppError } from '../../../src/core/base/errors.ts';
import { kindOf, knownColumns } from '../../../src/core/customerLab/columns.ts';
import { readCsv } from '../../../src/core/customerLab/csv.ts';
import type { CustomerLabDraft } from '../../../src/core/customerLab/draft.ts';
import type { LabParts } from '../../../src/core/customerLab/parts.ts';
import { type InventoryRows, noRows, readRows } from '../../../src/core/customerLab/rows.ts';
import { type Table, tableLimits } from '../../../src/core/customerLab/table.ts';
import type { SheetChoice, TableSheet } from '../../../src/core/customerLab/tableSheet.ts';
import type { StudySpec } from '../../../src/core/study/study.ts';
import type { Emit, Handlers } from '../../../src/wire/contract.ts';
import type { ProfileBook } from '../profiles/book.ts';
import { type MadeLabParts, madeLabs, removeMadeLab } from './remove.ts';

type Methods = Pick<
  Handlers,
  | 'customerLab.parts'
  | 'customerLab.tables'
  | 'customerLab.make'
  | 'customerLab.list'
  | 'customerLab.remove'
>;
interface Options extends MadeLabParts {
  profiles: Pick<ProfileBook, 'put'>;
  emit: Emit;
  saveStudy: (spec: StudySpec) => Promise<StudySpec>;
}

/** A simulated lab of a customer's hosts: from tables of their inventory, or from parts. */
export const customerLabMethods = (options: Options): Methods => ({
  'customerLab.parts': partsOf,
  'customerLab.tables': async ({ name, bytes, choices }) => {
    const tables = await readTables(name, bytes);
    const sheets = tables.map((table, index) => sheetOf(table, choices?.[index]));
    const faults: string[] = [];
    const rows = noRows();
    tables.forEach((table, index) => {
      const { kind, columns } = sheets[index]!.choice;
      if (kind === null) return;
      try {
        addRows(rows, readRows(table, kind, columns));
      } catch (thrown) {
        const { kind: refused, message, hint } = toAppError(thrown);
        if (refused !== 'invalidInput') throw thrown;
        faults.push([message, hint].filter(Boolean).join(' '));
      }
    });
    return { sheets, faults, rows };
  },
  'customerLab.make': (draft) => make(options, draft),
  'customerLab.list': async () => madeLabs(options),
  'customerLab.remove': async ({ id }) => {
    await removeMadeLab(options, id);
    return {};
  },
});

async function partsOf(): Promise<LabParts> {
  const { parts } = await import('../gallery/libraryParts.ts');
  const names = (rows: Readonly<Record<string, unknown>>): string[] => Object.keys(rows);
  return {
    generations: Object.entries(parts.generations).map(
      ([name, { workPerGhz, hyperThreadGain }]) => ({ name, workPerGhz, hyperThreadGain }),
    ),
    processors: Object.entries(parts.processors).map(([name, { generation, cores, ghz }]) => ({
      name,
      generation,
      cores,
      ghz,
    })),
    servers: Object.entries(parts.machines).flatMap(([name, machine]) => {
      const power = parts.power[name];
      return power === undefined
        ? []
        : [
            {
              name,
              sockets: machine.sockets,
              memoryGb: machine.memoryGb,
              uplinks: machine.uplinkGbps.length,
              uplinkGbps: Math.min(...machine.uplinkGbps),
              idleW: power.idleW,
              busyW: power.busyW,
            },
          ];
    }),
    arrays: names(parts.arrays),
    disks: names(parts.disks),
    adapters: names(parts.hbas),
    hypervisors: names(parts.hypervisors).filter((name) => name !== 'none'),
  };
}

/** Told from its first bytes, not from its name: `PK` begins every workbook. */
async function readTables(name: string, bytes: Uint8Array): Promise<Table[]> {
  if (bytes.length > tableLimits.fileBytes)
    throw fail(
      'invalidInput',
      `${name} is ${bytes.length} bytes, more than the ${tableLimits.fileBytes} that are read.`,
      'Export the cluster alone.',
    );
  if (bytes.length === 0) throw fail('invalidInput', `${name} is empty.`, 'Choose another file.');
  if (bytes[0] === 0xd0 && bytes[1] === 0xcf)
    throw fail(
      'invalidInput',
      `${name} is a workbook of the old format (XLS), or one with a password.`,
      'Save it as XLSX without a password, or as CSV.',
    );
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return [readCsv(name, bytes)];
  const { readWorkbook } = await import('./workbook.ts');
  return readWorkbook(name, bytes);
}

/** Rows that stand in a preview of a table. */
const sampleRows = 5;
/** Characters of a cell in a preview. */
const sampleText = 80;

function sheetOf(table: Table, asked: SheetChoice | undefined): TableSheet {
  const kind = asked === undefined ? kindOf(table) : asked.kind;
  const shown = (text: string): string => text.slice(0, sampleText);
  return {
    file: table.file,
    sheet: table.sheet,
    columns: table.columns.map(shown),
    sample: table.rows
      .slice(0, sampleRows)
      .map((row) => table.columns.map((_, column) => shown(row.cells[column] ?? ''))),
    rows: table.rows.length,
    choice: asked ?? { kind, columns: kind === null ? {} : knownColumns(kind, table.columns) },
  };
}

function addRows(to: InventoryRows, from: InventoryRows): void {
  for (const one of from.hosts) to.hosts.push(one);
  for (const one of from.datastores) to.datastores.push(one);
  for (const one of from.vms) to.vms.push(one);
}

async function make(
  { deps, db, profiles, emit, saveStudy }: Options,
  draft: CustomerLabDraft,
): Promise<{ studyId: string }> {
  if (deps.lab === null)
    throw fail(
      'conflict',
      'A simulated lab is made in the demo lab; this workspace works on the real lab.',
      'Open the demo lab first.',
    );
  const { customerLabOf } = await import('./make.ts');
  const taken = (id: string): boolean =>
    db.testbeds.get(`${id}-testbed`) !== null || db.studies.get(`${id}-study`) !== null;
  let number = 1;
  while (taken(`own${number}`)) number += 1;
  const made = customerLabOf(`own${number}`, draft, await partsOf());
  deps.lab.load(made.lab);
  for (const connection of made.connections) db.connections.save(connection);
  profiles.put(made.profile);
  db.testbeds.save(made.testbed);
  db.plans.save(made.plan);
  await saveStudy(made.study);
  for (const list of ['connections', 'profiles', 'testbeds', 'plans', 'studies'] as const)
    emit('list.changed', { list });
  return { studyId: made.study.id };
}
