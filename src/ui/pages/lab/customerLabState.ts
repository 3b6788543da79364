import { useState } from 'react';

import { toAppError } from '../../../core/base/errors.ts';
import { type CustomerLabDraft, emptyDraft } from '../../../core/customerLab/draft.ts';
import { clustersOf, draftOf } from '../../../core/customerLab/fromRows.ts';
import type { LabParts } from '../../../core/customerLab/parts.ts';
import type { InventoryRows } from '../../../core/customerLab/rows.ts';
import { tableLimits } from '../../../core/customerLab/table.ts';
import type { SheetChoice, TableSheet } from '../../../core/customerLab/tableSheet.ts';
import type { BinaryFile } from '../../../wire/desktop.ts';
import { inventoryForm, type WaitingInventory } from '../../engine/labInventory.ts';
import { useClient, useDesktop } from '../../engine/services.ts';
import { draftDropped, drafted, useAppDispatch, useAppSelector } from '../../engine/store.ts';

/** A file with tables of an inventory, as it was read. */
export interface SourceFile {
  name: string;
  bytes: Uint8Array;
  sheets: TableSheet[];
  faults: string[];
  rows: InventoryRows;
}

const form = 'customerLab';
/** What is kept while the page is left. */
interface Kept {
  draft: CustomerLabDraft;
  leftOut: string[];
  /** null = all clusters. */ cluster: string | null;
}

const join = (all: readonly InventoryRows[]): InventoryRows => ({
  hosts: all.flatMap(({ hosts }) => hosts),
  datastores: all.flatMap(({ datastores }) => datastores),
  vms: all.flatMap(({ vms }) => vms),
});

/** Figures of the lab as a whole: they are typed, no table has them. */
const typedFigures = ({
  hypervisor,
  array,
  arrayPorts,
  adapter,
  disk,
  disks,
  raid,
  drs,
}: CustomerLabDraft) => ({ hypervisor, array, arrayPorts, adapter, disk, disks, raid, drs });

const rowsOf = (
  files: readonly SourceFile[],
  inventory: WaitingInventory | undefined,
): InventoryRows =>
  join([...(inventory ? [inventory.rows] : []), ...files.map((file) => file.rows)]);

/** What the tables say goes into the form; what is typed of the whole lab stays. */
function takenFrom({
  files,
  inventory,
  asked,
  kept,
  parts,
}: {
  files: readonly SourceFile[];
  inventory: WaitingInventory | undefined;
  /** null = all clusters; undefined = nobody chose: the largest. */
  asked: string | null | undefined;
  kept: Kept | undefined;
  parts: LabParts;
}): Kept {
  const draft = kept?.draft ?? emptyDraft();
  const all = rowsOf(files, inventory);
  const found = clustersOf(all);
  const cluster =
    asked === null || found.some(({ name }) => name === asked)
      ? (asked ?? null)
      : (found[0]?.name ?? null);
  const suggested = (name: string | null | undefined): string => name || 'Customer lab';
  const isOwn = draft.name !== '' && draft.name !== suggested(kept?.cluster);
  const named = isOwn
    ? draft.name
    : all.hosts.length === 0
      ? ''
      : suggested(cluster === '' || cluster === null ? inventory?.name : cluster);
  const origin = [...(inventory ? [inventory.origin] : []), ...files.map(({ name }) => name)];
  const taken = draftOf(all, cluster, { name: named, origin: origin.join(', '), parts });
  return {
    draft: { ...taken.draft, ...typedFigures(draft) },
    leftOut: taken.leftOut,
    cluster,
  };
}

/** The form of a customer's lab: its files, what they say, and what is typed. */
export function useCustomerLab(parts: LabParts) {
  const dispatch = useAppDispatch();
  const client = useClient();
  const desktop = useDesktop();
  const kept = useAppSelector((state) => state.drafts[form] as Kept | undefined);
  const waiting = useAppSelector(
    (state) => state.drafts[inventoryForm] as WaitingInventory | undefined,
  );
  const [files, setFiles] = useState<SourceFile[]>([]);
  const [fault, setFault] = useState<Fault | null>(null);
  const [busy, setBusy] = useState(false);
  const draft = kept?.draft ?? emptyDraft();
  const rows = rowsOf(files, waiting);
  const clusters = clustersOf(rows);

  const keep = (next: Kept): void => {
    dispatch(drafted({ form, values: next }));
  };
  const take = (
    list: readonly SourceFile[],
    asked: string | null | undefined = kept?.cluster ?? undefined,
  ): void => keep(takenFrom({ files: list, inventory: waiting, asked, kept, parts }));
  const read = async (
    name: string,
    bytes: Uint8Array,
    choices?: SheetChoice[],
  ): Promise<SourceFile | null> => {
    setBusy(true);
    setFault(null);
    try {
      const found = await client.call('customerLab.tables', {
        name,
        bytes,
        ...(choices === undefined ? {} : { choices }),
      });
      return { name, bytes, ...found };
    } catch (thrown) {
      const { message, hint } = toAppError(thrown);
      setFault({ message, hint });
      return null;
    } finally {
      setBusy(false);
    }
  };

  return {
    draft,
    leftOut: kept?.leftOut ?? [],
    cluster: kept?.cluster ?? null,
    clusters,
    files,
    fault,
    busy,
    /** Something is there that could be discarded. */
    begun: kept !== undefined || waiting !== undefined || files.length > 0,
    waiting: waiting !== undefined && !draft.origin.includes(waiting.origin) ? waiting : undefined,
    set: (next: CustomerLabDraft): void => {
      keep({ draft: next, leftOut: kept?.leftOut ?? [], cluster: kept?.cluster ?? null });
    },
    setCluster: (cluster: string | null): void => take(files, cluster),
    takeWaiting: (): void => take(files),
    async add(): Promise<void> {
      const chosen = await desktop.openBinary(['xlsx', 'csv', 'txt']);
      if (chosen === null) return;
      const bytes = await wholeOf(chosen);
      if (!(bytes instanceof Uint8Array)) {
        setFault(bytes);
        return;
      }
      const file = await read(chosen.name, bytes);
      if (file === null) return;
      const next = [...files.filter(({ name }) => name !== file.name), file];
      setFiles(next);
      take(next);
    },
    async choose(file: SourceFile, sheet: number, choice: SheetChoice): Promise<void> {
      const choices = file.sheets.map((one, index) => (index === sheet ? choice : one.choice));
      const again = await read(file.name, file.bytes, choices);
      if (again === null) return;
      const next = files.map((one) => (one === file ? again : one));
      setFiles(next);
      take(next);
    },
    remove(file: SourceFile): void {
      const next = files.filter((one) => one !== file);
      setFiles(next);
      take(next);
    },
    discard: (): void => {
      setFiles([]);
      setFault(null);
      dispatch(draftDropped(form));
      dispatch(draftDropped(inventoryForm));
    },
  };
}
export type CustomerLab = ReturnType<typeof useCustomerLab>;

interface Fault {
  message: string;
  hint: string | undefined;
}

/** All of a file, or why it cannot be read: it is larger than any table, gone, or not ours to read. */
async function wholeOf(file: BinaryFile): Promise<Uint8Array | Fault> {
  if (file.size > tableLimits.fileBytes) {
    file.close();
    return {
      message: `${file.name} is ${file.size} bytes, more than the ${tableLimits.fileBytes} that are read.`,
      hint: 'Export the cluster alone.',
    };
  }
  try {
    const bytes = new Uint8Array(file.size);
    const piece = 1024 ** 2;
    for (let from = 0; from < file.size; from += piece)
      bytes.set(await file.read(from, Math.min(file.size, from + piece)), from);
    return bytes;
  } catch (thrown) {
    const { message, hint } = toAppError(thrown);
    return { message: `${file.name} cannot be read: ${message}`, hint };
  } finally {
    file.close();
  }
}
