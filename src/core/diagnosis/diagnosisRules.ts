import type { Cause } from './diagnosis.ts';
import { acts } from './diagnosisActs.ts';
import { client } from './diagnosisClient.ts';
import { cpuReady, cpuSaturated, hostsImbalanced } from './diagnosisCpuRules.ts';
import { operations, uplink } from './diagnosisEdgeRules.ts';
import { memory } from './diagnosisMemory.ts';
import { powerCap } from './diagnosisPowerCap.ts';
import type { Rule } from './diagnosisRule.ts';
import { deviceLatency, lunQueue, spindles } from './diagnosisStorageRules.ts';

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
  acts,
};
