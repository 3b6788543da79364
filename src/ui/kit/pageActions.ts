import { createPageParts } from './pageParts.ts';

/** One thing that can be done on a page: its button and its entry in the palette say the same. */
export interface PageAction {
  id: string;
  title: string;
  run: () => void;
}

const alike = (a: readonly PageAction[], b: readonly PageAction[]): boolean =>
  a.length === b.length && a.every(({ id, title }, i) => id === b[i]!.id && title === b[i]!.title);

const parts = createPageParts<readonly PageAction[]>({
  combine: (all) => (all.length === 0 ? null : all.flat()),
  same: alike,
  latest: (actions, read) =>
    actions.map(({ id, title }) => ({
      id,
      title,
      run: () =>
        read()
          ?.find((one) => one.id === id)
          ?.run(),
    })),
});

/** What can be done on this page now, for the palette; what cannot is left out. */
export const usePageActions = parts.useProvided;
/** What can be done on the page on show. */
export const useShownActions = parts.useShown;
