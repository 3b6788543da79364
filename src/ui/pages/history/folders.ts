import { byNaturalOrder } from '../../../core/base/naturalOrder.ts';
import type { HistoryEntry } from '../../../core/history/history.ts';

export interface FolderNode {
  path: string;
  name: string;
  /** Entries in it and below. */ count: number;
  children: FolderNode[];
}

/** Folders as a tree, by name; a folder that only holds folders is there too. */
export function folderTree(entries: readonly HistoryEntry[]): FolderNode[] {
  const roots: FolderNode[] = [];
  for (const { folder } of entries) {
    if (folder === null) continue;
    let level = roots;
    let path = '';
    for (const name of folder.split('/')) {
      path = path === '' ? name : `${path}/${name}`;
      let node = level.find((one) => one.name === name);
      if (node === undefined) {
        node = { path, name, count: 0, children: [] };
        level.push(node);
      }
      node.count += 1;
      level = node.children;
    }
  }
  const sort = (nodes: FolderNode[]): FolderNode[] => {
    nodes.sort((a, b) => byNaturalOrder(a.name, b.name));
    for (const node of nodes) sort(node.children);
    return nodes;
  };
  return sort(roots);
}

/** Every path of a tree, parents before children. */
export const folderPaths = (nodes: readonly FolderNode[]): string[] =>
  nodes.flatMap((node) => [node.path, ...folderPaths(node.children)]);

export interface FolderRow {
  node: FolderNode;
  level: number;
  parent: string | null;
  open: boolean;
}
/** The rows of a tree that are on show: what lies below a closed folder is not. */
export const folderRows = (
  nodes: readonly FolderNode[],
  closed: ReadonlySet<string>,
  level = 1,
  parent: string | null = null,
): FolderRow[] =>
  nodes.flatMap((node) => {
    const open = node.children.length > 0 && !closed.has(node.path);
    return [
      { node, level, parent, open },
      ...(open ? folderRows(node.children, closed, level + 1, node.path) : []),
    ];
  });
