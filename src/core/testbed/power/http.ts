import * as z from 'zod';

import { field } from '../../base/field.ts';
import { certificateSha256, secretRef } from '../secretRef.ts';
import {
  addressRow,
  dataSheet,
  deviceField,
  meteredKind,
  meterPeriodMs,
  meterRow,
  meterScope,
  scopeField,
} from './kind.ts';

/**
 * What a secret that travels in the clear is bound to, in the place of a fingerprint: one that was
 * entered for a certificate must not follow to plain HTTP.
 */
const noTls = 'plain HTTP';

const shellyGen2 = { request: '/rpc/Switch.GetStatus?id=0', path: 'apower' };
const devices: readonly [
  value: string,
  label: string,
  members: Readonly<Record<string, string | number>>,
][] = [
  ['other', 'Another device', {}],
  // Shelly, Tasmota and Prometheus: paths of their makers' HTTP APIs.
  ['shelly2', 'Shelly Gen2 and later', { ...shellyGen2, gives: 'power', factor: 1 }],
  [
    'shelly1',
    'Shelly Gen1',
    { request: '/status', path: 'meters.0.power', gives: 'power', factor: 1 },
  ],
  [
    'tasmota',
    'Tasmota',
    { request: '/cm?cmnd=Status%208', path: 'StatusSNS.ENERGY.Power', gives: 'power', factor: 1 },
  ],
  [
    'prometheus',
    'Prometheus, VictoriaMetrics',
    {
      request: '/api/v1/query?query=last_over_time(watts[15s])',
      path: 'data.result.0.value.1',
      gives: 'power',
      factor: 1,
    },
  ],
];

/** Anything that answers a question over HTTP with a number in JSON: plugs, Prometheus, gateways. */
export const http = meteredKind({
  schema: z.object({
    type: z.literal('http'),
    scheme: z.enum(['http', 'https']).default('http'),
    host: field.address('address').min(1),
    port: z.number().int().min(1).max(65_535).default(80),
    /** Path and query, sent as it is; what a URL cannot hold is escaped. */
    request: field
      .address('path')
      .max(2_000)
      .regex(/^\//, 'the path, with its query: begins with /'),
    /** Members and places of the answer down to the number: `data.result.0.value.1`. */
    path: field.word().min(1).max(500),
    gives: z.enum(['power', 'energy']).default('power'),
    /** Of the number, to watts; of an energy counter, to watt-hours. */
    factor: z.number().positive().max(1e9).default(1),
    /** Where the answer has the time of its measurement: the same time again is no new reading. */
    timePath: field.word().max(500).optional(),
    auth: z.enum(['none', 'basic', 'bearer']).default('none'),
    user: field.address('person').optional(),
    password: secretRef.optional(),
    fingerprint256: certificateSha256.optional(),
    scope: meterScope,
    ...dataSheet,
    periodMs: meterPeriodMs,
  }),
  label: 'HTTP JSON',
  rows: [
    [
      deviceField(devices),
      {
        name: 'scheme',
        label: 'Transport',
        input: 'choice',
        initial: 'http',
        choices: [
          { value: 'http', label: 'HTTP, in the clear' },
          { value: 'https', label: 'HTTPS' },
        ],
        fills: { http: { port: 80 }, https: { port: 443 } },
      },
    ],
    addressRow(80),
    [
      {
        name: 'request',
        label: 'Request',
        description: 'Path and query, read with GET',
        input: 'code',
        required: true,
        initial: '',
      },
    ],
    [
      {
        name: 'path',
        label: 'Number at',
        description: 'In the answer: StatusSNS.ENERGY.Power',
        input: 'code',
        required: true,
        initial: '',
      },
      {
        name: 'timePath',
        label: 'Its time at',
        description: 'Where it says when it measured',
        input: 'code',
        initial: '',
      },
    ],
    [
      {
        name: 'gives',
        label: 'The number is',
        input: 'choice',
        initial: 'power',
        choices: [
          { value: 'power', label: 'Power' },
          { value: 'energy', label: 'An energy counter' },
        ],
      },
      {
        name: 'factor',
        label: 'Factor',
        description: 'To W; of a counter to Wh',
        input: 'number',
        decimal: true,
        initial: 1,
        min: 0,
      },
    ],
    [scopeField],
    [
      {
        name: 'auth',
        label: 'Login',
        input: 'choice',
        initial: 'none',
        choices: [
          { value: 'none', label: 'None' },
          { value: 'basic', label: 'User and password (Basic)' },
          { value: 'bearer', label: 'Token (Bearer)' },
        ],
      },
      {
        name: 'user',
        label: 'User',
        input: 'text',
        required: true,
        initial: '',
        when: { member: 'auth', is: ['basic'] },
      },
    ],
    'login',
    meterRow(),
  ],
  address: ({ host, port }) => `${host}:${port}`,
  // With the request: on some devices a question switches something.
  peer: ({ scheme, host, port, request }) => `${scheme}://${host}:${port}${request}`,
  host: ({ host }) => host,
  login: {
    label: 'Password or token',
    of: ({ auth, scheme, host, port, user, fingerprint256 }) =>
      auth === 'none'
        ? null
        : {
            host,
            port,
            user: auth === 'bearer' ? 'token' : (user ?? ''),
            pin: scheme === 'http' ? noTls : (fingerprint256 ?? ''),
          },
    asks: ({ auth }) => auth === 'basic' || auth === 'bearer',
  },
  certificate: ({ scheme }) => scheme === 'https',
  watches: true,
});
