import type { SeriesData, SeriesDef } from '../../../src/shared/metric.ts';
import type { RunRecord } from '../../../src/shared/run.ts';

export const csvHeader = 't_ms,elapsed_s,phase,tile,entity,entity_kind,metric,unit,value,source\r\n';

/** The first row of a run's file. What is not measured on the real lab says so in every row: `origin`, the last column. */
export const csvHeaderOf = ({ overview }: RunRecord): string => (overview.origin === 'real' ? csvHeader : csvHeader.replace('\r\n', ',origin\r\n'));

/** RFC 4180 quoting; a text that a spreadsheet would run as a formula gets an apostrophe in front. */
export function csvText(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const comma = 0x2c;
const point = 0x2e;
const zero = 0x30;
const minus = 0x2d;
const powers = [1, 10, 100, 1e3, 1e4, 1e5, 1e6];
/** Numbers above this are printed by the engine of the language; digits by hand stay exact below it. */
const largestByHand = 2 ** 50;

let buffer = Buffer.allocUnsafe(256 * 1024);
let length = 0;

function room(bytes: number): void {
  if (length + bytes <= buffer.length) return;
  const grown = Buffer.allocUnsafe(Math.max(buffer.length * 2, length + bytes));
  buffer.copy(grown, 0, 0, length);
  buffer = grown;
}

/** A non-negative integer below 2^31, at least `width` digits. */
function putSmall(value: number, width: number): void {
  let digits = width;
  for (let bound = 10 ** width; value >= bound; bound *= 10) digits += 1;
  let rest = value | 0;
  for (let at = length + digits - 1; at >= length; at -= 1) {
    const next = (rest / 10) | 0;
    buffer[at] = zero + rest - next * 10;
    rest = next;
  }
  length += digits;
}
/** A non-negative integer below 2^53: in two halves, so that each is done in 32-bit arithmetic. */
function putDigits(value: number, width: number): void {
  if (value < 1e9) { putSmall(value, width); return; }
  const high = Math.floor(value / 1e7);
  if (high < 1e9) putSmall(high, 1); else length += buffer.write(String(high), length, 'latin1');
  putSmall(value - high * 1e7, 7);
}

/** The shortest decimal with at most `decimals` places that is exactly this number; anything else as the language prints it. */
function putNumber(value: number, decimals: number): void {
  const scale = powers[decimals] ?? 1;
  const whole = Math.round(Math.abs(value) * scale);
  if (whole / scale !== Math.abs(value) || whole > largestByHand) { length += buffer.write(String(value), length, 'latin1'); return; }
  if (value < 0) buffer[length++] = minus;
  const integer = Math.floor(whole / scale);
  putDigits(integer, 1);
  const fraction = whole - integer * scale;
  if (fraction !== 0) putFraction(fraction, decimals);
}

/** Times are written in two parts: everything above this, and five digits. */
const lowRange = 100_000;
const isPlainMs = (at: number): boolean => at >= lowRange && at <= Number.MAX_SAFE_INTEGER && Math.floor(at) === at;

/** An integer below 100,000 with its leading zeros. */
function putLow(value: number): void {
  let rest = value;
  for (let at = length + 4; at >= length; at -= 1) {
    const next = (rest / 10) | 0;
    buffer[at] = zero + rest - next * 10;
    rest = next;
  }
  length += 5;
}

/** Milliseconds as seconds with up to three places. */
function putElapsed(ms: number): void {
  if (ms < 0 || ms >= 2 ** 31 || Math.floor(ms) !== ms) { putNumber(ms / 1_000, 3); return; }
  const seconds = (ms / 1_000) | 0;
  putSmall(seconds, 1);
  const rest = ms - seconds * 1_000;
  if (rest !== 0) putFraction(rest, 3);
}

function putFraction(fraction: number, decimals: number): void {
  let rest = fraction;
  let places = decimals;
  while (rest % 10 === 0) { rest /= 10; places -= 1; }
  buffer[length++] = point;
  putDigits(rest, places);
}

/**
 * One series as CSV rows, oldest first, in bytes. Values as the source printed them, missing ones left out,
 * nothing rounded again. A byte formatter: text built number by number was three times slower.
 */
export function csvOfSeries({ overview }: RunRecord, def: SeriesDef, { tMs, value }: SeriesData): Buffer {
  const middle = Buffer.from(`${def.entity.tile === undefined ? '' : def.entity.tile + 1},${csvText(def.entity.name)},${def.entity.kind},${def.metric},${csvText(def.unit)},`);
  const end = Buffer.from(`,${csvText(def.source)}${overview.origin === 'real' ? '' : `,${overview.origin}`}\r\n`);
  const startMs = Math.round(overview.startedAtMs ?? tMs[0] ?? 0);
  const spans = overview.phases.map(({ name, startMs: from, endMs, plannedEndMs }) => ({ words: Buffer.concat([Buffer.from(`,${name},`), middle]), from, to: endMs ?? plannedEndMs }));
  const outside = { words: Buffer.concat([Buffer.from(',,'), middle]), from: -Infinity, to: Infinity };
  let span = outside;
  // Successive times share their high digits: these go with the row's end, as one copy.
  let joint = Buffer.alloc(0);
  let high = -1;
  length = 0;
  for (let i = 0; i < tMs.length; i += 1) {
    room(middle.length + 2 * end.length + 180);
    const at = tMs[i]!;
    if (isPlainMs(at)) {
      const upper = Math.floor(at / lowRange);
      if (upper !== high) {
        if (i > 0) length += end.copy(buffer, length);
        high = upper;
        joint = Buffer.concat([end, Buffer.from(String(upper))]);
        length += joint.copy(buffer, length, end.length);
      } else {
        length += joint.copy(buffer, length);
      }
      putLow((at - upper * lowRange) | 0);
    } else {
      if (i > 0) length += end.copy(buffer, length);
      high = -1;
      putDigits(at, 1);
    }
    buffer[length++] = comma;
    putElapsed(at - startMs);
    // Times ascend: the phase is looked up again only when the last one is over.
    if (span === outside || at >= span.to) span = spans.find((one) => at >= one.from && at < one.to) ?? outside;
    length += span.words.copy(buffer, length);
    putNumber(value[i]!, def.decimals);
  }
  if (tMs.length > 0) length += end.copy(buffer, length);
  return Buffer.from(buffer.subarray(0, length));
}
