import * as z from 'zod';

import { field } from '../base/field.ts';
import { type LabHost, type LabLun, labLun, type LabSpec } from './lab.ts';

/**
 * Changes to a simulated lab as people say them: a host less, twice the disks, DRS off. Data that a
 * study keeps; `applyEdits` makes the lab of them.
 */

/** Hosts of the largest cluster that a lab is given. */
export const maximumHosts = 64;

/** A figure of a device that can be changed, with its bounds. */
export interface Figure<Device> {
  label: string;
  /** As it stands behind the number. */ unit: string;
  /** Behind the label of its field; absent = a count. */ symbol?: string;
  min: number;
  max: number;
  whole: boolean;
  read: (device: Device) => number;
}

const hostFigure = (figure: Figure<LabHost>): Figure<LabHost> => figure;
/** Figures of a host and of its links. */
export const hostFigures = {
  coresPerSocket: hostFigure({
    label: 'Cores per socket',
    unit: 'cores per socket',
    min: 1,
    max: 256,
    whole: true,
    read: (host) => host.coresPerSocket,
  }),
  ghz: hostFigure({
    label: 'Clock',
    unit: 'GHz',
    symbol: 'GHz',
    min: 0.5,
    max: 6,
    whole: false,
    read: (host) => host.ghz,
  }),
  memoryGb: hostFigure({
    label: 'Memory',
    unit: 'GB',
    symbol: 'GB',
    min: 2,
    max: 24_576,
    whole: false,
    read: (host) => host.memoryGb,
  }),
  uplinkGbps: hostFigure({
    label: 'Each network link',
    unit: 'Gb/s network link',
    symbol: 'Gb/s',
    min: 0.1,
    max: 400,
    whole: false,
    read: (host) => Math.min(...host.uplinks.map((uplink) => uplink.gbps)),
  }),
  hbaGbps: hostFigure({
    label: 'Each storage link',
    unit: 'Gb/s storage link',
    symbol: 'Gb/s',
    min: 1,
    max: 128,
    whole: false,
    read: (host) => host.hba.gbps,
  }),
  hbaQueueDepth: hostFigure({
    label: 'Queue depth per LUN',
    unit: 'commands of the host at a LUN',
    min: 1,
    max: 1_024,
    whole: true,
    read: (host) => host.hba.queueDepth,
  }),
} as const;
export type HostFigure = keyof typeof hostFigures;

/** An array with the LUNs on it. */
export interface ArrayParts {
  luns: readonly LabLun[];
  portGbps: number;
}
const arrayFigure = (figure: Figure<ArrayParts>): Figure<ArrayParts> => figure;
/** Figures of an array and its LUNs; `disks` and `luns` are of one array. */
export const arrayFigures = {
  disks: arrayFigure({
    label: 'Disks',
    unit: 'disks',
    min: 1,
    max: 10_000,
    whole: true,
    read: ({ luns }) => luns.reduce((sum, lun) => sum + lun.disks, 0),
  }),
  luns: arrayFigure({
    label: 'LUNs',
    unit: 'LUNs',
    min: 1,
    max: 1_024,
    whole: true,
    read: ({ luns }) => luns.length,
  }),
  queueDepth: arrayFigure({
    label: 'Queue depth of a LUN',
    unit: 'commands at a LUN',
    min: 1,
    max: 4_096,
    whole: true,
    read: ({ luns }) => Math.min(...luns.map((lun) => lun.queueDepth)),
  }),
  portGbps: arrayFigure({
    label: 'Each port',
    unit: 'Gb/s port',
    symbol: 'Gb/s',
    min: 1,
    max: 128,
    whole: false,
    read: ({ portGbps }) => portGbps,
  }),
} as const;
export type ArrayFigure = keyof typeof arrayFigures;

const id = field.id('lab').min(1);
const ids = field.list(id).min(1);
const figures = <K extends string>(of: Readonly<Record<K, unknown>>) =>
  z.enum(Object.keys(of) as [K, ...K[]]);

export const labEdit = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('removeHost'), id }),
  /** A host with the new id `id`, equal to another. */
  z.object({ kind: z.literal('addHost'), id, likeId: id }),
  z.object({
    kind: z.literal('host'),
    ids,
    property: figures(hostFigures),
    value: field.figure().positive(),
  }),
  z.object({
    kind: z.literal('array'),
    ids,
    property: figures(arrayFigures),
    value: field.figure().positive(),
  }),
  z.object({ kind: z.literal('raid'), ids, raid: labLun.shape.raid }),
  /** Other disks under all LUNs of the arrays; what they are called is for people. */
  z.object({
    kind: z.literal('disk'),
    ids,
    name: field.word().min(1),
    rpm: labLun.shape.rpm,
    seekMs: labLun.shape.seekMs,
    diskMbps: labLun.shape.diskMbps,
  }),
  z.object({
    kind: z.literal('drs'),
    enabled: z.boolean(),
    stars: z.number().int().min(1).max(5),
  }),
]);
export type LabEdit = z.infer<typeof labEdit>;
export type Raid = LabLun['raid'];

/** An SSD is a disk that turns so fast that nothing waits for it. */
const solidRpm = 100_000;
export const isSolid = ({ rpm }: Pick<LabLun, 'rpm'>): boolean => rpm >= solidRpm;

/** The LUNs of an array and its ports; undefined where the lab has no such array. */
export function arrayParts(lab: LabSpec, arrayId: string): ArrayParts | undefined {
  const array = lab.arrays.find((one) => one.id === arrayId);
  return (
    array && {
      luns: lab.luns.filter((lun) => lun.arrayId === arrayId),
      portGbps: array.portGbps,
    }
  );
}
