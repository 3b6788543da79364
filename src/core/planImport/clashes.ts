import { canonicalJson } from '../base/canonicalJson.ts';
import { comparable, type ImportDoc, type ImportParts, sameDocument } from './parts.ts';
import { type ClashKind, clashKinds, type ImportClash } from './schema.ts';

const maxText = 80;

/** Everything of the file whose id is taken here by something else, with what differs. `shipped` profiles cannot be replaced. */
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

/** Of a connection every leaf, of a larger document its members. */
function differences(
  kind: ClashKind,
  mine: Record<string, unknown>,
  theirs: Record<string, unknown>,
): ImportClash['fields'] {
  const [a, b] = kind === 'connection' ? [leaves(mine), leaves(theirs)] : [mine, theirs];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])]
    .filter((field) => canonicalJson([a[field]]) !== canonicalJson([b[field]]))
    .map((field) => ({ field, mine: shown(a[field]), theirs: shown(b[field]) }));
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
  if (Array.isArray(value)) return `${value.length} entries`;
  if (typeof value === 'object') return `${Object.keys(value).length} members`;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > maxText ? `${text.slice(0, maxText)}…` : text;
}
