import * as z from 'zod';

import { field } from '../../base/field.ts';
import {
  addressRow,
  dataSheet,
  meteredKind,
  meterPeriodMs,
  meterRow,
  meterScope,
  scopeField,
} from './kind.ts';

/** A range in the meter's own unit, `Auto`, or absent = as it stands. */
const range = field
  .word()
  .max(20)
  .regex(/^(\d{1,5}(\.\d{1,4})?|Auto)$/, 'a number, or Auto')
  .optional();

/** A meter behind SPEC PTDaemon, which comes with licensed SPEC benchmarks. */
export const ptd = meteredKind({
  schema: z.object({
    type: z.literal('ptd'),
    host: field.address('address').min(1),
    port: z.number().int().min(1).max(65_535).default(8888),
    ampsRange: range,
    voltsRange: range,
    scope: meterScope,
    uncertaintyPct: dataSheet.uncertaintyPct,
    periodMs: meterPeriodMs,
  }),
  label: 'PTDaemon',
  note: 'Not yet run against the original: built from its protocol as public clients use it.',
  rows: [
    addressRow(8888),
    [
      {
        name: 'ampsRange',
        label: 'Range of amperes',
        description: 'Such as 5; empty: as it stands',
        input: 'text',
        initial: '',
      },
      {
        name: 'voltsRange',
        label: 'Range of volts',
        description: 'Such as 300; empty: as it stands',
        input: 'text',
        initial: '',
      },
    ],
    [scopeField],
    meterRow().filter(({ name }) => name !== 'windowMs'),
  ],
  address: ({ host, port }) => `${host}:${port}`,
  peer: ({ host, port }) => `${host}:${port}`,
  host: ({ host }) => host,
});
