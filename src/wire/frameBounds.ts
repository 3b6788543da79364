/*
 * What a frame of MessagePack claims to hold, held against its bytes before anything is made of it:
 * a header of five bytes may claim an array of 2³² entries, and a few thousand bytes may nest
 * deeper than any reader of the message can go.
 */

export interface FrameBounds {
  /** Containers within each other. */
  maxDepth: number;
  /** Values in all, keys of maps included. */
  maxItems: number;
}
/**
 * A message of our own engine: the history of a large lab with all its rows. Depth is the encoder's
 * own limit.
 */
export const ownBounds: FrameBounds = { maxDepth: 100, maxItems: 16_000_000 };
/**
 * A message of somebody who may not be a page of ours: room for the largest testbed, many times
 * over.
 */
export const strangerBounds: FrameBounds = { maxDepth: 64, maxItems: 500_000 };

/** The only extension that is sent: a Float64Array. */
export const arrayExtension = 1;

/** Bytes of numbers by their first byte, from 0xca (float 32) to 0xd3 (int 64). */
const numberBytes = [4, 8, 1, 2, 4, 8, 1, 2, 4, 8] as const;

/**
 * Reads the headers of a frame and passes over its contents. null = within bounds and complete;
 * otherwise what is wrong, in words.
 */
export function faultOfFrame(frame: Uint8Array, bounds: FrameBounds): string | null {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  /** Values still to come in each container that is open; the first is the message itself. */
  const open = [1];
  let items = 1;
  let at = 0;
  const sizeOf = (bytes: number): number =>
    bytes === 1 ? view.getUint8(at) : bytes === 2 ? view.getUint16(at) : view.getUint32(at);
  while (open.length > 0) {
    const left = open[open.length - 1]!;
    if (left === 0) {
      open.pop();
      continue;
    }
    open[open.length - 1] = left - 1;
    if (at >= frame.byteLength) return cutShort;
    const head = heads[view.getUint8(at)];
    at += 1;
    if (!head) return 'A message holds a byte that begins nothing.';
    if (at + head.sizeBytes > frame.byteLength) return cutShort;
    const count = head.sizeBytes === 0 ? head.count : sizeOf(head.sizeBytes);
    at += head.sizeBytes;
    if (head.kind === 'container') {
      const values = count * head.valuesEach;
      items += values;
      if (values > frame.byteLength - at) return cutShort;
      if (items > bounds.maxItems) return `A message holds more than ${bounds.maxItems} values.`;
      if (open.length > bounds.maxDepth)
        return `A message nests deeper than ${bounds.maxDepth} levels.`;
      open.push(values);
      continue;
    }
    if (head.kind === 'extension') {
      if (at >= frame.byteLength) return cutShort;
      const type = view.getInt8(at);
      if (type !== arrayExtension) return `A message holds an extension of type ${type}.`;
      at += 1;
    }
    at += count;
    if (at > frame.byteLength) return cutShort;
  }
  return at === frame.byteLength ? null : 'A frame holds more than one message.';
}

const cutShort = 'A message claims more than it holds.';

interface Head {
  kind: 'bytes' | 'container' | 'extension';
  /** Bytes of the size that follow; 0 = `count` says it. */
  sizeBytes: 0 | 1 | 2 | 4;
  /** Bytes of content, or entries of a container. */
  count: number;
  /** Values an entry: 2 of a map, 1 of an array. */
  valuesEach: 1 | 2;
}
const bytes = (sizeBytes: Head['sizeBytes'], count = 0): Head => ({
  kind: 'bytes',
  sizeBytes,
  count,
  valuesEach: 1,
});
const container = (valuesEach: 1 | 2, sizeBytes: Head['sizeBytes'], count = 0): Head => ({
  kind: 'container',
  sizeBytes,
  count,
  valuesEach,
});
const extension = (sizeBytes: Head['sizeBytes'], count = 0): Head => ({
  ...bytes(sizeBytes, count),
  kind: 'extension',
});

/**
 * What begins with this byte (MessagePack specification, "Overview" of formats); null = nothing
 * does.
 */
function headOf(first: number): Head | null {
  if (first < 0x80 || first >= 0xe0) return bytes(0);
  if (first < 0x90) return container(2, 0, first & 0x0f);
  if (first < 0xa0) return container(1, 0, first & 0x0f);
  if (first < 0xc0) return bytes(0, first & 0x1f);
  if (first >= 0xca && first <= 0xd3) return bytes(0, numberBytes[first - 0xca]);
  switch (first) {
    case 0xc0:
    case 0xc2:
    case 0xc3:
      return bytes(0);
    case 0xc4:
    case 0xd9:
      return bytes(1);
    case 0xc5:
    case 0xda:
      return bytes(2);
    case 0xc6:
    case 0xdb:
      return bytes(4);
    case 0xc7:
      return extension(1);
    case 0xc8:
      return extension(2);
    case 0xc9:
      return extension(4);
    case 0xd4:
    case 0xd5:
    case 0xd6:
    case 0xd7:
    case 0xd8:
      return extension(0, 2 ** (first - 0xd4));
    case 0xdc:
      return container(1, 2);
    case 0xdd:
      return container(1, 4);
    case 0xde:
      return container(2, 2);
    case 0xdf:
      return container(2, 4);
    default:
      return null;
  }
}
const heads = Array.from({ length: 256 }, (_, first) => headOf(first));
