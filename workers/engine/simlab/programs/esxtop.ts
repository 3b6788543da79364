import { shownName } from '../../../../src/core/lab/lab.ts';
import type { HostedLab } from '../lab.ts';
import type { LabModel } from '../model/types.ts';

/** Canonical name of a LUN, as vCenter and esxtop call it. */
export const lunName = (lunId: string): string => `naa.sim.${lunId}`;

type Figures = readonly (readonly [head: string, value: number])[];

const quoted = (fields: readonly string[]): string =>
  `${fields.map((one) => `"${one}"`).join(',')}\n`;
const two = (value: number): string => String(value).padStart(2, '0');
/** `11/24/2026 08:30:02`, as esxtop prints a time. */
function timeText(hostMs: number): string {
  const at = new Date(hostMs);
  return (
    `${two(at.getUTCMonth() + 1)}/${two(at.getUTCDate())}/${at.getUTCFullYear()} ` +
    `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}`
  );
}

/** VMs that run on a host now. */
const vmsOn = (model: LabModel, hostId: string): string[] =>
  [...model.placement()]
    .filter(([, place]) => place.poweredOn && place.hostId === hostId)
    .map(([id]) => id);

/**
 * esxtop of a simulated host, from what the model itself says: what VMs used and waited for, what
 * LUNs had under way and waiting. Packets and co-stop are not in the model, so they have no column.
 */
export function simEsxtop(
  lab: HostedLab,
  hostId: string,
): {
  head: string;
  /** The row of a span, with the host's clock at its end. */
  row(model: LabModel, fromMs: number, toMs: number, hostMs: number): string;
} {
  const host = lab.spec.hosts.find(({ id }) => id === hostId)!;
  // Columns are those of the start: a VM that comes later has none.
  const vms = vmsOn(lab.sync(), hostId);
  const path = (object: string, counter: string): string =>
    `\\\\${shownName(host)}\\${object}\\${counter}`;
  const figures = (model: LabModel, fromMs: number, toMs: number): Figures => [
    ...vms.flatMap((id, at) => {
      const report = model.vm(id, fromMs, toMs);
      const group = `Group Cpu(${1_000 + at}:${id})`;
      const vcpus = lab.shape(id)?.vcpus ?? 1;
      return [
        [path(group, '% Used'), (report?.cpuPct ?? 0) * vcpus],
        [path(group, '% Ready'), report?.readyPct ?? 0],
      ] as const;
    }),
    ...lab.spec.datastores.flatMap((store) =>
      lunFigures(lab, model, hostId, store, fromMs, toMs).map(
        ([lun, counter, value]) =>
          [path(`Physical Disk SCSI Device(${lun})`, counter), value] as const,
      ),
    ),
  ];
  const now = lab.sync().nowMs();
  return {
    head: quoted(['(PDH-CSV 4.0) (UTC)(0)', ...figures(lab.sync(), now, now).map(([of]) => of)]),
    row: (model, fromMs, toMs, hostMs) =>
      quoted([
        timeText(hostMs),
        ...figures(model, fromMs, toMs).map(([, value]) => value.toFixed(2)),
      ]),
  };
}

/**
 * LUNs of a datastore as one host has them: of what the datastore has under way and waiting, the
 * part that its VMs' disk traffic is of all (Little's law gives commands from rate and time).
 */
function lunFigures(
  lab: HostedLab,
  model: LabModel,
  hostId: string,
  store: HostedLab['spec']['datastores'][number],
  fromMs: number,
  toMs: number,
): readonly (readonly [lun: string, counter: string, value: number])[] {
  const { luns, hosts } = lab.spec;
  const report = model.datastore(store.id, fromMs, toMs);
  const traffic = (only: string | null): number =>
    [...model.placement()].reduce(
      (sum, [id, place]) =>
        place.datastoreId === store.id && (only === null || place.hostId === only)
          ? sum + (model.vm(id, fromMs, toMs)?.diskKBps ?? 0)
          : sum,
      0,
    );
  const all = traffic(null);
  const part = all > 0 ? traffic(hostId) / all / store.lunIds.length : 0;
  const deviceMs = report?.deviceLatencyMs ?? 0;
  const kernelMs = report?.kernelLatencyMs ?? 0;
  const iops = ((report?.readIops ?? 0) + (report?.writeIops ?? 0)) * part;
  const hba = hosts.find(({ id }) => id === hostId)?.hba.queueDepth ?? Infinity;
  return store.lunIds.flatMap((lunId) => {
    const slots = Math.min(hba, luns.find(({ id }) => id === lunId)?.queueDepth ?? hba);
    const active = Math.min(slots, (iops * deviceMs) / 1_000);
    const waiting = (iops * kernelMs) / 1_000;
    return (
      [
        ['Device Q Depth', slots],
        ['Active Commands', active],
        ['Queued Commands', waiting],
        ['% Used', (100 * active) / slots],
        ['Load', (active + waiting) / slots],
        ['Commands/sec', iops],
        ['Reads/sec', (report?.readIops ?? 0) * part],
        ['Writes/sec', (report?.writeIops ?? 0) * part],
        ['Average Driver MilliSec/Command', deviceMs],
        ['Average Kernel MilliSec/Command', kernelMs],
        ['Average Guest MilliSec/Command', deviceMs + kernelMs],
        ['Average Queue MilliSec/Command', kernelMs],
      ] as const
    ).map(([counter, value]) => [lunName(lunId), counter, value] as const);
  });
}
