import { statfs } from 'node:fs/promises';
import type { CheckFinding } from '../../../../src/shared/plan.ts';
import { planDurationS } from '../../../../src/shared/plan.ts';
import { toAppError } from '../../../../src/shared/errors.ts';
import { planInfrastructure } from '../../runs/infra/plan.ts';
import type { Check } from './types.ts';

/** Bytes a stored sample may take (budget of the sample store), with room for logs. */
const bytesASample = 8;

export const planSound: Check = {
  id: 'plan.sound', title: 'The plan',
  async run({ inputs: { plan, profile }, db }) {
    const { phases } = plan;
    const findings: CheckFinding[] = [];
    const periodS = phases.steadyS / phases.periods;
    if (periodS < 30) findings.push({ id: 'plan.period', severity: 'warn', title: 'Measurement periods', evidence: `${periodS.toFixed(0)} s each`, fix: 'Periods under 30 s say little: lengthen the steady state or take fewer periods.' });
    if (plan.tiles > 1 && phases.staggerS * (plan.tiles - 1) > phases.rampUpS) findings.push({ id: 'plan.stagger', severity: 'warn', title: 'Staggered ramp-up', evidence: `${plan.tiles} tiles ${phases.staggerS} s apart do not fit in ${phases.rampUpS} s; starts are moved closer`, fix: `Lengthen the ramp-up to ${Math.ceil(phases.staggerS * (plan.tiles - 1))} s or more.` });
    if (phases.rampUpS < 5) findings.push({ id: 'plan.rampUp', severity: 'warn', title: 'Ramp-up', evidence: `${phases.rampUpS} s`, fix: 'Drivers need some seconds to reach full load: the first period would contain the start.' });
    const unset = profile.workloads.filter((w) => w.scored && w.reference === null);
    if (unset.length > 0) {
      const reference = plan.referenceRunId === null ? null : db.runs.get(plan.referenceRunId);
      if (plan.referenceRunId !== null && !reference) findings.push({ id: 'plan.reference', severity: 'block', title: 'Reference run', evidence: `run ${plan.referenceRunId} does not exist`, fix: 'Choose another reference run in the plan.' });
      else findings.push({ id: 'plan.reference', severity: 'info', title: 'Reference values', evidence: reference ? `normalised to run ${reference.overview.name}` : `${unset.length} workloads have no public reference value: this run is its own reference, so its score says how even the tiles are, not how fast`, ...(reference ? {} : { fix: 'Choose a one-tile run as reference to see scaling.' }) });
    }
    findings.push({ id: 'plan.sound', severity: 'ok', title: 'Plan', evidence: `${plan.tiles} tiles, ${planDurationS(phases)} s in all, ${phases.periods} periods of ${periodS.toFixed(0)} s; ${profile.name} ${profile.version}` });
    return findings;
  },
};

export const infrastructureTargets: Check = {
  id: 'plan.infrastructure', title: 'Infrastructure operations',
  async run({ inputs: { profile, testbed }, db }) {
    if (!profile.scoring.infrastructure) return [];
    const title = 'Infrastructure operations';
    const { operations, missing } = planInfrastructure(profile, testbed, testbed.vcenterId === null ? null : db.inventories.get(testbed.vcenterId));
    return [
      ...missing.map((text, i): CheckFinding => ({ id: `plan.infrastructure.${i}`, severity: 'warn', title, evidence: `not counted: ${text}`, fix: 'Name what the operation works on in the testbed.' })),
      ...operations.map(({ operation, loops, hostRefs }): CheckFinding => ({ id: `plan.infrastructure.${operation.id}`, severity: 'ok', title, evidence: `${operation.name}: ${loops} ${loops === 1 ? 'loop' : 'loops'} on ${hostRefs.length} hosts` })),
    ];
  },
};

export const diskSpace: Check = {
  id: 'engine.disk', title: 'Space for the samples',
  async run({ deps, inputs, units }) {
    const series = units.length * 3 + 64;
    const neededBytes = series * (planDurationS(inputs.plan.phases) / (inputs.plan.sampling.workloadMs / 1_000)) * bytesASample + 64 * 1024 * 1024;
    const { bavail, bsize } = await statfs(deps.dataDir);
    const freeBytes = bavail * bsize;
    const mib = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`;
    return [{
      id: 'engine.disk', severity: freeBytes < neededBytes ? 'block' : 'ok', title: 'Space in the data folder', evidence: `${mib(freeBytes)} free, ${mib(neededBytes)} needed`,
      ...(freeBytes < neededBytes ? { fix: 'Free space, or move the data folder with TILEBENCH_DATA.' } : {}),
    }];
  },
};

export const powerAnswers: Check = {
  id: 'power.answers', title: 'Power sources answer',
  async run({ inputs: { testbed }, deps, find }, signal) {
    if (testbed.powerIds.length === 0) return [{ id: 'power.answers', severity: 'info', title: 'Power', evidence: 'The testbed has no power source: no watts will be recorded.' }];
    return Promise.all(testbed.powerIds.map(async (id): Promise<CheckFinding> => {
      const connection = find(id);
      if (connection?.kind !== 'power') return { id: 'power.answers', severity: 'block', title: `Power source ${id}`, evidence: 'does not exist', fix: 'Choose another power source in the testbed.' };
      if (connection.source.type === 'vcenter') return { id: 'power.answers', severity: 'info', title: `Power source ${connection.name}`, evidence: "vCenter's own counter, a value every 20 s" };
      const meter = deps.power.open(connection);
      try {
        const reading = (await meter.read(signal)).at(-1);
        return { id: 'power.answers', severity: reading ? 'ok' : 'warn', title: `Power source ${connection.name}`, evidence: reading ? `${reading.watts} W from ${meter.source}, every ${meter.periodMs} ms` : 'no reading yet' };
      } catch (error) {
        const { message, hint } = toAppError(error);
        return { id: 'power.answers', severity: 'warn', title: `Power source ${connection.name}`, evidence: message, ...(hint ? { fix: hint } : {}) };
      } finally {
        meter.close();
      }
    }));
  },
};
