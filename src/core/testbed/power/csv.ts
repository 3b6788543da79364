import * as z from 'zod';

import { field } from '../../base/field.ts';
import { dataSheet, meteredKind, meterPeriodMs, meterRow, meterScope, scopeField } from './kind.ts';

/** A file that a meter's own program writes while it measures: for one that cannot be asked. */
export const csv = meteredKind({
  schema: z.object({
    type: z.literal('csv'),
    /** On the machine of the engine. */
    path: field.address('file').min(1),
    /** Heads of the columns. */
    timeColumn: field.word().min(1).max(200).default('Time'),
    wattsColumn: field.word().min(1).max(200).default('Watts'),
    /** The clock that wrote the file less this machine's, in milliseconds. */
    offsetMs: z.number().int().min(-86_400_000).max(86_400_000).default(0),
    scope: meterScope,
    ...dataSheet,
    periodMs: meterPeriodMs,
  }),
  label: 'CSV file',
  rows: [
    [
      {
        name: 'path',
        label: 'File',
        description: "Path on the engine's machine, which the meter's program writes to",
        input: 'code',
        required: true,
        initial: '',
      },
    ],
    [
      {
        name: 'timeColumn',
        label: 'Column of times',
        description: 'Its head in the first line',
        input: 'text',
        initial: 'Time',
      },
      {
        name: 'wattsColumn',
        label: 'Column of watts',
        description: 'Its head in the first line',
        input: 'text',
        initial: 'Watts',
      },
      {
        name: 'offsetMs',
        label: 'Clock is ahead by (ms)',
        description: 'Of its writer; −200 is behind',
        input: 'number',
        initial: 0,
      },
    ],
    [scopeField],
    meterRow(),
  ],
  address: ({ path }) => path,
  peer: ({ path }) => `file ${path}`,
  host: ({ path }) => path,
});
