const quote = 0x22,
  comma = 0x2c,
  newline = 0x0a,
  carriageReturn = 0x0d;

export interface RowHandlers {
  /** Whether the bytes of this field are wanted: those of the others are never kept. */
  wants: (column: number) => boolean;
  /** A wanted field without its quotes: `bytes[from..to)`. */
  onField: (column: number, bytes: Uint8Array, from: number, to: number) => void;
  /**
   * A row is over. `cells` counts every field, `filled` those up to its last that is not empty: a
   * trailing comma, or values that are missing at the end.
   */
  onRow: (cells: number, filled: number) => void;
  /** The wanted field of a row is longer than `longestField`. Throws. */
  onOversized: (column: number) => never;
}

/**
 * Cuts CSV into rows and fields, the head by the same rule as what follows. A field that begins
 * with a quote ends at a quote before a comma or a line end, so that a quote or comma inside a name
 * is part of it; a line end always ends the row, so that a torn row costs itself. Fast on purpose:
 * nearly all bytes are looked at once and not kept.
 */
export function createRowCutter(
  { wants, onField, onRow, onOversized }: RowHandlers,
  longestField: number,
): { push(bytes: Uint8Array): void; end(): void } {
  let column = 0;
  /** Fields of the row up to its last that is not empty. */
  let columns = 0;
  /** Bytes of the field so far, of those that earlier pieces held. */
  let before = 0;
  let quoted = false;
  /** Of the earlier pieces. */
  let lastByte = -1;
  let held: Uint8Array = new Uint8Array(0);

  /** `ending`: bytes of the line end that came with it. */
  const take = (bytes: Uint8Array, from: number, to: number, ending = 0): void => {
    const all = before + to - from - ending;
    if (all > 0) columns = column + 1;
    if (!wants(column)) return;
    let field = bytes;
    let start = from;
    let end = to;
    if (held.length > 0) {
      field = new Uint8Array(held.length + to - from);
      field.set(held);
      field.set(bytes.subarray(from, to), held.length);
      start = 0;
      end = field.length;
    }
    end -= ending;
    if (end - start >= 2 && field[start] === quote && field[end - 1] === quote) {
      start += 1;
      end -= 1;
    }
    onField(column, field, start, end);
  };
  const next = (): void => {
    before = 0;
    quoted = false;
    lastByte = -1;
    held = new Uint8Array(0);
  };
  const endRow = (bytes: Uint8Array, from: number, to: number): void => {
    take(bytes, from, to, (to > from ? bytes[to - 1] : lastByte) === carriageReturn ? 1 : 0);
    onRow(column + 1, columns);
    column = 0;
    columns = 0;
    next();
  };

  return {
    push(bytes) {
      let from = 0;
      const { length } = bytes;
      if (before === 0 && length > 0) quoted = bytes[0] === quote;
      for (let i = 0; i < length; i += 1) {
        const byte = bytes[i]!;
        // Digits, points and letters, which nearly all bytes are, lie above the comma.
        if (byte > comma) continue;
        if (byte === comma) {
          // Inside quotes, unless a quote stands before it that is not the opening one.
          const soFar = before + i - from;
          const previous = i > from ? bytes[i - 1] : lastByte;
          if (quoted && (soFar < 2 || previous !== quote)) continue;
          take(bytes, from, i);
          column += 1;
        } else if (byte === newline) endRow(bytes, from, i);
        else continue;
        next();
        from = i + 1;
        quoted = from < length && bytes[from] === quote;
      }
      if (from === length) return;
      before += length - from;
      lastByte = bytes[length - 1]!;
      if (!wants(column)) return;
      const part = bytes.subarray(from);
      const joined = new Uint8Array(held.length + part.length);
      joined.set(held);
      joined.set(part, held.length);
      held = joined;
      if (held.length > longestField) onOversized(column);
    },
    end() {
      if (column > 0 || before > 0) endRow(new Uint8Array(0), 0, 0);
    },
  };
}
