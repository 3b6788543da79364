import * as z from 'zod';

const made = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

/**
 * The same schema, but that every object in it refuses keys it does not know, instead of leaving
 * them out: what a caller sends must be understood whole, while what is stored or read from a file
 * may be of another version. Objects that allow any key by themselves stay.
 */
export function strictly<T extends z.ZodType>(schema: T): T {
  return strict(schema) as T;
}

function strict(schema: z.core.$ZodType): z.core.$ZodType {
  const known = made.get(schema);
  if (known !== undefined) return known;
  const result = make(schema);
  made.set(schema, result);
  return result;
}

function make(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object': {
      const shape = Object.fromEntries(
        Object.entries(def.shape).map(([key, inner]) => [key, strict(inner)]),
      );
      return copyOf(schema, { ...def, shape, catchall: def.catchall ?? z.never() });
    }
    case 'array':
      return copyOf(schema, { ...def, element: strict(def.element) });
    case 'record':
      return copyOf(schema, { ...def, valueType: strict(def.valueType) });
    case 'union':
      return copyOf(schema, { ...def, options: def.options.map(strict) });
    case 'pipe':
      return copyOf(schema, { ...def, in: strict(def.in), out: strict(def.out) });
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
      return copyOf(schema, { ...def, innerType: strict(def.innerType) });
    default:
      return schema;
  }
}

/** Checks, messages and all else stay; `def` is the schema's own with other schemas inside. */
const copyOf = (schema: z.core.$ZodType, def: z.core.$ZodTypes['_zod']['def']): z.core.$ZodType =>
  z.core.clone(schema, def);
