import type * as z from 'zod';

import { field } from '../../base/field.ts';

/** One member of a source, as a form asks for it. */
export interface PowerField {
  /** Member of the schema. */
  name: string;
  label: string;
  description?: string;
  /** `code`: text that is no word; `vcenter`: the id of one of the vCenter connections. */
  input: 'text' | 'code' | 'number' | 'vcenter';
  required?: boolean;
  /** Before anything was typed, and again where a field was emptied that need not be filled in. */
  initial: string | number;
  min?: number;
  max?: number;
}

export interface PowerSourceKind<Z extends z.ZodType<{ type: string }>> {
  schema: Z;
  /** In the choice of types. */
  label: string;
  /** What a form asks for, in rows. */
  rows: readonly (readonly PowerField[])[];
  /** Where it is, in a list. */
  address: (source: z.output<Z>) => string;
  /**
   * Which peer is spoken to, for who must decide whether that is right. `nameOf` names another
   * connection by its id.
   */
  peer: (source: z.output<Z>, nameOf: (connectionId: string) => string) => string;
}
/** Gives a kind its types. */
export const powerKind = <Z extends z.ZodType<{ type: string }>>(
  it: PowerSourceKind<Z>,
): PowerSourceKind<Z> => it;

/**
 * How often a meter is asked, in milliseconds: every source with a meter of its own has it, by this
 * name.
 */
export const meterPeriodMs = field.count().min(500).default(1_000);
