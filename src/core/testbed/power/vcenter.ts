import * as z from 'zod';

import { field } from '../../base/field.ts';
import { countedKind } from './kind.ts';

/** The counters of the hosts of a vCenter: no meter of its own. */
export const vcenter = countedKind({
  schema: z.object({
    type: z.literal('vcenter'),
    vcenterId: field.id('connection').min(1).max(64),
  }),
  label: "vCenter's counter",
  rows: [[{ name: 'vcenterId', label: 'vCenter', input: 'vcenter', required: true, initial: '' }]],
  address: () => 'through vCenter',
  peer: ({ vcenterId }, nameOf) => `through ${nameOf(vcenterId)}`,
});
