import * as z from 'zod';

import { field } from '../base/field.ts';

/** What esxtop is looked at for, in the order in which it is told. */
export const esxtopSights = ['ready', 'costop', 'queue', 'kernel', 'device', 'drops'] as const;
export type EsxtopSightKind = (typeof esxtopSights)[number];
export const esxtopSightWords: Readonly<Record<EsxtopSightKind, string>> = {
  ready: 'CPU ready time',
  costop: 'Co-stop time',
  queue: 'LUN queue',
  kernel: 'Kernel latency',
  device: 'Device latency',
  drops: 'Dropped packets',
};

/** One thing that esxtop said of a VM, a LUN or an uplink over an interval. */
const esxtopSight = z.object({
  kind: z.enum(esxtopSights),
  /** VM, LUN or uplink. */
  subject: field.name('thing'),
  mean: field.figure(),
  most: field.figure(),
  unit: field.word(),
  /** How far the mean went from where it begins to count (0) to where it counts in full (1). */
  level: z.number().min(0).max(1),
  /** Where it begins to count, and who says so. */
  from: field.figure(),
  source: field.freeText(),
  /** Other figures of the same thing. */
  evidence: field.list(
    z.object({ label: field.freeText(), mean: field.figure(), unit: field.word() }),
    16,
  ),
});
export type EsxtopSight = z.infer<typeof esxtopSight>;

/** esxtop on one host for one interval, asked for by a person. */
export const esxtopLook = z.object({
  id: field.count(),
  hostRef: field.id('ref'),
  hostName: field.name('host'),
  atMs: field.timeMs(),
  everyS: z.number().int().min(1).max(60),
  rows: z.number().int().min(1).max(300),
  state: z.enum(['running', 'done', 'failed']),
  /** Rows that came so far. */
  rowsRead: field.count(),
  /** The loudest first; empty until it is done. */
  sights: field.list(esxtopSight, 64),
  /** Why it failed. */
  error: field.freeText().optional(),
});
export type EsxtopLook = z.infer<typeof esxtopLook>;

export const esxtopOfRun = z.object({
  /** Hosts that can be logged in to. */
  hosts: field.list(z.object({ ref: field.id('ref'), name: field.name('host') })),
  looks: field.list(esxtopLook, 200),
});

/** Over its time by so much an interval that still runs was ended with the engine. */
const patienceMs = 120_000;
/** What became of an interval: one whose engine went away never ends by itself. */
export const lookState = (
  { state, atMs, everyS, rows }: EsxtopLook,
  nowMs: number,
  isOver: boolean,
): EsxtopLook['state'] =>
  state === 'running' && (isOver || nowMs > atMs + (rows + 1) * everyS * 1_000 + patienceMs)
    ? 'failed'
    : state;
