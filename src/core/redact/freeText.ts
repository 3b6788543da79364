import type { Allowed } from './allowed.ts';
import type { Known, Names } from './learn.ts';
import { patterns } from './patterns.ts';

/** A piece of a text: said already, or still to be looked at. */
interface Piece {
  text: string;
  done: boolean;
}
export interface FreeText {
  /** The text as it may leave. `product`: a maker's words. */
  redact(text: string, product?: boolean): string;
  /** Known names that are plain words too and stay in texts, with how often they were met. */
  ambiguous: ReadonlyMap<string, number>;
  /** Words in no list: each has an entry of kind `word`. */
  unknown: ReadonlySet<Known>;
}

const letters = /[\p{L}\p{N}\p{M}]/u;
const atom = /[\p{L}\p{N}\p{M}]+/gu;
const chunk = /[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}._'’\-@:/\\+&%~#*=$^]*[\p{L}\p{N}\p{M}%])?/gu;
const joints = /([:/\\@+&~#*=$^]+)/;
const bonds = /([._'’-]+)/;
const remembered = 50_000;

interface Redaction {
  names: Names;
  allowed: Allowed;
  starts: ReadonlyMap<string, string[]>;
  ambiguous: Map<string, number>;
  unknown: Set<Known>;
}

/**
 * Texts go in four steps: patterns, known names, the allow-list, and a pseudonym for every token
 * that none of them let through.
 */
export function createFreeText(names: Names, allowed: Allowed): FreeText {
  const redaction: Redaction = {
    names,
    allowed,
    starts: startsOf(names.known),
    ambiguous: new Map(),
    unknown: new Set(),
  };
  const memory = new Map<string, string>();
  return {
    ambiguous: redaction.ambiguous,
    unknown: redaction.unknown,
    redact: (text, product = false) => {
      if (text === '') return text;
      const key = `${product ? 'p' : 't'}${text}`;
      const before = text.length < 200 ? memory.get(key) : undefined;
      if (before === text) return before;
      const out = redactLine(redaction, text, product);
      // Only what needed no change is remembered: the rest is counted each time.
      if (out === text && text.length < 200 && memory.size < remembered) memory.set(key, out);
      return out;
    },
  };
}

function redactLine(redaction: Redaction, line: string, product: boolean): string {
  const pieces = byPatterns(redaction, line).flatMap((piece) =>
    piece.done ? piece : byNames(redaction, piece.text),
  );
  return pieces
    .map((piece, i) =>
      piece.done
        ? piece.text
        : byList(
            redaction,
            piece,
            pieces[i - 1]?.done === true,
            pieces[i + 1]?.done === true,
            product,
          ),
    )
    .join('');
}

const use = (entry: Known): string => {
  entry.count += 1;
  return entry.to;
};

function byPatterns(redaction: Redaction, text: string): Piece[] {
  let pieces: Piece[] = [{ text, done: false }];
  for (const [kind, pattern] of patterns)
    pieces = pieces.flatMap((piece) =>
      piece.done ? piece : cut(redaction, piece.text, kind, pattern),
    );
  return pieces;
}
function cut({ names }: Redaction, text: string, kind: string, pattern: RegExp): Piece[] {
  const out: Piece[] = [];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    const found = match[1] ?? match[0];
    const from = match.index + match[0].lastIndexOf(found);
    if (from < at || found.startsWith('redacted-') || found === '127.0.0.1') continue;
    out.push({ text: text.slice(at, from), done: false });
    const entry = names.known.get(found.toLowerCase()) ?? names.add(kind, found);
    out.push({ text: use(entry), done: true });
    at = from + found.length;
  }
  return at === 0 ? [{ text, done: false }] : [...out, { text: text.slice(at), done: false }];
}

function byNames({ names, allowed, starts, ambiguous }: Redaction, text: string): Piece[] {
  const out: Piece[] = [];
  const lower = text.toLowerCase();
  // Lower case of some letters has another length: places would not agree.
  const sought = lower.length === text.length ? lower : text;
  let at = 0;
  for (const match of text.matchAll(atom)) {
    if (match.index < at) continue;
    const key = starts
      .get(match[0].toLowerCase())
      ?.find(
        (one) =>
          sought.startsWith(one, match.index) &&
          !letters.test(text[match.index + one.length] ?? ''),
      );
    if (key === undefined) continue;
    const entry = names.known.get(key)!;
    // A name that is a plain word too goes where it is written as the name is.
    const written = text.slice(match.index, match.index + key.length);
    const plain = entry.kind !== 'secret' && allowed(key);
    if (plain && (names.core.has(key) || written !== entry.from)) {
      ambiguous.set(key, (ambiguous.get(key) ?? 0) + 1);
      continue;
    }
    out.push({ text: text.slice(at, match.index), done: false }, { text: use(entry), done: true });
    at = match.index + key.length;
  }
  return [...out, { text: text.slice(at), done: false }];
}

/** `before`, `after`: a name was cut out beside the piece. */
const byList = (
  redaction: Redaction,
  piece: Piece,
  before: boolean,
  after: boolean,
  product: boolean,
): string =>
  piece.text.replace(chunk, (token, offset: number) => {
    const beside =
      (before && offset < 3) || (after && offset + token.length + 3 > piece.text.length);
    return judge(redaction, token, product, beside);
  });

function judge(redaction: Redaction, token: string, product: boolean, beside: boolean): string {
  if (redaction.allowed(token, product) || isPseudonym(token)) return token;
  const byParts = (between: RegExp, besidePart: boolean): string =>
    token
      .split(between)
      .map((part, i) =>
        i % 2 === 1 || part === '' ? part : judge(redaction, part, product, besidePart),
      )
      .join('');
  if (joints.test(token)) return byParts(joints, beside);
  // Beside a name that was cut out, the rest of the word is judged in its parts: `_fio.log`.
  if (beside && bonds.test(token)) return byParts(bonds, false);
  return strange(redaction, token);
}
function strange({ names, unknown }: Redaction, word: string): string {
  const plain = decoded(word);
  const entry = names.known.get(word.toLowerCase()) ?? names.known.get(plain.toLowerCase());
  if (entry) return use(entry);
  const made = names.add('word', word);
  unknown.add(made);
  return use(made);
}

/**
 * Names by their first atom, the longest first. What is only figures is found nowhere but in its
 * own field.
 */
function startsOf(known: ReadonlyMap<string, Known>): Map<string, string[]> {
  const starts = new Map<string, string[]>();
  for (const key of known.keys()) {
    const [first] = key.match(atom) ?? [];
    if (first === undefined || !key.startsWith(first) || key.length < 2 || /^[\d.,: -]+$/.test(key))
      continue;
    const list = starts.get(first);
    if (list) list.push(key);
    else starts.set(first, [key]);
  }
  for (const list of starts.values()) list.sort((a, b) => b.length - a.length);
  return starts;
}

const isPseudonym = (token: string): boolean => /^redacted-[a-z]+-\d+$/.test(token);

/** A name as it was before it was put into a URL or into JSON. */
function decoded(word: string): string {
  const unescaped = word.replace(/\\?u([0-9a-f]{4})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  try {
    return decodeURIComponent(unescaped);
  } catch {
    return unescaped;
  }
}
