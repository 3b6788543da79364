import { layoutSchema, type Testbed } from '../../../core/testbed/testbed.ts';

/**
 * Whether two plain values hold the same, whatever the order of their members; a member that is
 * undefined counts as absent.
 */
export function sameContent(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (
    typeof a !== 'object' ||
    typeof b !== 'object' ||
    a === null ||
    b === null ||
    Array.isArray(a) !== Array.isArray(b)
  )
    return false;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((one, i) => sameContent(one, b[i]));
  const left = a as Record<string, unknown>,
    right = b as Record<string, unknown>;
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((key) =>
    sameContent(left[key], right[key]),
  );
}

/**
 * As the engine stores it: members that a layout made here leaves out have their defaults, the
 * folder of what was made among them.
 */
const withDefaults = (testbed: Testbed): Testbed =>
  testbed.layout
    ? {
        ...testbed,
        layout: {
          ...layoutSchema.parse(testbed.layout),
          madeFolder: testbed.layout.madeFolder ?? null,
        },
      }
    : testbed;

/** Whether two testbeds hold the same, one of them perhaps not yet through the engine. */
export const sameTestbed = (a: Testbed, b: Testbed): boolean =>
  sameContent(withDefaults(a), withDefaults(b));
