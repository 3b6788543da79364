import type { SeriesData, SeriesDef } from '../../../src/core/metric/metric.ts';
import type { RunRecord } from '../../../src/core/run/run.ts';
import {
  type Bytes,
  createBytes,
  putByte,
  putDigits,
  putNumber,
  putSeconds,
  putWords,
  reserve,
  wordsOf,
} from './csvBytes.ts';

export const csvHeader =
  't_ms,elapsed_s,phase,tile,entity,entity_kind,metric,unit,value,source\r\n';

/**
 * The first row of a run's file. What is not measured on the real lab says so in every row:
 * `origin`, the last column.
 */
export const csvHeaderOf = ({ overview }: RunRecord): string =>
  overview.origin === 'real' ? csvHeader : csvHeader.replace('\r\n', ',origin\r\n');

/**
 * RFC 4180 quoting; a text that a spreadsheet would run as a formula gets an apostrophe in front.
 */
export function csvText(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const comma = 0x2c;
/** Times are written in two parts: everything above this, and its digits. */
const lowRange = 1_000_000;
const lowDigits = 6;
/**
 * The longest a row's numbers get: a time, an elapsed time and a value, each as the language prints
 * it at worst.
 */
const numbersLength = 96;

/**
 * Series as CSV rows behind `head`, one series after the other, each oldest first, in bytes. Values
 * as the source printed them, missing ones left out, nothing rounded again: each number reads back
 * as itself. Digits are written straight into a buffer that is used again for each call: text built
 * number by number was ten times slower.
 */
export function csvOfAll(
  record: RunRecord,
  series: readonly SeriesDef[],
  data: readonly SeriesData[],
  head = '',
): Buffer {
  shared.length = 0;
  reserve(shared, head.length + 4);
  putWords(shared, wordsOf(head));
  series.forEach((def, i) => {
    rowsOf(shared, record, def, data[i]!);
  });
  return Buffer.from(shared.buffer.subarray(0, shared.length));
}
const shared = createBytes(1024 * 1024);

function rowsOf(
  out: Bytes,
  { overview }: RunRecord,
  def: SeriesDef,
  { tMs, value }: SeriesData,
): void {
  const middle = `${def.entity.tile === undefined ? '' : def.entity.tile + 1},${csvText(def.entity.name)},${def.entity.kind},${def.metric},${csvText(def.unit)},`;
  const end = `,${csvText(def.source)}${overview.origin === 'real' ? '' : `,${overview.origin}`}\r\n`;
  const { decimals } = def;
  const startMs = Math.round(overview.startedAtMs ?? tMs[0] ?? 0);
  const spans = overview.phases.map(({ name, startMs: from, endMs, plannedEndMs }) => ({
    words: wordsOf(`,${name},${middle}`),
    from,
    to: endMs ?? plannedEndMs,
  }));
  const outside = { words: wordsOf(`,,${middle}`), from: -Infinity, to: Infinity };
  const ending = wordsOf(end);
  const rowLength =
    Math.max(outside.words.length, ...spans.map(({ words }) => words.length)) +
    ending.length +
    numbersLength;
  let span = outside;
  let upper = wordsOf('');
  let baseMs = NaN;
  for (let i = 0; i < tMs.length; i += 1) {
    reserve(out, rowLength);
    if (i > 0) putWords(out, ending);
    const at = tMs[i]!;
    const low = at - baseMs;
    if (low >= 0 && low < lowRange && Math.floor(low) === low) {
      // Successive times share their high digits.
      putWords(out, upper);
      putDigits(out, low, lowDigits);
    } else {
      const high = Math.floor(at / lowRange);
      const plain = high > 0 && at <= Number.MAX_SAFE_INTEGER && Math.floor(at) === at;
      baseMs = plain ? high * lowRange : NaN;
      upper = wordsOf(String(high));
      putNumber(out, at, 0);
    }
    putByte(out, comma);
    putSeconds(out, at - startMs);
    // Times ascend: the phase is looked up again only when the last one is over.
    if (span === outside || at >= span.to)
      span = spans.find((one) => at >= one.from && at < one.to) ?? outside;
    putWords(out, span.words);
    putNumber(out, value[i]!, decimals);
  }
  if (tMs.length > 0) putWords(out, ending);
}
