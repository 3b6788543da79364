/**
 * Packed triples of many batches as one, at most about `perSeries` points a series: each series is
 * cut into equal parts of time and keeps the least and the greatest of each, and its last. Peaks
 * stay; order within a series stays.
 */
export function mergeThinned(batches: readonly Float64Array[], perSeries: number): Float64Array {
  const points = batches.reduce((sum, batch) => sum + batch.length / 3, 0);
  const bySeries = new Map<number, number[]>();
  for (const batch of batches) {
    for (let at = 0; at + 2 < batch.length; at += 3) {
      const list = bySeries.get(batch[at]!);
      if (list) list.push(batch[at + 1]!, batch[at + 2]!);
      else bySeries.set(batch[at]!, [batch[at + 1]!, batch[at + 2]!]);
    }
  }
  if (points <= bySeries.size * perSeries) return concat(batches, points);
  const merged: number[] = [];
  for (const [id, list] of bySeries)
    for (const at of kept(list, perSeries)) merged.push(id, list[at]!, list[at + 1]!);
  return Float64Array.from(merged);
}

function concat(batches: readonly Float64Array[], points: number): Float64Array {
  if (batches.length === 1) return batches[0]!;
  const all = new Float64Array(points * 3);
  let at = 0;
  for (const batch of batches) {
    all.set(batch, at);
    at += batch.length;
  }
  return all;
}

/** Places in a list of (t, value) pairs that stay, ascending. */
function kept(list: readonly number[], perSeries: number): number[] {
  const count = list.length / 2;
  if (count <= perSeries) return Array.from({ length: count }, (_, index) => index * 2);
  const parts = Math.max(1, Math.floor((perSeries - 1) / 2));
  const places = new Set<number>();
  for (let part = 0; part < parts; part += 1) {
    const from = Math.floor((count * part) / parts);
    const to = Math.floor((count * (part + 1)) / parts);
    let least = from;
    let greatest = from;
    for (let index = from; index < to; index += 1) {
      if (list[index * 2 + 1]! < list[least * 2 + 1]!) least = index;
      if (list[index * 2 + 1]! > list[greatest * 2 + 1]!) greatest = index;
    }
    places.add(least * 2).add(greatest * 2);
  }
  places.add((count - 1) * 2);
  return [...places].sort((a, b) => a - b);
}
