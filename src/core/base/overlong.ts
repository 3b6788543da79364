import type * as z from 'zod';

import { fieldSizes } from './field.ts';
import type { FileFault } from './fileFault.ts';

/** A schema as this module looks at it: zod's own definition, by its `type`. */
interface Definition {
  type: string;
  innerType?: z.core.$ZodType;
  element?: z.core.$ZodType;
  valueType?: z.core.$ZodType;
  in?: z.core.$ZodType;
  shape?: Readonly<Record<string, z.core.$ZodType>>;
  checks?: readonly { _zod: { def: LengthCheck } }[];
}
interface LengthCheck {
  check: string;
  maximum?: number;
  error?: unknown;
}

const definitionOf = (schema: z.core.$ZodType): Definition => schema._zod.def;

/**
 * The first list or record of `value` that is longer than `schema` lets it be; null = none. zod
 * looks at every member before it looks at their number, so that a list beyond its bound costs
 * seconds: this is asked before. Members of unions are left to zod.
 */
export function overlong(
  schema: z.core.$ZodType,
  value: unknown,
  path: readonly PropertyKey[] = [],
): FileFault | null {
  if (typeof value !== 'object' || value === null) return null;
  const def = definitionOf(schema);
  const inner = def.innerType ?? def.in;
  if (inner) return overlong(inner, value, path);
  if (def.type === 'array' && Array.isArray(value)) return overlongList(def, value, path);
  const members = value as Readonly<Record<string, unknown>>;
  if (def.type === 'record' && def.valueType) {
    const keys = Object.keys(members);
    const max = fieldSizes.get(schema)?.max ?? Infinity;
    if (keys.length > max) return { path, message: `at most ${max} entries` };
    return firstOf(keys, (key) => overlong(def.valueType!, members[key], [...path, key]));
  }
  if (def.type === 'object' && def.shape)
    return firstOf(Object.entries(def.shape), ([key, member]) =>
      Object.hasOwn(members, key) ? overlong(member, members[key], [...path, key]) : null,
    );
  return null;
}

function overlongList(
  def: Definition,
  list: readonly unknown[],
  path: readonly PropertyKey[],
): FileFault | null {
  for (const { _zod } of def.checks ?? []) {
    const { check, maximum = Infinity, error } = _zod.def;
    if (check !== 'max_length' || list.length <= maximum) continue;
    const said: unknown = typeof error === 'function' ? (error as () => unknown)() : null;
    return { path, message: typeof said === 'string' ? said : `at most ${maximum} entries` };
  }
  const element = def.element!;
  return holdsLists(element)
    ? firstOf(list.keys(), (i) => overlong(element, list[i], [...path, i]))
    : null;
}

const known = new WeakMap<z.core.$ZodType, boolean>();
/**
 * Whether a list or record is anywhere inside, outside of unions: of a list of figures no member is
 * looked at.
 */
function holdsLists(schema: z.core.$ZodType): boolean {
  const found = known.get(schema);
  if (found !== undefined) return found;
  const def = definitionOf(schema);
  const inner = def.innerType ?? def.in;
  const holds =
    def.type === 'array' ||
    def.type === 'record' ||
    (inner !== undefined && holdsLists(inner)) ||
    Object.values(def.shape ?? {}).some(holdsLists);
  known.set(schema, holds);
  return holds;
}

function firstOf<T>(all: Iterable<T>, find: (one: T) => FileFault | null): FileFault | null {
  for (const one of all) {
    const found = find(one);
    if (found) return found;
  }
  return null;
}
