const collator = new Intl.Collator('en', { numeric: true });
const looseCollator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/**
 * Orders names as people count: client2 before client10. Every list that is shown is sorted by it.
 */
export const byNaturalOrder = (a: string, b: string): number => collator.compare(a, b);
/** The same, where upper and lower case are one. */
export const byLooseOrder = (a: string, b: string): number => looseCollator.compare(a, b);
/** Things by their names, as people count. */
export const byName = <T extends { name: string }>(a: T, b: T): number =>
  byNaturalOrder(a.name, b.name);
/** The same, where upper and lower case are one. */
export const byLooseName = <T extends { name: string }>(a: T, b: T): number =>
  byLooseOrder(a.name, b.name);
