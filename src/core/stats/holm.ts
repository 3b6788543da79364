/**
 * p values adjusted for being several: S. Holm, "A simple sequentially rejective multiple test
 * procedure", Scandinavian Journal of Statistics 6 (1979) 65–70. In the order given; each is at
 * least its own p and at most 1.
 */
export function holm(values: readonly number[]): number[] {
  const order = values.map((_, i) => i).sort((a, b) => values[a]! - values[b]!);
  const adjusted = new Array<number>(values.length);
  let greatest = 0;
  order.forEach((index, rank) => {
    greatest = Math.max(greatest, Math.min(1, (values.length - rank) * values[index]!));
    adjusted[index] = greatest;
  });
  return adjusted;
}
