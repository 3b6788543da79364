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

/** A growing buffer of bytes, up to `maxBytes`. */
interface HeldBytes {
  /** False where it is full: it stays as it is. */
  add(byte: number): boolean;
  text(): string;
  /** Keeps the last `count` bytes. */
  keepLast(count: number): void;
  /** Holds these instead. */
  replace(bytes: Uint8Array): void;
  clear(): void;
}

function holdBytes(maxBytes: number): HeldBytes {
  const decoder = new TextDecoder();
  let held = new Uint8Array(64 * 1024);
  let length = 0;
  return {
    add(byte) {
      if (length === maxBytes) return false;
      if (length === held.length) {
        const grown = new Uint8Array(Math.min(maxBytes, held.length * 2));
        grown.set(held);
        held = grown;
      }
      held[length] = byte;
      length += 1;
      return true;
    },
    text: () => decoder.decode(held.subarray(0, length)),
    keepLast(count) {
      held.copyWithin(0, length - count, length);
      length = count;
    },
    replace(bytes) {
      held.set(bytes);
      length = bytes.length;
    },
    clear() {
      length = 0;
    },
  };
}

/** Follows `{`, white space and the first key, whatever a torn document makes of them. */
interface KeyMark {
  /** True at the mark's last byte. */
  isAt(byte: number, at: number): boolean;
  /** Where the `{` stood that the mark may follow; −1 = none. */
  readonly candidate: number;
  forget(): void;
}

function followKey(firstKey: string | undefined): KeyMark {
  const mark = firstKey === undefined ? null : new TextEncoder().encode(`"${firstKey}"`);
  let candidate = -1;
  /** How much of the mark was seen. */
  let matched = 0;
  return {
    get candidate() {
      return candidate;
    },
    isAt(byte, at) {
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
    },
    forget() {
      candidate = -1;
    },
  };
}

/**
 * Hands every whole top-level object to `onDocument`; one over `maxBytes` is dropped and reported,
 * and scanning goes on behind it.
 */
export function createDocumentReader(
  fromOffset: number,
  { onDocument, onJunk, firstKey, maxBytes = 4 * 1024 * 1024 }: DocumentOptions,
): DocumentReader {
  const held = holdBytes(maxBytes);
  const key = followKey(firstKey);
  let depth = 0;
  let inString = false;
  let escaped = false;
  let dropping = false;
  let junk = '';
  let position = fromOffset;
  let start = fromOffset;
  let lastStart = fromOffset;

  const hold = (byte: number): void => {
    if (dropping || held.add(byte)) return;
    dropping = true;
    held.clear();
    onJunk(`(a document larger than ${Math.round(maxBytes / 1024 ** 2)} MiB)`);
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
      onDocument(held.text());
    }
    held.clear();
    dropping = false;
  };
  /**
   * The held document gives way to the one that begins at the mark's candidate, whose beginning it
   * holds.
   */
  const startAgain = (at: number): void => {
    if (!dropping) {
      onJunk(torn);
      held.keepLast(at - key.candidate + 1);
    } else held.replace(new TextEncoder().encode(`{"${firstKey}"`));
    dropping = false;
    begin(key.candidate);
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
        const atMark = key.isAt(byte, at);
        if (depth === 0) {
          if (byte === openBrace) {
            begin(at);
            hold(byte);
          } else outside(byte);
          continue;
        }
        hold(byte);
        inside(byte);
        if (atMark && key.candidate !== start) startAgain(at);
        else if (depth === 0) finish();
        if (atMark) key.forget();
      }
      position += chunk.length;
    },
    end() {
      if (depth > 0 && !dropping) onJunk(torn);
      outside(10);
      depth = 0;
      held.clear();
      dropping = false;
    },
    get lastStart() {
      return lastStart;
    },
  };
}
