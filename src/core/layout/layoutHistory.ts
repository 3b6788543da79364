import type { Testbed } from '../testbed/testbed.ts';

/** An edit that was made: what it did in words, and the testbed after it. */
export interface LayoutChange {
  label: string;
  testbed: Testbed;
}

interface Step {
  label: string;
  before: Testbed;
  after: Testbed;
}
/**
 * Edits that can be taken back and made again. Testbeds share what an edit left alone, so a step
 * costs what it changed.
 */
export interface LayoutHistory {
  present: Testbed;
  /** Oldest first. */
  past: readonly Step[];
  /** Next to make again first. */
  future: readonly Step[];
  limit: number;
}

/** A history that begins with this testbed and keeps the last `limit` edits. */
export const createHistory = (testbed: Testbed, limit = 200): LayoutHistory => ({
  present: testbed,
  past: [],
  future: [],
  limit,
});

/**
 * Makes an edit. One that changed nothing leaves the history as it was; what was undone cannot be
 * redone after it.
 */
export function edit(history: LayoutHistory, change: LayoutChange): LayoutHistory {
  if (change.testbed === history.present) return history;
  const past = [
    ...history.past,
    { label: change.label, before: history.present, after: change.testbed },
  ];
  return { ...history, present: change.testbed, past: past.slice(-history.limit), future: [] };
}

/** Takes the last edit back; the history itself where there is none. */
export function undo(history: LayoutHistory): LayoutHistory {
  const step = history.past.at(-1);
  return step
    ? {
        ...history,
        present: step.before,
        past: history.past.slice(0, -1),
        future: [step, ...history.future],
      }
    : history;
}

/** Makes the last undone edit again; the history itself where there is none. */
export function redo(history: LayoutHistory): LayoutHistory {
  const [step, ...future] = history.future;
  return step
    ? { ...history, present: step.after, past: [...history.past, step], future }
    : history;
}

/** What undo would take back, and redo make again; null = nothing. */
export const undoLabel = (history: LayoutHistory): string | null =>
  history.past.at(-1)?.label ?? null;
export const redoLabel = (history: LayoutHistory): string | null =>
  history.future[0]?.label ?? null;

/**
 * The saved testbed's version and id in every step, so that an undo after a save is no undo of the
 * save.
 */
export function saved(
  history: LayoutHistory,
  { id, version }: Pick<Testbed, 'id' | 'version'>,
): LayoutHistory {
  const stamp = (testbed: Testbed): Testbed =>
    testbed.id === id && testbed.version === version ? testbed : { ...testbed, id, version };
  const step = ({ label, before, after }: Step): Step => ({
    label,
    before: stamp(before),
    after: stamp(after),
  });
  return {
    ...history,
    present: stamp(history.present),
    past: history.past.map(step),
    future: history.future.map(step),
  };
}
