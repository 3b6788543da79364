import * as z from 'zod';

import { field } from '../../base/field.ts';
import { certificateSha256, secretRef } from '../secretRef.ts';
import { addressRow, dataSheet, meteredKind, meterPeriodMs, meterRow } from './kind.ts';

/** The management controller of a server (BMC), by DMTF Redfish. */
export const redfish = meteredKind({
  schema: z.object({
    type: z.literal('redfish'),
    host: field.address('address').min(1),
    port: z.number().int().min(1).max(65_535).default(443),
    user: field.address('person').min(1),
    password: secretRef,
    fingerprint256: certificateSha256.optional(),
    /** Resource and JSON pointer of the watts; absent = chosen by rule each time. */
    reading: field
      .path('reading')
      .max(500)
      .regex(/^\/redfish\/[^#?]*#\/.+$/, 'as in /redfish/v1/Chassis/1/Power#/PowerControl/0/…')
      .optional(),
    ...dataSheet,
    periodMs: meterPeriodMs,
  }),
  label: 'Redfish',
  rows: [
    addressRow(443, { whose: "Of the server's management controller (iDRAC, iLO, XCC, BMC)" }),
    [{ name: 'user', label: 'User', input: 'text', required: true, initial: '' }],
    'login',
    [
      {
        name: 'reading',
        label: 'Reading',
        description: 'Empty: the whole machine, by rule. The test lists what there is',
        input: 'code',
        initial: '',
      },
    ],
    meterRow(),
  ],
  address: ({ user, host, port }) => `${user}@${host}:${port}`,
  peer: ({ host, port }) => `${host}:${port}`,
  host: ({ host }) => host,
  login: {
    label: 'Password',
    of: ({ host, port, user, fingerprint256 }) => ({ host, port, user, pin: fingerprint256 ?? '' }),
    asks: () => true,
  },
  certificate: () => true,
  watches: true,
});
