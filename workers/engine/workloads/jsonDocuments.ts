/** Cuts a stream into JSON objects that follow each other, by bytes; a brace inside a string is no brace. */
export interface DocumentReader {
  push(chunk: Uint8Array): void;
  /** Offset of the first byte of the last whole document, for a parser that needs its predecessor; the start, before the first. */
  readonly lastStart: number;
}

const [quoteByte, escapeByte, openBrace, closeBrace] = [0x22, 0x5c, 0x7b, 0x7d];

/**
 * Hands every whole top-level object to `onDocument`; text between objects goes to `onJunk` line by line.
 * A document over `maxBytes` is dropped and reported; scanning goes on behind it.
 */
export function createDocumentReader(
  fromOffset: number,
  onDocument: (text: string) => void,
  onJunk: (text: string) => void,
  maxBytes = 4 * 1024 * 1024,
): DocumentReader {
  const decoder = new TextDecoder();
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

  const hold = (bytes: Uint8Array): void => {
    if (dropping) return;
    if (length + bytes.length > maxBytes) {
      dropping = true;
      length = 0;
      onJunk('(a document larger than 4 MiB)');
      return;
    }
    if (length + bytes.length > held.length) {
      const grown = new Uint8Array(Math.max(held.length * 2, length + bytes.length));
      grown.set(held.subarray(0, length));
      held = grown;
    }
    held.set(bytes, length);
    length += bytes.length;
  };
  const outside = (byte: number): void => {
    if (byte !== 10 && byte !== 13) {
      if (junk.length < 200) junk += String.fromCharCode(byte);
      return;
    }
    if (junk.trim() !== '') onJunk(junk);
    junk = '';
  };
  const finish = (): void => {
    if (!dropping) {
      lastStart = start;
      onDocument(decoder.decode(held.subarray(0, length)));
    }
    length = 0;
    dropping = false;
  };

  return {
    push(chunk) {
      let from = depth > 0 ? 0 : -1;
      for (let at = 0; at < chunk.length; at += 1) {
        const byte = chunk[at]!;
        if (depth === 0) {
          if (byte !== openBrace) {
            outside(byte);
            continue;
          }
          depth = 1;
          inString = false;
          escaped = false;
          from = at;
          start = position + at;
        } else if (inString) {
          if (escaped) escaped = false;
          else if (byte === escapeByte) escaped = true;
          else if (byte === quoteByte) inString = false;
        } else if (byte === quoteByte) inString = true;
        else if (byte === openBrace) depth += 1;
        else if (byte === closeBrace) {
          depth -= 1;
          if (depth === 0) {
            hold(chunk.subarray(from, at + 1));
            finish();
            from = -1;
          }
        }
      }
      if (from >= 0) hold(chunk.subarray(from));
      position += chunk.length;
    },
    get lastStart() {
      return lastStart;
    },
  };
}
