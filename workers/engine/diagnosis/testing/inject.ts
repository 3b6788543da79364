import type { Cause, Diagnosis } from '../../../../src/core/diagnosis/diagnosis.ts';
import type { LabSpec } from '../../../../src/core/lab/lab.ts';
import { type PlanFile, planFileSchema } from '../../../../src/core/plan/plan.ts';
import { createLabModel } from '../../simlab/model/model.ts';
import { createSimEngine, type SimEngine } from '../../simlab/testing/simEngine.ts';
import { vmOf } from './baseLab.ts';
import { operationsCase, type PlantedCase, plantedCase } from './cases.ts';

export interface Verdict {
  seed: number;
  planted: readonly Cause[];
  named: readonly Cause[];
  scores: readonly number[];
  sentence: string;
  healthy: boolean;
  diagnosis: Diagnosis;
}

const operationAttempts = 8;
const password = { keychain: 'simulated' };
const phases = { rampUpS: 180, staggerS: 20, steadyS: 480, periods: 2, rampDownS: 5 };
/** Disk copies to a datastore of their own and moves between hosts, one loop of each. */
const infrastructure = {
  combine: 'geometricMean' as const,
  hostsPerLoop: 1,
  hostsPerLoopSource: 'this case',
  source: 'this case',
  operations: [
    { id: 'vmotion', name: 'vMotion', reference: 10, referenceSource: 'this case' },
    { id: 'svmotion', name: 'Storage vMotion', reference: 10, referenceSource: 'this case' },
  ],
};

/**
 * A plan over a case's lab: every tile's VMs, the lab's clients in turn, limits on the mean
 * latency.
 */
function planOf(made: PlantedCase, spec: LabSpec, tiles: number, operations: boolean): PlanFile {
  const { id: labId, clients, datastores } = spec,
    kinds = made.kinds;
  const tileRange = Array.from({ length: tiles }, (_, i) => i);
  return planFileSchema.parse({
    tilebenchPlan: 1,
    connections: [
      {
        kind: 'vcenter',
        id: labId,
        name: `${labId}.sim`,
        host: `${labId}.sim`,
        user: 'lab',
        password,
      },
      ...clients.map((one) => ({
        kind: 'client',
        id: `${labId}-${one.id}`,
        name: one.id,
        host: `${one.id}.${labId}.sim`,
        user: 'lab',
        auth: { method: 'password', password },
      })),
      {
        kind: 'power',
        id: `${labId}-power`,
        name: 'hosts',
        source: { type: 'vcenter', vcenterId: labId },
      },
    ],
    profile: {
      schemaVersion: 1,
      id: `${labId}-tile`,
      version: '1',
      name: 'Planted case',
      description: '',
      phases,
      workloads: kinds.map((kind) => ({
        id: kind,
        role: kind,
        name: kind,
        driver: 'simload',
        params: { kind },
        unit: 'ops/s',
        reference: 100,
        referenceSource: 'this case',
        qos: [{ metric: 'latencyMeanMs', max: made.limits[kind], unit: 'ms', source: 'this case' }],
      })),
      scoring: {
        tile: 'geometricMean',
        total: 'sum',
        periods: 'median',
        source: 'this case',
        ...(operations
          ? {
              infrastructure,
              overall: { application: 0.8, infrastructure: 0.2, source: 'this case' },
            }
          : {}),
      },
    },
    testbed: {
      id: `${labId}-bed`,
      name: 'Planted case',
      profileId: `${labId}-tile`,
      vcenterId: labId,
      powerIds: [`${labId}-power`],
      tiles: tileRange.map((tile) => ({
        index: tile,
        workloads: kinds.map((kind) => ({
          workloadId: kind,
          vm: { ref: vmOf(tile, kind), name: vmOf(tile, kind) },
          clientId: `${labId}-${clients[tile % clients.length]!.id}`,
          params: { target: `${vmOf(tile, kind)}.${labId}.sim` },
        })),
      })),
      ...(operations
        ? {
            infrastructure: {
              vmotionVmRefs: tileRange.map((tile) => vmOf(tile, kinds[0]!)),
              storageVmotion: {
                vmRefs: tileRange.map((tile) => vmOf(tile, kinds[1]!)),
                datastoreRef: datastores.at(-1)!.id,
              },
            },
          }
        : {}),
    },
    plan: {
      id: `${labId}-plan`,
      name: `Planted case ${made.seed}`,
      testbedId: `${labId}-bed`,
      profileId: `${labId}-tile`,
      tiles,
      phases,
      sampling: { workloadMs: 20_000, vcenterMs: 20_000 },
    },
  });
}

/**
 * Runs both labs of a case through the whole engine and asks it why; the answer is made from what
 * the two runs stored.
 */
export async function runCase(sim: SimEngine, made: PlantedCase): Promise<Verdict> {
  const run = async (
    { spec, tiles }: { spec: LabSpec; tiles: number },
    operations: boolean,
  ): Promise<string> => {
    sim.lab.control.load(spec);
    const id = await sim.launch(planOf(made, spec, tiles, operations));
    const { verdict, state } = await sim.ended(id);
    if (state !== 'passed')
      throw new Error(`Case ${made.seed}: the run ended ${state}: ${verdict?.sentence ?? ''}`);
    return id;
  };
  const passId = await run(made.before, false),
    failId = await run(made.after, made.after.operations);
  const diagnosis = await sim.call('run.diagnose', { failId, passId });
  return {
    seed: made.seed,
    planted: made.planted,
    named: diagnosis.hypotheses.map((one) => one.cause),
    scores: diagnosis.hypotheses.map((one) => one.score),
    sentence: diagnosis.sentence,
    healthy: diagnosis.healthy,
    diagnosis,
  };
}

/**
 * The cases of these seeds, one after the other in one engine; a seed in which nothing could be
 * planted is left out and told.
 */
export async function injectFaults(
  seeds: readonly number[],
  onCase: (verdict: Verdict) => void = () => undefined,
): Promise<{ verdicts: Verdict[]; skipped: number[] }> {
  const sim = await createSimEngine({ createModel: createLabModel });
  const verdicts: Verdict[] = [],
    skipped: number[] = [];
  try {
    for (const seed of seeds) {
      const made = plantedCase(seed);
      if (made === null) {
        skipped.push(seed);
        continue;
      }
      let verdict = await runCase(sim, made);
      // Operations that break no limit are no cause: the limits of the run decide, not the rules.
      for (
        let attempt = 1;
        made.after.operations &&
        verdict.diagnosis.failing.length === 0 &&
        attempt < operationAttempts;
        attempt += 1
      )
        verdict = await runCase(sim, operationsCase(seed, attempt));
      if (made.after.operations && verdict.diagnosis.failing.length === 0) {
        skipped.push(seed);
        continue;
      }
      verdicts.push(verdict);
      onCase(verdict);
    }
  } finally {
    await sim.close();
  }
  return { verdicts, skipped };
}
