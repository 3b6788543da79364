/** What a line-wise parser is built from. Offsets count from the start of the job's stdout. */
export interface LineReader {
  push(chunk: Uint8Array): void;
  /** The last line may lack its newline. */
  end(): void;
  /** Offset of the first byte that no complete line holds yet. */
  readonly offset: number;
  /** Lines that were longer than the bound; skipped without being kept. */
  readonly oversized: number;
}

const newline = 10;
const carriageReturn = 13;

/**
 * Cuts bytes into lines and hands each to `onLine` with the offset of its first byte.
 * A line longer than `maxBytes` is skipped and counted; memory stays bounded by it.
 */
export function createLineReader(
  fromOffset: number,
  onLine: (text: string, offset: number) => void,
  onOversized: () => void,
  maxBytes = 64 * 1024,
): LineReader {
  const held = new Uint8Array(maxBytes);
  const decoder = new TextDecoder('utf-8', { fatal: false });
  let length = 0;
  let skipping = false;
  let lineStart = fromOffset;
  let position = fromOffset;
  let oversized = 0;

  const give = (bytes: Uint8Array): void => {
    const end =
      bytes.length > 0 && bytes[bytes.length - 1] === carriageReturn
        ? bytes.length - 1
        : bytes.length;
    onLine(decoder.decode(bytes.subarray(0, end)), lineStart);
  };
  const keep = (bytes: Uint8Array): void => {
    if (skipping) return;
    if (length + bytes.length > maxBytes) {
      skipping = true;
      oversized += 1;
      length = 0;
      onOversized();
      return;
    }
    held.set(bytes, length);
    length += bytes.length;
  };

  return {
    push(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
        const rest = chunk.subarray(from, at);
        if (!skipping && length === 0 && rest.length <= maxBytes) give(rest);
        else {
          keep(rest);
          if (!skipping) give(held.subarray(0, length));
        }
        length = 0;
        skipping = false;
        from = at + 1;
        lineStart = position + from;
      }
      keep(chunk.subarray(from));
      position += chunk.length;
    },
    end() {
      if (length > 0 && !skipping) give(held.subarray(0, length));
      length = 0;
      lineStart = position;
    },
    get offset() {
      return lineStart;
    },
    get oversized() {
      return oversized;
    },
  };
}

/** Counts lines nobody understood and keeps the first few, cut and made printable. */
export interface BadLines {
  count: number;
  examples: string[];
  add(text: string): void;
}
export function createBadLines(): BadLines {
  const bad: BadLines = {
    count: 0,
    examples: [],
    add(text) {
      bad.count += 1;

      if (bad.examples.length < 3)
        bad.examples.push(
          JSON.stringify(text.slice(0, 120).replace(/[\u0000-\u001f\u007f-\u009f\ufffd]/g, '·')),
        );
    },
  };
  return bad;
}

/**
 * Whether a line holds only what prints: blocks that were lost are read as zeros, and torn letters
 * as U+FFFD.
 */
export const isPrintableLine = (text: string): boolean =>
  !/[\u0000-\u0008\u000e-\u001f\ufffd]/.test(text);
