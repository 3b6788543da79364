import * as z from 'zod';

import { field } from '../../base/field.ts';
import { secretRef } from '../secretRef.ts';
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

const enterprises = '1.3.6.1.4.1';
const watts = { gives: 'power', factor: 1, invalid: '' };
/**
 * Where PDUs tell their watts. APC: its public MIBs, as pollers read them; the others: the MIB
 * tables of Network UPS Tools (`drivers/*-mib.c`). U and N stand for the unit and the outlet.
 */
const devices: readonly [
  value: string,
  label: string,
  members: Readonly<Record<string, string | number>>,
][] = [
  ['other', 'Another device', {}],
  // Some AP78xx say 0 always.
  ['apcRpdu', 'APC rPDU', { ...watts, oids: `${enterprises}.318.1.1.12.1.16.0`, invalid: '0' }],
  // In hundredths of a kilowatt: steps of 10 W.
  [
    'apcRpdu2',
    'APC rPDU2 (steps of 10 W)',
    { ...watts, oids: `${enterprises}.318.1.1.26.4.3.1.5.1`, factor: 10 },
  ],
  [
    'raritanInlet',
    'Raritan PX2, PX3: inlet',
    { ...watts, oids: `${enterprises}.13742.6.5.2.3.1.4.1.1.5` },
  ],
  [
    'raritanOutlet',
    'Raritan PX2, PX3: outlet',
    { ...watts, oids: `${enterprises}.13742.6.5.4.3.1.4.1.N.5` },
  ],
  [
    'raritanEnergy',
    'Raritan PX2, PX3: energy of the inlet',
    { ...watts, oids: `${enterprises}.13742.6.5.2.3.1.4.1.1.8`, gives: 'energy' },
  ],
  [
    'sentry4',
    'Server Technology Sentry4: cord',
    { ...watts, oids: `${enterprises}.1718.4.1.3.3.1.3.1.1` },
  ],
  [
    'eatonUnit',
    'Eaton ePDU G2, G3: unit',
    { ...watts, oids: `${enterprises}.534.6.6.7.3.5.1.4.U.1` },
  ],
  [
    'eatonOutlet',
    'Eaton ePDU G2, G3: outlet',
    { ...watts, oids: `${enterprises}.534.6.6.7.6.5.1.3.U.N` },
  ],
  [
    'avocent',
    'Avocent, Emerson PM: outlet',
    { ...watts, oids: `${enterprises}.10418.17.2.5.5.1.60.1.U.N`, factor: 0.1 },
  ],
  [
    'hpeG2',
    'HPE G2: input',
    { ...watts, oids: `${enterprises}.232.165.11.2.1.1.5.1`, factor: 0.001 },
  ],
];

/** Most outlets of one machine: their watts are added up in one question. */
const mostOids = 16;
const oid = String.raw`\.?[0-2](\.\d{1,10}){2,63}`;
const number = String.raw`-?\d{1,20}`;
const listOf = (one: string, most: number): RegExp =>
  new RegExp(`^${one}([\\s,]+${one}){0,${most - 1}}$`);

/** The parts of a list as it was typed. */
export const parts = (text: string): string[] => text.split(/[\s,]+/).filter((part) => part !== '');

/** A PDU, or anything with an agent that tells watts. */
export const snmp = meteredKind({
  schema: z.object({
    type: z.literal('snmp'),
    host: field.address('address').min(1),
    port: z.number().int().min(1).max(65_535).default(161),
    version: z.enum(['v2c', 'v3']).default('v2c'),
    /** Of v3. */
    user: field.address('person').min(1).max(32).optional(),
    auth: z.enum(['md5', 'sha', 'sha224', 'sha256', 'sha384', 'sha512']).default('sha256'),
    privacy: z.enum(['none', 'des', 'aes', 'aes256b', 'aes256r']).default('aes'),
    /** The community; of v3 the passphrase, or both: `authentication / privacy`. */
    password: secretRef,
    /** Objects whose values are added up: all outlets of one machine. */
    oids: field
      .word()
      .max(2_000)
      .regex(
        listOf(oid, mostOids),
        'numbers with dots; put the unit and the outlet in the place of U and N',
      ),
    gives: z.enum(['power', 'energy']).default('power'),
    /** Of the value, to watts; of an energy counter, to watt-hours. */
    factor: z.number().positive().max(1e9).default(1),
    /** Values that stand for none. Less than 0 always does. */
    invalid: field.word().max(200).regex(listOf(number, 8), 'whole numbers').optional(),
    scope: meterScope,
    ...dataSheet,
    periodMs: meterPeriodMs,
  }),
  label: 'SNMP',
  rows: [
    [
      deviceField(devices),
      {
        name: 'version',
        label: 'Version',
        input: 'choice',
        initial: 'v2c',
        choices: [
          { value: 'v2c', label: 'v2c, in the clear' },
          { value: 'v3', label: 'v3' },
        ],
      },
    ],
    addressRow(161, { transport: 'UDP' }),
    [
      {
        name: 'user',
        label: 'User',
        input: 'text',
        required: true,
        initial: '',
        when: { member: 'version', is: ['v3'] },
      },
      {
        name: 'auth',
        label: 'Authentication',
        input: 'choice',
        initial: 'sha256',
        when: { member: 'version', is: ['v3'] },
        choices: [
          { value: 'md5', label: 'MD5' },
          { value: 'sha', label: 'SHA-1' },
          { value: 'sha224', label: 'SHA-224' },
          { value: 'sha256', label: 'SHA-256' },
          { value: 'sha384', label: 'SHA-384' },
          { value: 'sha512', label: 'SHA-512' },
        ],
      },
      {
        name: 'privacy',
        label: 'Privacy',
        input: 'choice',
        initial: 'aes',
        when: { member: 'version', is: ['v3'] },
        choices: [
          { value: 'none', label: 'None' },
          { value: 'des', label: 'DES' },
          { value: 'aes', label: 'AES' },
          { value: 'aes256b', label: 'AES-256 (Blumenthal)' },
          { value: 'aes256r', label: 'AES-256 (Reeder)' },
        ],
      },
    ],
    'login',
    [
      {
        name: 'oids',
        label: 'Objects (OID)',
        description: 'Several with a comma are added up: all outlets of one machine',
        input: 'code',
        required: true,
        initial: '',
      },
    ],
    [
      {
        name: 'gives',
        label: 'The value is',
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
      {
        name: 'invalid',
        label: 'Values of no reading',
        description: 'Such as 0; below 0 always is',
        input: 'code',
        initial: '',
      },
    ],
    [scopeField],
    meterRow(),
  ],
  address: ({ host, port }) => `${host}:${port}`,
  peer: ({ host, port }) => `${host}:${port}`,
  host: ({ host }) => host,
  login: {
    label: 'Community or passphrase',
    description: 'v3: for both, or two as: authentication / privacy',
    // A passphrase of v3 never travels, a community does: one must not be sent as the other.
    of: ({ host, port, version, user }) => ({
      host,
      port,
      user: version === 'v3' ? (user ?? '') : 'community',
      pin: version,
    }),
    asks: () => true,
  },
  watches: true,
});
