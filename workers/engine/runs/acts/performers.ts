import type { ActKindId } from '../../../../src/core/acts/act.ts';
import { burst } from './burst.ts';
import { hostJoins, hostLeaves, maintenance } from './hosts.ts';
import { hostFails, uplinkLost, vmotionSpeed } from './labFaults.ts';
import { pathLost } from './paths.ts';
import { snapshotStorm } from './snapshots.ts';
import type { ActPerformer } from './types.ts';

/** How the console does each kind of act. */
export const performers: Readonly<Record<ActKindId, ActPerformer>> = {
  hostJoins,
  hostLeaves,
  hostFails,
  maintenance,
  burst,
  uplinkLost,
  pathLost,
  vmotionSpeed,
  snapshotStorm,
};
