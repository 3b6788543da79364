import { createPageParts } from './pageParts.ts';

/** The plan, testbed, run or study that a page is about. */
interface PageObject {
  name: string;
  /** Takes another name; null = it has the one it was made with. */
  rename: ((name: string) => void) | null;
}

const parts = createPageParts<PageObject>({
  combine: (all) => all.at(-1) ?? null,
  same: (a, b) => a.name === b.name && (a.rename === null) === (b.rename === null),
  latest: ({ name, rename }, read) => ({
    name,
    rename: rename && ((typed) => read()?.rename?.(typed)),
  }),
});

/** What this page is about, for the breadcrumb. */
export const usePageObject = parts.useProvided;
/** What the page on show is about. */
export const useShownObject = parts.useShown;
