/**
 * Which engine the page is connected to. What is simulated has an engine and a database of its own.
 */
export type WorkspaceKind = 'real' | 'simulated';
export interface Workspace {
  readonly kind: WorkspaceKind;
  /** Leaves this workspace: the same application over the other engine, at `route`. */
  open(kind: WorkspaceKind, route: string): void;
}

const parameter = 'workspace';

/** The workspace an address names; `real` where it names none or an unknown one. */
export function workspaceOf(href: string): WorkspaceKind {
  return new URL(href, 'http://console').searchParams.get(parameter) === 'simulated'
    ? 'simulated'
    : 'real';
}

/** The same page in another workspace, at a route of the hash router. */
export function workspaceAddress(href: string, kind: WorkspaceKind, route: string): string {
  const url = new URL(href);
  if (kind === 'simulated') url.searchParams.set(parameter, kind);
  else url.searchParams.delete(parameter);
  url.hash = route;
  return url.href;
}
