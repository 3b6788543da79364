import { tileStyle } from '../../../core/chart/palette.ts';
import type { PlacementHistory } from '../../../core/run/run.ts';

export type MovedBy = PlacementHistory['moves'][number]['by'];
/** A stay of a VM on a host, run-relative; `toMs` null = until the end of what is known. */
export interface Stay {
  fromMs: number;
  toMs: number | null;
  host: number | null;
  by: MovedBy;
}
export interface PlacementRow {
  vm: number;
  name: string;
  tile: number | null;
  /** First row of its tile. */ opens: boolean;
  stays: readonly Stay[];
}

/** By whom, in words, and the shape of its mark: never colour alone. */
export const movedByWords: Readonly<
  Record<MovedBy, { word: string; shape: 'circle' | 'diamond' | 'triangle' | 'square' | null }>
> = {
  start: { word: 'found there', shape: null },
  run: { word: 'operation of this run', shape: 'circle' },
  drs: { word: 'DRS or HA', shape: 'diamond' },
  other: { word: 'somebody else', shape: 'triangle' },
  unknown: { word: 'not told by whom', shape: 'square' },
};

/** A, B … Z, AA, AB …: with a host's colour, which repeats after eight. */
export function hostLetter(index: number): string {
  const rest = Math.floor(index / 26);
  return (rest > 0 ? hostLetter(rest - 1) : '') + String.fromCharCode(65 + (index % 26));
}
export const hostColor = (index: number): string => tileStyle(index).color;

/** One row a VM, tile by tile; VMs of no tile last. Times are relative to `originMs`. */
export function placementRows({ vms, moves }: PlacementHistory, originMs: number): PlacementRow[] {
  const stays = new Map<number, Stay[]>();
  for (const { tMs, vm, host, by } of [...moves].sort((a, b) => a.tMs - b.tMs)) {
    const own = stays.get(vm) ?? [];
    const fromMs = tMs - originMs;
    const last = own.at(-1);
    if (last) own[own.length - 1] = { ...last, toMs: fromMs };
    own.push({ fromMs, toMs: null, host, by });
    stays.set(vm, own);
  }
  const order = vms
    .map((vm, i) => ({ ...vm, i }))
    .sort((a, b) => (a.tile ?? Infinity) - (b.tile ?? Infinity) || a.i - b.i);
  return order.map(({ name, tile, i }, at) => ({
    vm: i,
    name,
    tile,
    opens: at === 0 || order[at - 1]!.tile !== tile,
    stays: stays.get(i) ?? [],
  }));
}

/** The stay that holds at a time; undefined before the first. */
const stayAt = (row: PlacementRow, atMs: number): Stay | undefined =>
  row.stays.findLast((stay) => stay.fromMs <= atMs);

/** Where the VM of a row is at a time, since when and how it came there, for reading aloud. */
export function stayText(
  row: PlacementRow | undefined,
  placement: PlacementHistory,
  atMs: number,
  time: (ms: number) => string,
): string {
  if (!row) return '';
  const stay = stayAt(row, atMs);
  const who = `${row.tile === null ? '' : `Tile ${row.tile + 1} `}${row.name}`;
  if (!stay) return `${time(atMs)} · ${who}: not known yet`;
  const host =
    stay.host === null
      ? 'on no host that vCenter names'
      : `on ${placement.hosts[stay.host]!.name} (${hostLetter(stay.host)})`;
  const why =
    stay.by === 'start' ? ', where it was found' : `, moved: ${movedByWords[stay.by].word}`;
  const until = stay.toMs === null ? '' : `, until ${time(stay.toMs)}`;
  return `${time(atMs)} · ${who} ${host} since ${time(stay.fromMs)}${why}${until}`;
}

/** VMs on each host at a time, by host. */
export function hostCounts(rows: readonly PlacementRow[], hosts: number, atMs: number): number[] {
  const counts = Array.from({ length: hosts }, () => 0);
  for (const row of rows) {
    const host = stayAt(row, atMs)?.host;
    if (host !== null && host !== undefined) counts[host]! += 1;
  }
  return counts;
}

const many = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** The picture in one sentence or three. */
export function placementSummary(
  history: PlacementHistory,
  rows: readonly PlacementRow[],
  endMs: number,
): string {
  const moved = history.moves.filter((move) => move.by !== 'start');
  const by = (['drs', 'run', 'other', 'unknown'] as const).flatMap((who) => {
    const count = moved.filter((move) => move.by === who).length;
    const name = movedByWords[who].word
      .replace(/^not told by whom$/, 'nobody that vCenter named')
      .replace(/^operation/, 'an operation');
    return count > 0 ? [`${count} by ${name}`] : [];
  });
  const spread = (atMs: number): string =>
    hostCounts(rows, history.hosts.length, atMs)
      .map((count, i) => `${history.hosts[i]!.name} ${count}`)
      .join(', ');
  const firstMs = Math.min(
    ...rows.flatMap((row) => row.stays.slice(0, 1).map((stay) => stay.fromMs)),
  );
  return (
    `${many(rows.length, 'VM')} on ${many(history.hosts.length, 'host')}, ` +
    `${many(moved.length, 'move')}${by.length > 0 ? `: ${by.join(', ')}` : ''}. At the start: ` +
    `${spread(firstMs)}. ${moved.length > 0 ? `Last: ${spread(endMs)}.` : 'Nothing moved.'}`
  );
}

export interface MoveLine {
  atMs: number;
  vm: string;
  tile: string;
  from: string;
  to: string;
  by: string;
}
/** Every move as a line of the table, first places included, by time. */
export function moveLines(history: PlacementHistory, rows: readonly PlacementRow[]): MoveLine[] {
  const host = (index: number | null | undefined): string =>
    index === null || index === undefined ? 'no host' : history.hosts[index]!.name;
  return rows
    .flatMap((row) =>
      row.stays.map((stay, i) => ({
        atMs: stay.fromMs,
        vm: row.name,
        tile: row.tile === null ? '' : String(row.tile + 1),
        from: i === 0 ? '' : host(row.stays[i - 1]!.host),
        to: host(stay.host),
        by: movedByWords[stay.by].word,
      })),
    )
    .sort((a, b) => a.atMs - b.atMs);
}

/** Moves for a spreadsheet: seconds in the run, the clock, and who moved what from where to where. */
export const movesTsv = (lines: readonly MoveLine[], originMs: number): string =>
  [
    'elapsedS\tclock\ttile\tvm\tfrom\tto\tby',
    ...lines.map((l) =>
      [
        (l.atMs / 1_000).toFixed(1),
        new Date(l.atMs + originMs).toISOString(),
        l.tile,
        l.vm,
        l.from,
        l.to,
        l.by,
      ].join('\t'),
    ),
  ].join('\n');
