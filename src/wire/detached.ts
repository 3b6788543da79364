/**
 * What a second window can show of a run: the whole board, or one panel of it. `chart:<id>` is one
 * chart by its id.
 */
const detachedPanels = ['board', 'numbers', 'heat', 'placement', 'events'] as const;
export type DetachedPanel = (typeof detachedPanels)[number] | `chart:${string}`;
export type DetachedKind = (typeof detachedPanels)[number] | 'chart' | 'replay' | 'notes';

const root = '/detached/';
const longest = 400;

/** The route of a run in a second window. */
export const detachedPath = (runId: string, panel: DetachedPanel = 'board'): string =>
  `${root}run/${encodeURIComponent(runId)}/${encodeURIComponent(panel)}`;
/** The route of a replay in a second window. */
export const detachedReplayPath = (runId: string): string =>
  `${root}replay/${encodeURIComponent(runId)}`;
/** The route of the speaker's notes in a second window. */
export const detachedNotesPath = `${root}notes`;
/** true: the address of a page belongs to a second window. */
export const isDetached = (hash: string): boolean => hash.startsWith(`#${root}`);

/** The panel a segment of a route names; null = none. */
export function panelOf(segment: string): DetachedPanel | null {
  if (segment.startsWith('chart:') && segment.length > 'chart:'.length)
    return `chart:${segment.slice('chart:'.length)}`;
  return detachedPanels.find((panel) => panel === segment) ?? null;
}

/**
 * What a route shows; null for any other route: what a page asks a window for is checked by this.
 */
export function detachedKind(route: unknown): DetachedKind | null {
  if (typeof route !== 'string' || route.length > longest) return null;
  if (route === detachedNotesPath) return 'notes';
  const [, what, runId, panel, more] =
    /^\/detached\/(run|replay)\/([\w%.~-]+)(?:\/([\w%.~:-]+))?(.*)$/.exec(route) ?? [];
  if (what === undefined || runId === undefined || more !== '') return null;
  if (what === 'replay') return panel === undefined ? 'replay' : null;
  const found = panelOf(decoded(panel ?? 'board'));
  return found === null
    ? null
    : found.startsWith('chart:')
      ? 'chart'
      : (detachedPanels.find((one) => one === found) ?? null);
}

/** Text that is no encoding stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (thrown) {
    if (thrown instanceof URIError) return text;
    throw thrown;
  }
}
