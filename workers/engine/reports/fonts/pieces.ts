import bidiFactory from 'bidi-js';

import { type FaceBook, mainFace } from './faces.ts';

/** A stretch of a text in one face and one direction. */
interface Piece {
  text: string;
  face: string;
}
interface Run extends Piece {
  level: number;
}

const bidi = bidiFactory();
/** Scripts that are read from right to left: a shaper turns their letters round by itself. */
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
/** Stands for what no font has: an empty box would say less. */
const unknown = '?';
/** Marks and joiners belong to the letter before them. */
const attached = /[\p{M}\u200c\u200d]/u;

/**
 * A text of one line as pieces from left to right, as it is seen: stretches of right-to-left writing
 * in their order, each in a face that has its letters. Within a piece the text is as it is written.
 */
export function piecesOf(text: string, book: FaceBook): Piece[] {
  const { levels } = bidi.getEmbeddingLevels(text, 'ltr');
  const runs: Run[] = [];
  let at = 0;
  for (const char of text) {
    const last = runs.at(-1);
    const level = levels[at]!;
    const own = book.of(char)?.name;
    const face =
      last !== undefined && attached.test(char) ? last.face : (own ?? last?.face ?? mainFace);
    const shown = own === undefined && !attached.test(char) ? unknown : char;
    if (last !== undefined && last.face === face && last.level === level) last.text += shown;
    else runs.push({ text: shown, face: shown === unknown ? mainFace : face, level });
    at += char.length;
  }
  return inSight(runs).map(({ text: own, face, level }) => ({
    face,
    text: level % 2 === 0 || rightToLeft.test(own) ? own : turned(own),
  }));
}

/** Rule L2 of the bidirectional algorithm, over runs: from the highest level down, each is reversed. */
function inSight(runs: readonly Run[]): Run[] {
  const seen = [...runs];
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level > 0; level -= 1)
    for (let from = 0; from < seen.length; from += 1) {
      let to = from;
      while (to < seen.length && seen[to]!.level >= level) to += 1;
      if (to > from + 1) seen.splice(from, to - from, ...seen.slice(from, to).reverse());
      from = Math.max(from, to);
    }
  return seen;
}

/** Signs within right-to-left writing: from right to left, brackets open to the other side. */
const turned = (text: string): string =>
  [...text]
    .reverse()
    .map((char) => bidi.getMirroredCharacter(char) ?? char)
    .join('');
