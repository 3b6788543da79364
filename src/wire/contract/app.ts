import * as z from 'zod';

import { field } from '../../core/base/field.ts';
import { labFault, labStatus } from '../../core/lab/lab.ts';
import { none } from './common.ts';

/** What is known of newer versions; nothing is looked for where no feed is set. */
export const updateState = z.object({
  installed: field.word(),
  /** Folder or address of the signed feed; null = none is set. */
  feed: field.address('path').nullable(),
  /** The file in which an administrator sets it. */ setIn: field.address('path'),
  /** When it was last looked; null = not since this start. */ checkedAtMs: field
    .timeMs()
    .nullable(),
  /** A newer version, of a feed whose signature was good; null = none that is known. */
  offered: z
    .object({
      version: field.word(),
      publishedAt: field.word(),
      notes: field.freeText(),
    })
    .nullable(),
  /** Why the last look failed, with what to do; null = it did not. */ fault: field
    .freeText()
    .nullable(),
});
export type UpdateState = z.infer<typeof updateState>;

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
      /** A newer version that the feed offers; absent = none that is known. */
      newer: field.word().optional(),
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
  'update.state': { changes: false, input: none, output: updateState },
  /** Looks now. A feed that cannot be read or is not signed is told in `fault`. */
  'update.check': { changes: true, input: none, output: updateState },
  /** Holds a package, by its name, length and SHA-256 in hex, against the feed; refused in words. */
  'update.hold': {
    changes: true,
    input: z.object({
      name: field.word(),
      bytes: field.count(),
      sha256: field.hash().regex(/^[0-9a-f]{64}$/),
    }),
    output: z.object({ version: field.word(), newer: z.boolean() }),
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
