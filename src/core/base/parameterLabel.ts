/** Endings of parameter names that say a unit. */
const units: readonly (readonly [RegExp, string])[] = [
  [/Pct$/, '%'],
  [/Mb$/, 'MiB'],
  [/Kb$/, 'KiB'],
  [/Ms$/, 'ms'],
  [/PerS$/, 'per s'],
  [/(?<=[a-z])S$/, 's'],
  [/Iops$/, 'IOPS'],
];

/** Beginnings that say one. */
const beginnings: readonly (readonly [RegExp, string])[] = [[/^pct(?=[A-Z])/, '%']];

/**
 * A driver's parameter in a person's words: `tableSize` is *Table size*, `readPct` *Read (%)*,
 * `imapPort` *IMAP port*.
 */
export function parameterLabel(name: string): string {
  const unit = [...units, ...beginnings].find(([part]) => part.test(name));
  const words = (unit ? name.replace(unit[0], '') : name)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .trim()
    .toLowerCase();
  const label = (words.charAt(0).toUpperCase() + words.slice(1)).replace(
    /\b(?:imap|smtp)\b/i,
    (one) => one.toUpperCase(),
  );
  return unit ? `${label} (${unit[1]})` : label;
}
