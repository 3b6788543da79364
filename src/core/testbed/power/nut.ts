import * as z from 'zod';

import { field } from '../../base/field.ts';
import { addressRow, meteredKind, meterPeriodMs, periodField } from './kind.ts';

/** A meter behind a server of Network UPS Tools. */
export const nut = meteredKind({
  schema: z.object({
    type: z.literal('nut'),
    host: field.address('address').min(1),
    port: z.number().int().min(1).max(65_535).default(3493),
    ups: field.name('meter').min(1),
    variable: field.word().default('ups.realpower'),
    periodMs: meterPeriodMs,
  }),
  label: 'NUT server',
  rows: [
    addressRow(3493),
    [
      { name: 'ups', label: 'UPS name', input: 'text', required: true, initial: '' },
      { name: 'variable', label: 'Variable', input: 'code', initial: 'ups.realpower' },
      periodField,
    ],
  ],
  address: ({ ups, host, port }) => `${ups}@${host}:${port}`,
  peer: ({ host, port }) => `${host}:${port}`,
  host: ({ host }) => host,
});
