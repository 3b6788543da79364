import * as z from 'zod';

import { field } from '../../core/base/field.ts';
import { labFault, labStatus } from '../../core/lab/lab.ts';
import { none } from './common.ts';

/** The application itself and its simulated lab. */
export const appMethods = {
  'app.info': {
    changes: false,
    input: none,
    output: z.object({
      version: field.word(),
      host: z.enum(['electron', 'browser', 'cli', 'test']),
      secrets: z.enum(['keychain', 'session']),
      dataDir: field.address('path'),
      node: field.word(),
      /** Everything in a simulated workspace is simulated, with a database of its own. */ workspace:
        z.enum(['real', 'simulated']),
      /** Engine's clock now. */ nowMs: field.timeMs(),
      /**
       * Of the data folder. `readOnly`: so full at the start that nothing can be stored until the
       * next.
       */
      disk: z.object({ state: z.enum(['ok', 'full', 'readOnly']), freeBytes: field.figure() }),
    }),
  },
  'lab.status': { changes: false, input: none, output: labStatus },
  'lab.pace': {
    changes: true,
    input: z.object({ speed: z.number().min(1).max(3_600).nullable(), paused: z.boolean() }),
    output: labStatus,
  },
  'lab.fault': {
    changes: true,
    input: z.object({ labId: field.id('lab'), fault: labFault }),
    output: labStatus,
  },
  'lab.clearFault': {
    changes: true,
    input: z.object({ labId: field.id('lab'), id: field.id('lab') }),
    output: labStatus,
  },
} as const;
