/**
 * Cuts a stream into JSON objects that follow each other, by bytes; a brace inside a string is no
 * brace.
 */
export interface DocumentReader {
  push(chunk: Uint8Array): void;
  /** The stream is over: a document that is still open was torn off. */
  end(): void;
  /**
   * Offset of the first byte of the last whole document, for a parser that needs its predecessor;
   * the start, before the first.
   */
  readonly lastStart: number;
}
export interface DocumentOptions {
  onDocument: (text: string) => void;
  /** Text between documents, line by line, and each document that was torn or too large. */
  onJunk: (text: string) => void;
  /**
   * The first key of every document. `{` with this key after it begins a document wherever it
   * stands, also inside one whose end was lost: a torn document costs itself, never what follows.
   */
  firstKey?: string;
  maxBytes?: number;
}

const [quoteByte, escapeByte, openBrace, closeBrace] = [0x22, 0x5c, 0x7b, 0x7d];
const isSpace = (byte: number): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const torn = '(a document whose end is missing)';

/**
 * Hands every whole top-level object to `onDocument`; one over `maxBytes` is dropped and reported,
 * and scanning goes on behind it.
 */
export function createDocumentReader(
  fromOffset: number,
  { onDocument, onJunk, firstKey, maxBytes = 4 * 1024 * 1024 }: DocumentOptions,
): DocumentReader {
  const decoder = new TextDecoder();
  const mark = firstKey === undefined ? null : new TextEncoder().encode(`"${firstKey}"`);
  let held = new Uint8Array(64 * 1024);
  let length = 0;
  let depth = 0;
  let inString = false;
  let escaped = false;
  let dropping = false;
  let junk = '';
  let position = fromOffset;
  let start = fromOffset;
  let lastStart = fromOffset;
  /** Where a `{` stood that `mark` may follow, and how much of the mark was seen; −1 = none. */
  let candidate = -1;
  let matched = 0;

  const hold = (byte: number): void => {
    if (dropping) return;
    if (length === maxBytes) {
      dropping = true;
      length = 0;
      onJunk(`(a document larger than ${Math.round(maxBytes / 1024 ** 2)} MiB)`);
      return;
    }
    if (length === held.length) {
      const grown = new Uint8Array(Math.min(maxBytes, held.length * 2));
      grown.set(held);
      held = grown;
    }
    held[length] = byte;
    length += 1;
  };
  const outside = (byte: number): void => {
    if (byte !== 10 && byte !== 13) {
      if (junk.length < 200) junk += String.fromCharCode(byte);
      return;
    }
    if (junk.trim() !== '') onJunk(junk);
    junk = '';
  };
  const begin = (at: number): void => {
    depth = 1;
    inString = false;
    escaped = false;
    start = at;
  };
  const finish = (): void => {
    if (!dropping) {
      lastStart = start;
      onDocument(decoder.decode(held.subarray(0, length)));
    }
    length = 0;
    dropping = false;
  };
  /**
   * Follows `{`, white space and the mark, whatever a torn document makes of them; true at the
   * mark's last byte.
   */
  const marks = (byte: number, at: number): boolean => {
    if (mark === null) return false;
    if (byte === openBrace) {
      candidate = at;
      matched = 0;
    } else if (candidate >= 0 && !(matched === 0 && isSpace(byte))) {
      matched = byte === mark[matched] ? matched + 1 : 0;
      if (matched === 0) candidate = -1;
      else if (matched === mark.length) return true;
    }
    return false;
  };
  /**
   * The held document gives way to the one that begins at `candidate`, whose beginning it holds.
   */
  const startAgain = (at: number): void => {
    const kept = at - candidate + 1;
    if (!dropping) {
      onJunk(torn);
      held.copyWithin(0, length - kept, length);
      length = kept;
    } else {
      const key = new TextEncoder().encode(`{"${firstKey}"`);
      held.set(key);
      length = key.length;
    }
    dropping = false;
    begin(candidate);
  };
  const inside = (byte: number): void => {
    if (inString) {
      if (escaped) escaped = false;
      else if (byte === escapeByte) escaped = true;
      else if (byte === quoteByte) inString = false;
    } else if (byte === quoteByte) inString = true;
    else if (byte === openBrace) depth += 1;
    else if (byte === closeBrace) depth -= 1;
  };

  return {
    push(chunk) {
      for (let i = 0; i < chunk.length; i += 1) {
        const byte = chunk[i]!;
        const at = position + i;
        const atMark = marks(byte, at);
        if (depth === 0) {
          if (byte === openBrace) {
            begin(at);
            hold(byte);
          } else outside(byte);
          continue;
        }
        hold(byte);
        inside(byte);
        if (atMark && candidate !== start) startAgain(at);
        else if (depth === 0) finish();
        if (atMark) candidate = -1;
      }
      position += chunk.length;
    },
    end() {
      if (depth > 0 && !dropping) onJunk(torn);
      outside(10);
      depth = 0;
      length = 0;
      dropping = false;
    },
    get lastStart() {
      return lastStart;
    },
  };
}
