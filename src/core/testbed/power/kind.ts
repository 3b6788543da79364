import * as z from 'zod';

import { field } from '../../base/field.ts';

/** One member of a source, as a form asks for it. */
export interface PowerField {
  /** Member of the schema. */
  name: string;
  label: string;
  description?: string;
  /**
   * `code`: text that is no word; `duration`: milliseconds, written as people write a time;
   * `vcenter`: the id of one of the vCenter connections; `choice`: one of `choices`.
   */
  input: 'text' | 'code' | 'number' | 'duration' | 'vcenter' | 'choice';
  required?: boolean;
  /**
   * Before anything was typed, and again where a field was emptied that need not be filled in. An
   * empty one is left out of the source.
   */
  initial: string | number;
  min?: number;
  max?: number;
  /** May have a fraction. */
  decimal?: boolean;
  choices?: readonly { value: string; label: string }[];
  /** In a choice: sets these members too, when this value is chosen. */
  fills?: Readonly<Record<string, Readonly<Record<string, string | number>>>>;
  /** Is no member of the source: helps to fill in others. */
  isHelper?: true;
  /** Asked for only where another member has one of these values. */
  when?: { member: string; is: readonly string[] };
}

/** Whom a source logs in to, as whom, and what certificate it takes; '' = none is pinned. */
export interface PowerLogin {
  host: string;
  port: number;
  user: string;
  pin: string;
}

type Schema = z.ZodType<{ type: string }>;
/** What every type of source says of itself. */
export interface PowerSourceKind<Z extends Schema = Schema> {
  schema: Z;
  /** In the choice of types. */
  label: string;
  /** What has to be known before it is believed. */
  note?: string;
  /** What a form asks for, in rows; `login`: the secret and the certificate, where it has them. */
  rows: readonly (readonly PowerField[] | 'login')[];
  /** Where it is, in a list. */
  address: (source: z.output<Z>) => string;
  /**
   * Which peer is spoken to, for who must decide whether that is right. `nameOf` names another
   * connection by its id.
   */
  peer: (source: z.output<Z>, nameOf: (connectionId: string) => string) => string;
  /**
   * Of a source that can log in: what its secret is called, and whom it is for. Its schema has the
   * secret as `password` (`secretRef`). `of` = null: nobody logs in as it is set. `asks`
   * tells the same of what stands in a form.
   */
  login?: {
    label: string;
    description?: string;
    of: (source: z.output<Z>) => PowerLogin | null;
    asks: (members: Readonly<Record<string, unknown>>) => boolean;
  };
  /**
   * Of a source that can present a certificate, which is trusted as a vCenter's: its schema has
   * `fingerprint256` (`certificateSha256`, optional). The function tells whether it does as it is
   * set.
   */
  certificate?: (members: Readonly<Record<string, unknown>>) => boolean;
  /** Its test watches for new values, up to a minute. */
  watches?: true;
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

/** What a meter's user has from its data sheet: devices hardly ever tell it. */
export const dataSheet = {
  /** Of a reading, in per cent of it; absent = not stated. */
  uncertaintyPct: z.number().positive().max(100).optional(),
  /** A reading is the mean over so long, in milliseconds; 0 = of its moment, absent = not said. */
  windowMs: field.count().max(86_400_000).optional(),
};

/** What the meter measures, in its user's words. */
export const meterScope = field.name('meter').max(200).optional();
export const scopeField: PowerField = {
  name: 'scope',
  label: 'Measures',
  description: 'In your words: both supplies of node1',
  input: 'text',
  initial: '',
};

export const periodField: PowerField = {
  name: 'periodMs',
  label: 'Asked every',
  description: '0.5 s or more',
  input: 'duration',
  initial: 1_000,
};

/** The last row of a form: how often the meter is asked, and what its data sheet says. */
export const meterRow = (): readonly PowerField[] => [
  periodField,
  {
    name: 'windowMs',
    label: 'Reading is a mean over',
    description: 'Data sheet; empty: not said',
    input: 'duration',
    initial: '',
  },
  {
    name: 'uncertaintyPct',
    label: 'Uncertainty (± %)',
    description: 'Data sheet; empty: not said',
    input: 'number',
    decimal: true,
    initial: '',
    min: 0,
    max: 100,
  },
];

/** The row that asks where a device is; `whose` says which address, where that is not plain. */
export const addressRow = (
  port: number,
  {
    whose = 'Host name or IP address',
    transport = 'TCP',
  }: { whose?: string; transport?: string } = {},
): PowerField[] => [
  {
    name: 'host',
    label: 'Address',
    description: whose,
    input: 'text',
    required: true,
    initial: '',
  },
  {
    name: 'port',
    label: 'Port',
    description: `${transport} port`,
    input: 'number',
    required: true,
    initial: port,
    min: 1,
    max: 65_535,
  },
];

/** A choice of known devices, each with its id, its name and the members that it fills in. */
export const deviceField = (
  devices: readonly (readonly [string, string, Readonly<Record<string, string | number>>])[],
): PowerField => ({
  name: 'device',
  label: 'Fill in for',
  input: 'choice',
  initial: 'other',
  isHelper: true,
  choices: devices.map(([value, label]) => ({ value, label })),
  fills: Object.fromEntries(devices.map(([value, , members]) => [value, members])),
});
