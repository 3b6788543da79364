import type { LabHost, LabSpec } from './lab.ts';
import { isSolid } from './labEdit.ts';

/** Equal machines of a lab as one row of its picture, with the ids of all of them. */
interface Row {
  name: string;
  text: string;
  ids: string[];
}
export interface LabPicture {
  hosts: Row[];
  arrays: (Row & { /** On each of them. */ luns: number })[];
  clients: number;
  vms: number;
}

/** Maker and model: `Dell 2950`. A host that names no maker is its model. */
export const hostModel = ({ vendor, model }: Pick<LabHost, 'vendor' | 'model'>): string =>
  vendor === 'Sim' || model.startsWith(vendor) ? model : `${vendor} ${model}`;

/** Whether the processor's name tells how fast it runs: `Xeon X5365 3 GHz`. */
const namesClock = ({ cpuModel, ghz }: Pick<LabHost, 'cpuModel' | 'ghz'>): boolean =>
  cpuModel.endsWith(` ${ghz} GHz`);

/** The hardware of some labs, as it is drawn: equal machines are told once, with their number. */
export function labPicture(labs: readonly LabSpec[]): LabPicture {
  const hosts = labs.flatMap((lab) =>
    lab.hosts.map((host) => ({
      name: hostModel(host),
      text:
        `${host.sockets} × ${host.cpuModel}, ${host.sockets * host.coresPerSocket} cores` +
        `${namesClock(host) ? '' : ` at ${host.ghz} GHz`}, ${host.memoryGb} GB`,
      ids: [host.id],
    })),
  );
  const arrays = labs.flatMap((lab) =>
    lab.arrays.map((array) => {
      const luns = lab.luns.filter((lun) => lun.arrayId === array.id);
      const disks = luns.reduce((sum, lun) => sum + lun.disks, 0);
      const speeds = [...new Set(luns.map((lun) => (isSolid(lun) ? 'SSD' : `${lun.rpm}`)))];
      return {
        name: array.model,
        text: `${disks} disks${speeds.length === 1 && speeds[0] === 'SSD' ? ', SSD' : ` at ${speeds.join(', ')} rpm`}`,
        luns: luns.length,
        ids: [array.id],
      };
    }),
  );
  return {
    hosts: told(hosts, ({ name, text }) => `${name}\n${text}`),
    arrays: told(arrays, ({ name, text, luns }) => `${name}\n${text}\n${luns}`),
    clients: Math.max(0, ...labs.map((lab) => lab.clients.length)),
    vms: Math.max(0, ...labs.map((lab) => lab.vms.length)),
  };
}

/** One row for all that are equal by `key`, in the order of the first of each. */
function told<R extends Row>(rows: readonly R[], key: (row: R) => string): R[] {
  const byKey = new Map<string, R>();
  for (const row of rows) {
    const known = byKey.get(key(row));
    byKey.set(key(row), known ? { ...known, ids: [...known.ids, ...row.ids] } : row);
  }
  return [...byKey.values()].map((row) =>
    row.ids.length > 1 ? { ...row, name: `${row.ids.length} × ${row.name}` } : row,
  );
}
