/** Letters and signs that axes, page numbers and readouts are made of. */
const always =
  Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('') +
  '–—−×…·µ±°≤≥\u00a0\u200b';

/** Every character that a report can show, once each; numbers of its lines are of the known ones. */
export function charsOf(report: unknown): Set<string> {
  const chars = new Set(always);
  const walk = (value: unknown): void => {
    if (typeof value === 'string') for (const char of value) chars.add(char);
    if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return;
    Object.values(value).forEach(walk);
  };
  walk(report);
  return new Set([...chars].sort());
}
