import { statfs } from 'node:fs/promises';

import { counted } from '../../../../src/core/base/counted.ts';
import { type CheckFinding, planDurationS, planPeriodS } from '../../../../src/core/plan/plan.ts';
import { referenceOf } from '../../runs/defaultReference.ts';
import { defineCheck } from './types.ts';

/** Bytes a stored sample may take (budget of the sample store), with room for logs. */
const bytesASample = 8;

export const planSound = defineCheck({
  id: 'plan.sound',
  title: 'The plan',
  async run({ inputs: { plan, profile }, db }) {
    const { phases } = plan;
    const findings: CheckFinding[] = [];
    const periodS = planPeriodS(phases);
    if (periodS < 30)
      findings.push({
        id: 'plan.period',
        subject: 'plan',
        source: 'plan',
        severity: 'warn',
        title: 'Measurement periods',
        evidence: `${periodS.toFixed(0)} s each`,
        fix: 'Periods under 30 s say little: lengthen the steady state or take fewer periods.',
      });
    if (plan.tiles > 1 && phases.staggerS * (plan.tiles - 1) > phases.rampUpS)
      findings.push({
        id: 'plan.stagger',
        subject: 'plan',
        source: 'plan',
        severity: 'warn',
        title: 'Staggered ramp-up',
        evidence:
          `${plan.tiles} tiles ${phases.staggerS} s apart do not fit in ${phases.rampUpS} s; ` +
          'starts are moved closer',
        fix: `Lengthen the ramp-up to ${Math.ceil(phases.staggerS * (plan.tiles - 1))} s or more.`,
      });
    if (phases.rampUpS < 5)
      findings.push({
        id: 'plan.rampUp',
        subject: 'plan',
        source: 'plan',
        severity: 'warn',
        title: 'Ramp-up',
        evidence: `${phases.rampUpS} s`,
        fix: 'Drivers need some seconds to reach full load: the first period would contain the start.',
      });
    const unset = profile.workloads.filter((w) => w.scored && w.reference === null);
    if (unset.length > 0) {
      const referenceRunId = referenceOf(db, { plan, profile });
      const reference = referenceRunId === null ? null : db.runs.summary(referenceRunId);
      if (plan.referenceRunId !== null && !reference)
        findings.push({
          id: 'plan.referenceMissing',
          subject: 'plan',
          source: 'run history',
          waivable: false,
          severity: 'block',
          title: 'Reference run',
          evidence: `run ${plan.referenceRunId} does not exist`,
          fix: 'Choose another reference run in the plan.',
        });
      else
        findings.push({
          id: 'plan.reference',
          subject: 'plan',
          source: 'profile and plan',
          severity: 'info',
          title: 'Reference values',
          evidence: reference
            ? `normalised to run ${reference.name}` +
              (plan.referenceRunId === null ? ', the first of this plan that broke no limit' : '')
            : `the profile sets none for ${counted(unset.length, 'workload')}: this run gets no ` +
              'score, and the next ones of this plan are scored against it if it breaks no limit',
          ...(reference ? {} : { fix: 'Choose a one-tile run as reference to see scaling.' }),
        });
    }
    findings.push({
      id: 'plan.sound',
      subject: 'plan',
      source: 'plan',
      severity: 'ok',
      title: 'Plan',
      evidence:
        `${counted(plan.tiles, 'tile')}, ${planDurationS(phases)} s in all, ` +
        `${counted(phases.periods, 'period')} of ` +
        `${periodS.toFixed(0)} s; ${profile.name} ${profile.version}`,
    });
    return findings;
  },
});

export const infrastructureTargets = defineCheck({
  id: 'plan.infrastructure',
  title: 'Infrastructure operations',
  async run({ inputs: { profile }, world }) {
    if (!profile.scoring.infrastructure) return [];
    const about = { title: 'Infrastructure operations', source: 'profile and testbed' };
    const { operations, missing } = await world.infrastructure();
    return [
      ...missing.map((text): CheckFinding => ({
        ...about,
        id: 'plan.infrastructureMissing',
        severity: 'warn',
        subject: text.split(':')[0] ?? text,
        evidence: `not counted: ${text}`,
        fix: 'Name what the operation works on in the testbed.',
      })),
      ...operations.map(({ operation, loops, hostRefs }): CheckFinding => ({
        ...about,
        id: 'plan.infrastructure',
        severity: 'ok',
        subject: operation.id,
        evidence: `${operation.name}: ${loops} ${loops === 1 ? 'loop' : 'loops'} on ${hostRefs.length} hosts`,
      })),
    ];
  },
});

export const diskSpace = defineCheck({
  id: 'engine.disk',
  title: 'Space for the samples',
  async run({ deps, inputs, units }) {
    const series = units.length * 3 + 64;
    const neededBytes =
      series *
        (planDurationS(inputs.plan.phases) / (inputs.plan.sampling.workloadMs / 1_000)) *
        bytesASample +
      64 * 1024 * 1024;
    const { bavail, bsize } = await statfs(deps.dataDir);
    const freeBytes = bavail * bsize;
    const mib = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`;
    return [
      {
        id: 'engine.disk',
        subject: 'data folder',
        source: `file system of ${deps.dataDir}`,
        waivable: false,
        severity: freeBytes < neededBytes ? 'block' : 'ok',
        title: 'Space in the data folder',
        evidence: `${mib(freeBytes)} free, ${mib(neededBytes)} needed`,
        ...(freeBytes < neededBytes
          ? { fix: 'Free space, or move the data folder with TILEBENCH_DATA.' }
          : {}),
      },
    ];
  },
});
