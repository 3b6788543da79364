import type * as z from 'zod';

import { type FieldMeaning, fieldMeanings } from './field.ts';

/** A schema as this module looks at it: zod's own definition, by its `type`. */
interface Definition {
  type: string;
  innerType?: z.core.$ZodType;
  element?: z.core.$ZodType;
  keyType?: z.core.$ZodType;
  valueType?: z.core.$ZodType;
  options?: readonly z.core.$ZodType[];
  items?: readonly z.core.$ZodType[];
  in?: z.core.$ZodType;
  out?: z.core.$ZodType;
  shape?: Readonly<Record<string, z.core.$ZodType>>;
}

/**
 * What a schema is made of, without the wrappers that change no string (optional, nullable,
 * default, pipe).
 */
export type Node =
  | { is: 'string' | 'unknown'; meaning: FieldMeaning | undefined }
  | { is: 'object'; shape: Readonly<Record<string, z.core.$ZodType>> }
  | { is: 'array'; element: z.core.$ZodType }
  | { is: 'record'; key: z.core.$ZodType; value: z.core.$ZodType }
  | { is: 'union'; options: readonly z.core.$ZodType[] }
  | { is: 'figure' };

/** Types of zod that hold no string, or one out of a list that this app wrote. */
const figures: ReadonlySet<string> = new Set([
  'number',
  'int',
  'bigint',
  'boolean',
  'null',
  'undefined',
  'literal',
  'enum',
  'date',
  'never',
  'nan',
]);
const wrappers: ReadonlySet<string> = new Set([
  'optional',
  'nullable',
  'default',
  'prefault',
  'nonoptional',
  'readonly',
  'catch',
]);

/**
 * Looks through wrappers. Throws for a type of zod that nobody has thought about here: data of it
 * could leave unseen.
 */
export function nodeOf(schema: z.core.$ZodType): Node {
  const def = schema._zod.def as unknown as Definition;
  if (def.type === 'string' || def.type === 'unknown')
    return { is: def.type, meaning: fieldMeanings.get(schema) };
  if (wrappers.has(def.type)) return nodeOf(def.innerType!);
  if (def.type === 'pipe') return nodeOf(def.in!);
  if (def.type === 'object') return { is: 'object', shape: def.shape! };
  if (def.type === 'array') return { is: 'array', element: def.element! };
  if (def.type === 'record') return { is: 'record', key: def.keyType!, value: def.valueType! };
  if (def.type === 'union') return { is: 'union', options: def.options! };
  if (figures.has(def.type)) return { is: 'figure' };
  throw new Error(`Redaction does not know data of zod's type ${def.type}.`);
}

/**
 * Every string of a schema by its path (`overview.series[].entity.name`; `{key}` and `{}` of a
 * record), and what it says; undefined = it does not say.
 */
export function stringFields(
  schema: z.core.$ZodType,
  path = '',
): { path: string; meaning: FieldMeaning | undefined }[] {
  const node = nodeOf(schema);
  switch (node.is) {
    case 'figure':
      return [];
    case 'string':
    case 'unknown':
      return [{ path, meaning: node.meaning }];
    case 'array':
      return stringFields(node.element, `${path}[]`);
    case 'union':
      return node.options.flatMap((option) => stringFields(option, path));
    case 'record':
      return [...stringFields(node.key, `${path}{key}`), ...stringFields(node.value, `${path}{}`)];
    case 'object':
      return Object.entries(node.shape).flatMap(([name, inner]) =>
        stringFields(inner, path === '' ? name : `${path}.${name}`),
      );
  }
}
