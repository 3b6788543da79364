import { fail } from './errors.ts';

/** What a JSON text may be made of, found before anything of it becomes a value. */
export interface JsonBounds {
  depth: number;
  /** Values and members together. */
  values: number;
  /** Bytes of one string, as written. */
  textBytes: number;
  /** Entries of any list or members of any object. */
  items: number;
  /** Entries of the list at a path, in place of `items`: `overview.series`. */
  lists?: Readonly<Record<string, number>>;
}

export interface JsonScan {
  /**
   * The next piece of the text, in UTF-8. Throws invalidInput with `name:line:column` and the path
   * of what is too much.
   */
  push: (bytes: Uint8Array) => void;
}

/** Bytes of a key that are kept for the words of a refusal. */
const keyBytes = 60;
const [quote, escape, comma, colon, lineEnd] = [34, 92, 44, 58, 10];
const [openList, closeList, openObject, closeObject] = [91, 93, 123, 125];

interface Level {
  list: boolean;
  items: number;
  key: string;
}

const stepsOf = (levels: readonly Level[]): string[] =>
  levels.map((level) => (level.list ? String(Math.max(0, level.items - 1)) : level.key));
/** Path of the innermost list or object itself. */
const ownPath = (levels: readonly Level[]): string => stepsOf(levels.slice(0, -1)).join('.');
/** Path of the value that the scan stands at. */
const pathOf = (levels: readonly Level[]): string =>
  stepsOf(levels)
    .filter((step) => step !== '')
    .join('.') || 'the whole';

/**
 * Counts through a JSON text as it streams by: it holds one number a level, never a value, so a
 * hostile text costs its reading only. It demands bounds, not grammar: that is the parser's.
 * Columns count bytes.
 */
export function createJsonScan(name: string, bounds: JsonBounds): JsonScan {
  const levels: Level[] = [];
  const key = new Uint8Array(keyBytes);
  let line = 1,
    lineStart = 0,
    before = 0,
    values = 0,
    inText = false,
    escaped = false,
    textBytes = 0,
    isKey = false,
    /** A level was opened, or the text began, and there is no entry yet. */
    fresh = true,
    afterColon = false;

  const refuse = (at: number, path: string, what: string): never => {
    throw fail(
      'invalidInput',
      `${name}:${line}:${before + at - lineStart + 1}: ${path === '' ? '' : `${path}: `}${what}.`,
      'No honest file is like this: ask for it again, from whoever made it.',
    );
  };
  const count = (at: number): void => {
    values += 1;
    if (values > bounds.values) refuse(at, '', `more than ${bounds.values} values in one file`);
    const level = levels.at(-1);
    if (level === undefined) return;
    level.items += 1;
    if (level.items <= Math.min(bounds.items, smallestList)) return;
    const path = ownPath(levels);
    const most = bounds.lists?.[path] ?? bounds.items;
    if (level.items > most) refuse(at, path, `more than ${most} entries`);
  };
  const smallestList = Math.min(bounds.items, ...Object.values(bounds.lists ?? {}));

  /** Goes on inside a string; returns where it ends, or the end of the piece. */
  function skipText(bytes: Uint8Array, from: number): number {
    let i = from;
    for (; i < bytes.length; i += 1) {
      const code = bytes[i]!;
      if (escaped) escaped = false;
      else if (code === escape) escaped = true;
      else if (code === quote) break;
      if (isKey && textBytes + i - from < keyBytes) key[textBytes + i - from] = code;
    }
    textBytes += i - from;
    if (textBytes > bounds.textBytes)
      refuse(i, pathOf(levels), `a text of more than ${bounds.textBytes} bytes`);
    if (i < bytes.length) {
      inText = false;
      const level = levels.at(-1);
      if (isKey && level !== undefined)
        level.key = new TextDecoder().decode(key.subarray(0, Math.min(textBytes, keyBytes)));
    }
    return i;
  }

  function open(list: boolean, at: number): void {
    if (levels.length >= bounds.depth) refuse(at, '', `nested deeper than ${bounds.depth}`);
    levels.push({ list, items: 0, key: '' });
    fresh = true;
  }

  return {
    push(bytes) {
      for (let i = 0; i < bytes.length; i += 1) {
        if (inText) {
          i = skipText(bytes, i);
          continue;
        }
        const code = bytes[i]!;
        if (code === lineEnd) {
          line += 1;
          lineStart = before + i + 1;
        }
        if (code <= 32) continue;
        if (code === closeList || code === closeObject) {
          levels.pop();
          fresh = false;
          continue;
        }
        // The first entry has no comma before it, every other one has.
        if (fresh || code === comma) {
          fresh = false;
          afterColon = false;
          count(i);
        }
        if (code === colon) afterColon = true;
        else if (code === openList || code === openObject) open(code === openList, i);
        else if (code === quote) {
          inText = true;
          textBytes = 0;
          isKey = levels.at(-1)?.list === false && !afterColon;
        }
      }
      before += bytes.length;
    },
  };
}
