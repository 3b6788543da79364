import * as z from 'zod';

import knownMissesJson from '../../../resources/lab/knownMisses.json' with { type: 'json' };

/** Lines of studies that the model is known to miss, each with its reason: shown as missed, and no failure of the tests. */
export const knownMisses = z
  .record(z.string().regex(/^E\d\d\.[A-Za-z0-9.]+$/), z.string().min(20))
  .parse(knownMissesJson);
