import { canonicalJson } from '../base/canonicalJson.ts';
import { counted } from '../base/counted.ts';
import { comparable, type ImportDoc, type ImportParts, sameDocument } from './parts.ts';
import { type ClashKind, clashKinds, type ImportClash } from './schema.ts';

const maxText = 80;

/**
 * Everything of the file whose id is taken here by something else, with what differs. `shipped`
 * profiles cannot be replaced.
 */
export function clashesOf(
  theirs: ImportParts,
  mine: ImportParts,
  isShipped: (profileId: string) => boolean,
): ImportClash[] {
  return clashKinds.flatMap((kind) => {
    const stored = new Map<string, ImportDoc>(mine[kind].map((doc) => [doc.id, doc]));
    return [...theirs[kind]].flatMap((doc: ImportDoc): ImportClash[] => {
      const other = stored.get(doc.id);
      if (!other || sameDocument(kind, doc, other)) return [];
      return [
        {
          key: clashKey(kind, doc.id),
          kind,
          id: doc.id,
          mine: other.name,
          theirs: doc.name,
          fields: differences(kind, comparable(kind, other), comparable(kind, doc)),
          replaceable: kind !== 'profile' || !isShipped(doc.id),
        },
      ];
    });
  });
}

export const clashKey = (kind: ClashKind, id: string): string => `${kind}:${id}`;

/** So many values of one member are told singly; beyond them, how many there are. */
const maxLeaves = 3;

/**
 * Of a connection every leaf; of a larger document its members, and of lists and objects the values
 * that differ: `1 entry → 1 entry` would tell nothing.
 */
function differences(
  kind: ClashKind,
  mine: Record<string, unknown>,
  theirs: Record<string, unknown>,
): ImportClash['fields'] {
  const [a, b] = kind === 'connection' ? [leaves(mine), leaves(theirs)] : [mine, theirs];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])]
    .filter((field) => canonicalJson([a[field]]) !== canonicalJson([b[field]]))
    .flatMap((field) => memberDifferences(field, a[field], b[field]));
}

function memberDifferences(field: string, mine: unknown, theirs: unknown): ImportClash['fields'] {
  const [a, b] = [deepLeaves(mine, field), deepLeaves(theirs, field)];
  const differing = [...new Set([...a.keys(), ...b.keys()])].filter(
    (path) => canonicalJson([a.get(path)]) !== canonicalJson([b.get(path)]),
  );
  const told = differing
    .slice(0, maxLeaves)
    .map((path) => ({ field: path, mine: shown(a.get(path)), theirs: shown(b.get(path)) }));
  const rest = differing.length - told.length;
  return rest === 0
    ? told
    : [
        ...told,
        {
          field: `${field}, ${counted(rest, 'more value')}`,
          mine: shown(mine),
          theirs: shown(theirs),
        },
      ];
}

/**
 * Every value below `value` by its path: `tiles.0.workloads.1.params.host`. Empty lists and objects
 * count as values.
 */
function deepLeaves(value: unknown, path: string): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const visit = (inner: unknown, at: string): void => {
    const members = typeof inner === 'object' && inner !== null ? Object.entries(inner) : [];
    if (members.length === 0) found.set(at, inner);
    for (const [key, one] of members) visit(one, `${at}.${key}`);
  };
  visit(value, path);
  return found;
}

function leaves(value: Record<string, unknown>, prefix = ''): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.entries(leaves(inner as Record<string, unknown>, `${prefix}${key}.`))
        : [[`${prefix}${key}`, inner]],
    ),
  );
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return 'none';
  if (Array.isArray(value)) return counted(value.length, 'entry', 'entries');
  if (typeof value === 'object') return counted(Object.keys(value).length, 'member');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > maxText ? `${text.slice(0, maxText)}…` : text;
}
