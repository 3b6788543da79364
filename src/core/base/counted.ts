/** `2 tiles`, `1 tile`, `1,000 VMs`: a count with its noun. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;

/** A small count is the same in digits, and spares the first window the tables of a language. */
const grouped = (count: number): string =>
  Number.isInteger(count) && Math.abs(count) < 1_000 ? String(count) : count.toLocaleString('en');

/**
 * A count with a unit that is written in the plural, `tiles` say, or is a sign, `ms` say: `1 tile`,
 * `2 tiles`, `1 ms`.
 */
export const withUnit = (value: number, unit: string, text = String(value)): string =>
  `${text} ${value === 1 ? unit.replace(/^(\p{L}{3,}|\p{Lu}{2,})s$/u, '$1') : unit}`;

/** A label within a sentence: `over outstanding I/Os per LUN`; names and shortened words stay. */
export const inSentence = (label: string): string =>
  label.replace(/^[A-Z](?=[a-z]* |[a-z]*$)/, (first) => first.toLowerCase());
