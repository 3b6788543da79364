import fc from 'fast-check';
import type * as z from 'zod';

import { fieldMeanings } from '../../../../src/core/base/field.ts';

/** A schema as this module looks at it: zod's own definition, by its `type`. */
interface Definition {
  type: string;
  innerType?: z.core.$ZodType;
  element?: z.core.$ZodType;
  keyType?: z.core.$ZodType;
  valueType?: z.core.$ZodType;
  options?: readonly z.core.$ZodType[];
  in?: z.core.$ZodType;
  shape?: Readonly<Record<string, z.core.$ZodType>>;
  entries?: Readonly<Record<string, string | number>>;
  values?: readonly unknown[];
}

export interface InputSources {
  /**
   * Ids that are stored, of any kind: a call that names one goes further than the schema. Read when
   * an input is made.
   */
  ids: (this: void) => readonly string[];
  /** Whole documents by their schema, right in themselves. */
  documents: ReadonlyMap<z.core.$ZodType, readonly unknown[]>;
}

const texts = ['a', 'x1', 'command', 'client1', '0'.repeat(64), '1:0', 'tiles=1', 'ups.realpower'];
const numbers = [0, 1, 2, 3, 5, 10, 60, 100, 300, 1_000, 3_600, 0.5, -1, 1_700_000_000_000];

/** Inputs that `schema` takes, or nearly: of the right form, with ids that are stored. */
export function inputOf(schema: z.core.$ZodType, sources: InputSources): fc.Arbitrary<unknown> {
  const documents = sources.documents.get(schema);
  if (documents) return fc.constantFrom(...documents);
  const def = schema._zod.def as Definition;
  const inner = (one: z.core.$ZodType): fc.Arbitrary<unknown> => inputOf(one, sources);
  switch (def.type) {
    case 'object':
      return fc.record(
        Object.fromEntries(Object.entries(def.shape!).map(([key, one]) => [key, inner(one)])),
      );
    case 'array':
      return fc.array(inner(def.element!), { maxLength: 3 });
    case 'record':
      return fc.dictionary(inner(def.keyType!).map(String), inner(def.valueType!), { maxKeys: 3 });
    case 'union':
      return fc.oneof(...def.options!.map(inner));
    case 'optional':
    case 'default':
    case 'prefault':
      return fc.option(inner(def.innerType!), { nil: undefined });
    case 'nullable':
      return fc.option(inner(def.innerType!));
    case 'readonly':
    case 'nonoptional':
    case 'catch':
      return inner(def.innerType!);
    case 'pipe':
      return inner(def.in!);
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries!));
    case 'literal':
      return fc.constantFrom(...def.values!);
    case 'boolean':
      return fc.boolean();
    case 'number':
    case 'int':
      return fc.constantFrom(...numbers);
    case 'string':
      return fieldMeanings.get(schema)?.is === 'id'
        ? fc.nat().map((i) => {
            const ids = sources.ids();
            return ids[i % ids.length] ?? 'none';
          })
        : fc.constantFrom(...texts);
    case 'custom':
      // Binary members: a page of a file, or a list of samples.
      return fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.constant(Float64Array.of(1, 2, NaN)));
    case 'null':
      return fc.constant(null);
    case 'unknown':
      return fc.jsonValue({ maxDepth: 2 });
    default:
      throw new Error(`Inputs of zod's type ${def.type} are not made here yet.`);
  }
}
