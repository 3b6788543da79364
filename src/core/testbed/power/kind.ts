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

type Schema = z.ZodType<{ type: string }>;
/** What every type of source says of itself. */
export interface PowerSourceKind<Z extends Schema = Schema> {
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

/** A source with a meter of its own; what opens it is in `workers/engine/power/meters.ts`. */
export interface MeteredKind<Z extends Schema> extends PowerSourceKind<Z> {
  reads: 'meter';
  /** Name or address of the machine that is asked; a simulated lab finds its meter by it. */
  host: (source: z.output<Z>) => string;
}
/** A source that comes with a vCenter connection: watts are among the counters of its hosts. */
export interface CountedKind<Z extends Schema> extends PowerSourceKind<Z> {
  reads: 'vcenter';
}

export const meteredKind = <Z extends z.ZodType<{ type: string; periodMs: number }>>(
  it: Omit<MeteredKind<Z>, 'reads'>,
): MeteredKind<Z> => ({ reads: 'meter', ...it });

export const countedKind = <Z extends z.ZodType<{ type: string; vcenterId: string }>>(
  it: Omit<CountedKind<Z>, 'reads'>,
): CountedKind<Z> => ({ reads: 'vcenter', ...it });

/**
 * How often a meter is asked, in milliseconds: every source with a meter of its own has it, by this
 * name.
 */
export const meterPeriodMs = field.count().min(500).default(1_000);
