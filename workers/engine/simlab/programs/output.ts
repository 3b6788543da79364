import type { Format, Interval } from './types.ts';

/**
 * A job's stdout without its bytes: the numbers of every interval, and the tool's state at
 * checkpoints to print from.
 */
export interface Output {
  readonly bytes: number;
  readonly intervals: number;
  /** Adds an interval; its text is what `read` gives next. */
  add(values: readonly number[], interval: Interval): void;
  /** The tool's own report; nothing comes after it. */
  finish(): void;
  /**
   * Text from a byte offset on, at most about `maxBytes` (whole intervals). ASCII: a character is a
   * byte.
   */
  read(fromOffset: number, maxBytes?: number): string;
}

const checkpointEvery = 128;
const keptChars = 8_192;

interface Checkpoint<S> {
  index: number;
  offset: number;
  state: S;
}

export function createOutput<S>(format: Format<S>): Output {
  const { fields } = format;
  let numbers = new Float32Array(fields * 64);
  const times: Interval[] = [];
  const scratch = new Float32Array(fields);
  const state = format.begin();
  const checkpoints: Checkpoint<S>[] = [
    { index: 0, offset: format.header.length, state: format.begin() },
  ];
  let intervals = 0;
  let bytes = format.header.length;
  let trailer = '';
  let body = bytes;
  /** The newest text, so that followers print nothing twice. */
  let recent = format.header;
  let recentFrom = 0;

  const valuesAt = (index: number): Float32Array => {
    for (let field = 0; field < fields; field += 1)
      scratch[field] = numbers[index * fields + field]!;
    return scratch;
  };
  const append = (text: string): void => {
    recent += text;
    bytes += text.length;
    if (recent.length > 2 * keptChars) {
      const cut = recent.length - keptChars;
      recent = recent.slice(cut);
      recentFrom += cut;
    }
  };
  /** Prints again from the checkpoint before `fromOffset`. */
  const reprint = (fromOffset: number, maxBytes: number): string => {
    if (fromOffset < format.header.length) return format.header.slice(fromOffset);
    const start = checkpoints.findLast((one) => one.offset <= fromOffset) ?? checkpoints[0]!;
    const again = structuredClone(start.state);
    let text = '';
    let offset = start.offset;
    for (let index = start.index; index < intervals && text.length < maxBytes; index += 1) {
      const line = format.print(again, valuesAt(index), timeAt(times, index));
      const skip = Math.max(0, fromOffset - offset);
      if (skip < line.length) text += line.slice(skip);
      offset += line.length;
    }
    return offset >= body && text.length < maxBytes
      ? text + trailer.slice(Math.max(0, fromOffset - body))
      : text;
  };

  return {
    get bytes() {
      return bytes;
    },
    get intervals() {
      return intervals;
    },
    add(values, interval) {
      if ((intervals + 1) * fields > numbers.length) {
        const grown = new Float32Array(Math.ceil((numbers.length / fields) * 1.5) * fields);
        grown.set(numbers);
        numbers = grown;
      }
      numbers.set(values, intervals * fields);
      noteTime(times, interval);
      append(format.print(state, valuesAt(intervals), interval));
      intervals += 1;
      body = bytes;
      if (intervals % checkpointEvery === 0)
        checkpoints.push({ index: intervals, offset: bytes, state: structuredClone(state) });
    },
    finish() {
      trailer = format.trailer(state);
      append(trailer);
    },
    read(fromOffset, maxBytes = 256 * 1_024) {
      if (fromOffset >= bytes) return '';
      return fromOffset >= recentFrom
        ? recent.slice(fromOffset - recentFrom, fromOffset - recentFrom + maxBytes)
        : reprint(fromOffset, maxBytes);
    },
  };
}

/**
 * Adds when an interval was to `times`, which are runs of equal steps by their first intervals: a
 * clock that is set back starts another.
 */
function noteTime(times: Interval[], { index, elapsedMs, lengthMs, clientMs }: Interval): void {
  const last = times.at(-1);
  const steps = last ? (index - last.index) * last.lengthMs : 0;
  if (
    last &&
    last.lengthMs === lengthMs &&
    last.elapsedMs + steps === elapsedMs &&
    last.clientMs + steps === clientMs
  )
    return;
  times.push({ index, elapsedMs, lengthMs, clientMs });
}

function timeAt(times: readonly Interval[], index: number): Interval {
  let low = 0;
  for (let high = times.length - 1; low < high;) {
    const middle = (low + high + 1) >> 1;
    if (times[middle]!.index <= index) low = middle;
    else high = middle - 1;
  }
  const { index: from, elapsedMs, lengthMs, clientMs } = times[low]!;
  const stepMs = (index - from) * lengthMs;
  return { index, elapsedMs: elapsedMs + stepMs, lengthMs, clientMs: clientMs + stepMs };
}
