import { counted } from '../base/counted.ts';
import { byNaturalOrder } from '../base/naturalOrder.ts';
import type { StudyBasis } from './study.ts';

/** Kinds of constants in the order they are told. */
const basisKinds: readonly StudyBasis['kind'][] = ['published', 'sourced', 'chosen', 'result'];
export const basisWords: Readonly<Record<StudyBasis['kind'], string>> = {
  published: 'Published',
  sourced: 'Sourced',
  chosen: 'Chosen to match',
  result: 'Chosen, and the result',
};

/** By kind in their order, what serves most lines first. */
export const basisInOrder = (basis: readonly StudyBasis[]): StudyBasis[] =>
  [...basis].sort(
    (a, b) =>
      basisKinds.indexOf(a.kind) - basisKinds.indexOf(b.kind) ||
      b.serves - a.serves ||
      byNaturalOrder(a.what, b.what),
  );

/** A constant in one line of a terminal: what it is, how many lines it serves, and who says so. */
export const basisLine = (row: StudyBasis): string =>
  `${basisWords[row.kind]}: ${row.what}, ${row.figure}; serves ${servesWords(row)} (${row.source})`;

export const servesWords = ({ serves }: StudyBasis): string => counted(serves, 'line');
