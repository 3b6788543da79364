/** Ids of ours as they look: of a workload (`t0.database`), of a connection (`vcenter-27dd10b8`). */
const shapes = [/\bt\d+\.[a-z][\w-]*/g, /\b(?:client|vcenter|power)-[0-9a-f]{8}\b/g];

/** Ids of ours that stand in what a person reads; there should be none. */
export const internalIds = (text: string): string[] =>
  shapes.flatMap((shape) => text.match(shape) ?? []);
