/**
 * A sign of one or two letters for each workload, in order: the first letter of its id, then its
 * first two, then its first and last, then its number. Unique in the list.
 */
export function workloadLetters(ids: readonly string[]): string[] {
  const used = new Set<string>();
  return ids.map((id, ordinal) => {
    const letter =
      [id.slice(0, 1), id.slice(0, 2), id.slice(0, 1) + id.slice(-1)]
        .map((one) => one.slice(0, 1).toUpperCase() + one.slice(1))
        .find((one) => !used.has(one)) ?? String(ordinal + 1);
    used.add(letter);
    return letter;
  });
}
