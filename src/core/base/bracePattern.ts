/** Most values a pattern may stand for: as many as a testbed may have tiles. */
export const patternLimit = 400;

export type Expanded = { values: string[] } | { problem: string };

/** `{1..20}` counts, `{01..20}` with zeros before, `{a,b}` lists: as a shell writes them. */
const group = /\{([^{}]*)\}/;
const range = /^(\d{1,9})\.\.(\d{1,9})$/;

/**
 * What a pattern stands for, in its order; several groups are combined, the last runs fastest. A
 * text without braces stands for itself. `problem`: what is wrong with it, in words.
 */
export function expandBraces(pattern: string): Expanded {
  let values = [pattern];
  for (let found = group.exec(values[0]!); found !== null; found = group.exec(values[0]!)) {
    const members = membersOf(found[1]!);
    if (typeof members === 'string') return { problem: members };
    if (values.length * members.length > patternLimit)
      return { problem: `More than ${patternLimit}: make the range smaller.` };
    const [whole] = found;
    values = values.flatMap((value) => members.map((member) => value.replace(whole, () => member)));
  }
  return /[{}]/.test(values[0]!) ? { problem: 'A brace has no partner.' } : { values };
}

/** The members of one group, or what is wrong with it. */
function membersOf(inside: string): string[] | string {
  const bounds = range.exec(inside);
  if (bounds === null) {
    const listed = inside.split(',').map((one) => one.trim());
    return listed.length > 1 && listed.every((one) => one !== '')
      ? listed
      : `{${inside}} is neither a range, as {1..20}, nor a list, as {a,b}.`;
  }
  const [from, to] = [Number(bounds[1]), Number(bounds[2])];
  if (to < from) return `{${inside}} counts down: begin with the smaller number.`;
  if (to - from >= patternLimit) return `More than ${patternLimit}: make the range smaller.`;
  const width = [bounds[1]!, bounds[2]!].some((digits) => /^0\d/.test(digits))
    ? Math.max(bounds[1]!.length, bounds[2]!.length)
    : 0;
  return Array.from({ length: to - from + 1 }, (_, step) =>
    String(from + step).padStart(width, '0'),
  );
}
