import type { Cause } from './diagnosis.ts';
import { acts } from './diagnosisActs.ts';
import { client } from './diagnosisClient.ts';
import { cpuReady, cpuSaturated, hostsImbalanced } from './diagnosisCpuRules.ts';
import { memory } from './diagnosisMemory.ts';
import { operations } from './diagnosisOperations.ts';
import { powerCap } from './diagnosisPowerCap.ts';
import { reservations } from './diagnosisReservations.ts';
import type { Rule } from './diagnosisRule.ts';
import { deviceLatency, lunQueue, spindles } from './diagnosisStorageRules.ts';
import { uplink } from './diagnosisUplink.ts';

/**
 * The rule of every cause. A new cause is its name and words in `diagnosis.ts` and one entry here:
 * the compiler asks for it.
 */
export const rules: Readonly<Record<Cause, Rule>> = {
  cpuSaturated,
  hostsImbalanced,
  cpuReady,
  powerCap,
  memory,
  lunQueue,
  spindles,
  deviceLatency,
  uplink,
  client,
  operations,
  reservations,
  acts,
};
