/** The first dotted number a tool prints: `fio-3.33` → [3, 33]; null where there is none. */
export function parseVersion(text: string): number[] | null {
  const match = /(\d+(?:\.\d+)+|\d+)/.exec(text)?.[1];
  return match === undefined ? null : match.split('.').map(Number);
}

/**
 * Below 0, 0 or above 0 as `a` is older than, equal to or newer than `b`; missing parts count as 0.
 */
export function compareVersions(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i += 1) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
