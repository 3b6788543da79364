/** A rectangle in pixels. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}
/** Racks side by side, all of one size, and the grid of blocks in each. */
export interface StageLayout {
  racks: readonly Box[];
  /** Side of a block, px. */
  block: number;
  /** Blocks side by side in a rack. */
  columns: number;
  /** Height of the line above the blocks, and of the figures below them. */
  headPx: number;
  footPx: number;
}

const gapPx = 8;
const padPx = 6;
/** Room of the bar that shows CPU, at the left of the blocks. */
export const gaugePx = 5;
const blockGapPx = 2;
const largestBlockPx = 38;
/** Racks stand side by side, unless blocks get so much larger by another row. */
const worthARow = 1.3;
/** Narrower, its name and figures could not be read. */
export const leastRackPx = 58;
const leastRackHeightPx = 74;
const headPx = 20;

/** Watts stand beside the CPU where there is room, else below it. */
const footPxOf = (rackPx: number): number => (rackPx >= 112 ? 20 : 34);

/** The largest blocks of which `capacity` go into a box. */
function blocksIn(
  width: number,
  height: number,
  capacity: number,
): { block: number; columns: number } {
  let best = { block: 1, columns: capacity };
  for (let columns = 1; columns <= capacity; columns++) {
    const rows = Math.ceil(capacity / columns);
    const block = Math.floor(
      Math.min((width + blockGapPx) / columns, (height + blockGapPx) / rows, largestBlockPx + 2) -
        blockGapPx,
    );
    if (block > best.block) best = { block, columns };
  }
  return best;
}

/** How many rows of racks a width asks for. */
const rowsFor = (hosts: number, width: number): number =>
  Math.max(1, Math.ceil(hosts / Math.max(1, Math.floor((width + gapPx) / (leastRackPx + gapPx)))));

/** Height that lets all hosts be read at a width: `onePx` for one row of racks, less for others. */
export function stageHeight(hosts: number, width: number, onePx: number): number {
  const rows = rowsFor(hosts, width);
  return rows === 1 ? onePx : Math.max(onePx, rows * (104 + gapPx) - gapPx);
}

/** Places `hosts` racks in rows such that blocks are largest and every rack can be read. */
export function layoutStage(
  hosts: number,
  capacity: number,
  width: number,
  height: number,
): StageLayout {
  const least = rowsFor(hosts, width);
  const most = Math.max(least, Math.floor((height + gapPx) / (leastRackHeightPx + gapPx)));
  let best = rackGrid(hosts, capacity, width, height, least);
  for (let rows = least + 1; rows <= Math.min(most, hosts); rows++) {
    const next = rackGrid(hosts, capacity, width, height, rows);
    if (next.block > best.block * worthARow) best = next;
  }
  return best;
}

function rackGrid(
  hosts: number,
  capacity: number,
  width: number,
  height: number,
  rows: number,
): StageLayout {
  const across = Math.max(1, Math.ceil(hosts / rows));
  const rackPx = Math.floor((width + gapPx) / across) - gapPx;
  const rackHeightPx = Math.floor((height + gapPx) / rows) - gapPx;
  const footPx = footPxOf(rackPx);
  const { block, columns } = blocksIn(
    rackPx - padPx * 2 - gaugePx,
    rackHeightPx - headPx - footPx - padPx,
    capacity,
  );
  return {
    racks: Array.from({ length: hosts }, (_, at) => ({
      x: (at % across) * (rackPx + gapPx),
      y: Math.floor(at / across) * (rackHeightPx + gapPx),
      width: rackPx,
      height: rackHeightPx,
    })),
    block,
    columns,
    headPx,
    footPx,
  };
}

/** Of a rack: the box that blocks and the CPU's fill are in. */
export const shelfOf = (layout: StageLayout, host: number): Box => {
  const { x, y, width, height } = layout.racks[host]!;
  return { x, y: y + layout.headPx, width, height: height - layout.headPx - layout.footPx };
};

/** Upper left corner of a place in a rack: rows fill from the bottom, from left to right. */
export function blockAt(layout: StageLayout, host: number, slot: number): { x: number; y: number } {
  const shelf = shelfOf(layout, host);
  const step = layout.block + blockGapPx;
  return {
    x: shelf.x + gaugePx + padPx + (slot % layout.columns) * step,
    y: shelf.y + shelf.height - padPx / 2 - layout.block - Math.floor(slot / layout.columns) * step,
  };
}
