import type * as z from 'zod';

/** A schema inside a schema, with where it stands: `run.name`, `series[]`, `facts{}`. */
export interface SchemaNode {
  path: string;
  schema: z.core.$ZodType;
}

/**
 * Every schema inside `root`, itself first, whatever wraps it: members of objects, lists, records
 * (keys as `{key}`), unions, defaults, transforms. A schema that stands at several places comes
 * once a place.
 */
export function* walkSchema(root: z.core.$ZodType, path = ''): Generator<SchemaNode> {
  yield { path, schema: root };
  for (const [step, inner] of childrenOf(root)) yield* walkSchema(inner, path + step);
}

function childrenOf(schema: z.core.$ZodType): [string, z.core.$ZodType][] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).map(([name, inner]) => [`.${name}`, inner]);
    case 'array':
      return [['[]', def.element]];
    case 'record':
      return [
        ['{key}', def.keyType],
        ['{}', def.valueType],
      ];
    case 'union':
      return def.options.map((option, i) => [`|${i}`, option]);
    case 'pipe':
      return [
        ['', def.in],
        ['', def.out],
      ];
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
      return [['', def.innerType]];
    default:
      return [];
  }
}
