import type { EngineNotice } from './engineNotice.ts';

/*
 * What the program that serves a page says beside the engine, as JSON in text frames over the
 * WebSocket `/host`: an engine that does not answer cannot say so itself. Read by hand: the first
 * window has no schemas yet.
 */

export interface ToPage {
  /** null = all is well, or it passes by itself. */
  notice: EngineNotice | null;
}
type Choice = EngineNotice['choices'][number];

const acts: readonly Choice['act'][] = ['retry', 'wait', 'quit', 'nothing'];
const maxChoices = 8;

const membersOf = (value: unknown): Readonly<Record<string, unknown>> => {
  if (typeof value !== 'object' || value === null) throw notRead();
  return value as Readonly<Record<string, unknown>>;
};
const textOf = (value: unknown): string => {
  if (typeof value !== 'string') throw notRead();
  return value;
};
const notRead = (): Error => new Error('The host said what this page cannot read.');

function choiceOf(value: unknown): Choice {
  const { label, act } = membersOf(value);
  const known = acts.find((one) => one === act);
  if (known === undefined) throw notRead();
  return { label: textOf(label), act: known };
}

/** One frame of the host; throws where it is none. */
export function readToPage(frame: string): ToPage {
  const { notice } = membersOf(JSON.parse(frame));
  if (notice === null) return { notice };
  const { message, detail, choices } = membersOf(notice);
  if (!Array.isArray(choices) || choices.length > maxChoices) throw notRead();
  return {
    notice: { message: textOf(message), detail: textOf(detail), choices: choices.map(choiceOf) },
  };
}
