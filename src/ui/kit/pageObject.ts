import { createPageParts } from './pageParts.ts';

/** The plan, testbed, run or study that a page is about. */
interface PageObject {
  name: string;
  /** Takes another name; null = it has the one it was made with. */
  rename: ((name: string) => void) | null;
}

const parts = createPageParts<PageObject>(
  (a, b) => a.name === b.name && (a.rename === null) === (b.rename === null),
  (read) => ({
    name: read().name,
    rename: read().rename === null ? null : (name) => read().rename?.(name),
  }),
);

/** What this page is about, for the breadcrumb. */
export const usePageObject = parts.useProvided;
/** What the page on show is about. */
export const useShownObject = parts.useShown;
