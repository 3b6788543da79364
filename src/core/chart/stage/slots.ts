import type { PlacementHistory } from '../../run/run.ts';

/** A stay of a VM in one place of a host's rack; times in epoch ms, `toMs` null = it lasts. */
export interface SlotStay {
  fromMs: number;
  toMs: number | null;
  /** null = on no host that vCenter names. */
  host: number | null;
  /** Place in the rack, from 0; of no meaning without a host. */
  slot: number;
}

/**
 * Where in its rack each VM stands, by index of the VM: the lowest place that is free from its
 * arrival on. A VM keeps its place until it moves itself: neighbours that leave leave a gap.
 * `order`: index of VMs by which those found at the start are put in; moves come as recorded, so
 * that a later one changes no place given before.
 */
export function slotStays(
  { vms, moves }: Pick<PlacementHistory, 'vms' | 'moves'>,
  order: readonly number[],
): SlotStay[][] {
  const rank = new Map(order.map((vm, at) => [vm, at]));
  const found = moves
    .filter((move) => move.by === 'start')
    .sort((a, b) => (rank.get(a.vm) ?? Infinity) - (rank.get(b.vm) ?? Infinity));
  const stays: SlotStay[][] = vms.map(() => []);
  /** Of each place of each host: until when it was taken; Infinity = it is. */
  const takenUntil = new Map<number, number[]>();
  for (const { tMs, vm, host } of [...found, ...moves.filter((move) => move.by !== 'start')]) {
    const own = stays[vm];
    if (own === undefined) continue;
    const last = own.at(-1);
    if (last !== undefined) {
      last.toMs = tMs;
      if (last.host !== null) takenUntil.get(last.host)![last.slot] = tMs;
    }
    own.push({ fromMs: tMs, toMs: null, host, slot: takeSlot(takenUntil, host, tMs) });
  }
  return stays;
}

function takeSlot(taken: Map<number, number[]>, host: number | null, fromMs: number): number {
  if (host === null) return 0;
  const places = taken.get(host) ?? [];
  taken.set(host, places);
  const free = places.findIndex((untilMs) => untilMs <= fromMs);
  const slot = free < 0 ? places.length : free;
  places[slot] = Infinity;
  return slot;
}

/** The same VMs as they stood at one moment, with no way that led there: racks without gaps. */
export function placementAt(history: PlacementHistory, atMs: number): PlacementHistory {
  const last = new Map<number, number | null>();
  for (const { tMs, vm, host } of history.moves) if (tMs <= atMs) last.set(vm, host);
  return {
    ...history,
    moves: [...last].map(([vm, host]) => ({ tMs: atMs, vm, host, by: 'start' })),
  };
}

/** The stay that holds at a time; undefined before the first. */
export const slotAt = (stays: readonly SlotStay[], atMs: number): SlotStay | undefined =>
  stays.findLast((stay) => stay.fromMs <= atMs);

/** Places a rack must have for all that ever stood in one. */
export const slotsUsed = (stays: readonly (readonly SlotStay[])[]): number =>
  stays.reduce(
    (most, own) =>
      own.reduce((n, { host, slot }) => (host === null ? n : Math.max(n, slot + 1)), most),
    0,
  );
