/**
 * The one set of bounds. Every schema that something from outside can reach is made of the fields
 * of `field.ts`, which keep to these, so that no string, list, record, time or count is open;
 * `field.test.ts` walks all schemas. They are this app's choice: far above what an honest testbed
 * has (400 tiles of 19 VMs), far below what harms a console.
 */
export const limits = {
  /** Characters of a whole document inside a message: a log, a file. */
  document: 64 * 1024 ** 2,
  secret: 65_536,
  /** Members of any list or record; those that can be told tighter say so where they stand. */
  items: 100_000,
  /** Series of a run: 400 tiles × 19 workloads × 5 metrics, and hosts and datastores beside. */
  series: 50_000,
  /** Last millisecond of the year 9999: four digits in every format. */
  timeMs: 253_402_300_799_999,
  /** Below 2^53 with room to add: a count that is bumped stays a whole number. */
  count: 1e15,
  /** From here on a number is printed with an exponent. */
  figure: 1e21,
  /** Bytes of one binary member of a message. */
  bytes: 64 * 1024 ** 2,
  /** Numbers in one list of samples. */
  samples: 100_000_000,
  /**
   * Values inside a JSON value of any form, its depth, and characters of each of its strings and
   * keys.
   */
  json: { values: 10_000, depth: 32, text: 65_536, key: 1_000 },
} as const;

/**
 * Control characters, characters that turn or hide text (bidirectional controls, zero width, byte
 * order marks) and halves of surrogate pairs: none belongs in a name. Joiners (U+200C, U+200D) do,
 * in several scripts.
 */
const notInLine =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\p{Cs}]/u;
const notInLineRuns = new RegExp(`${notInLine.source}+`, 'gu');
/** Line ends and tabs stay. */
const notInText = new RegExp(
  notInLine.source.replace('\\u0000-\\u001f', '\\u0000-\\u0008\\u000b-\\u001f'),
  'u',
);
const notInTextAll = new RegExp(notInText.source, 'gu');

export const isPrintable = (text: string): boolean => !notInLine.test(text);

/**
 * One line as it may be shown anywhere: what does not print is one space, none at the ends. Clean
 * text comes back as it is.
 */
export const printableLine = (text: string): string =>
  notInLine.test(text) ? text.replace(notInLineRuns, ' ').trim() : text;

/**
 * Text of several lines as it may be shown anywhere: line ends and tabs stay, every other control
 * character goes.
 */
export const printable = (text: string): string =>
  notInText.test(text) ? text.replaceAll('\r\n', '\n').replace(notInTextAll, '') : text;

/** Whether a JSON value of any form keeps to `limits.json` and its figures to `limits.figure`. */
export function isBoundedJson(value: unknown): boolean {
  let left: number = limits.json.values;
  const fits = (one: unknown, depth: number): boolean => {
    left -= 1;
    if (left < 0 || depth > limits.json.depth) return false;
    if (typeof one === 'string') return one.length <= limits.json.text;
    if (typeof one === 'number') return Math.abs(one) <= limits.figure;
    if (one === null || typeof one === 'boolean') return true;
    return (
      typeof one === 'object' &&
      Object.entries(one).every(
        ([key, inner]) => key.length <= limits.json.key && fits(inner, depth + 1),
      )
    );
  };
  return fits(value, 0);
}
