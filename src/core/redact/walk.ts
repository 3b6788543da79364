import * as z from 'zod';

import type { FieldMeaning } from '../base/field.ts';
import { nodeOf } from '../base/fieldWalk.ts';

/**
 * What stands around a string: the member or key it is the value of, and the object it is a member
 * of.
 */
export interface Place {
  key: string;
  owner: Readonly<Record<string, unknown>> | null;
}
export type VisitString = (meaning: FieldMeaning, text: string, place: Place) => string;

const asText: FieldMeaning = { is: 'text' };
const isObject = (data: unknown): data is Record<string, unknown> =>
  typeof data === 'object' && data !== null && !Array.isArray(data);

/**
 * A copy of data in which every string, keys of records too, went through `visit` with what its
 * schema says it is. What no schema knows does not come along; a string where the schema has none
 * is taken for free text.
 */
export function mapStrings(
  schema: z.core.$ZodType,
  data: unknown,
  visit: VisitString,
  place: Place = { key: '', owner: null },
): unknown {
  if (data === null || data === undefined) return data;
  const node = nodeOf(schema);
  if (typeof data === 'string') {
    if (node.is === 'string') return visit(node.meaning ?? asText, data, place);
    if (node.is === 'union') {
      const option = node.options.find((one) => z.safeParse(one, data).success);
      if (option !== undefined) return mapStrings(option, data, visit, place);
    }
    const listed = node.is === 'figure' && z.safeParse(schema, data).success;
    return listed ? data : visit(asText, data, place);
  }
  switch (node.is) {
    case 'figure':
    case 'string':
      return typeof data === 'object' ? null : data;
    case 'unknown':
      return mapAnything(data, visit);
    case 'union': {
      const option = node.options.find((one) => z.safeParse(one, data).success);
      return option === undefined ? null : mapStrings(option, data, visit, place);
    }
    case 'array':
      return Array.isArray(data)
        ? data.map((inner: unknown) => mapStrings(node.element, inner, visit, place))
        : null;
    case 'record':
      if (!isObject(data)) return null;
      return Object.fromEntries(
        Object.entries(data).map(([key, inner]) => [
          mapStrings(node.key, key, visit, { key: '', owner: null }),
          mapStrings(node.value, inner, visit, { key, owner: data }),
        ]),
      );
    case 'object':
      if (!isObject(data)) return null;
      return Object.fromEntries(
        Object.entries(node.shape).flatMap(([name, inner]) =>
          name in data
            ? [[name, mapStrings(inner, data[name], visit, { key: name, owner: data })]]
            : [],
        ),
      );
  }
}

function mapAnything(data: unknown, visit: VisitString): unknown {
  if (typeof data === 'string') return visit(asText, data, { key: '', owner: null });
  if (Array.isArray(data)) return data.map((inner: unknown) => mapAnything(inner, visit));
  if (!isObject(data)) return data;
  return Object.fromEntries(
    Object.entries(data).map(([key, inner]) => [
      visit(asText, key, { key: '', owner: null }),
      mapAnything(inner, visit),
    ]),
  );
}
