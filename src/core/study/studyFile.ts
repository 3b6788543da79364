import * as z from 'zod';

import { toAppError } from '../base/errors.ts';
import { field } from '../base/field.ts';
import { type FileFault } from '../base/fileFault.ts';
import { type FileVersions, parseJsonFile } from '../base/jsonFile.ts';
import { planFileSchema } from '../plan/plan.ts';
import { profileSchema } from '../profile/profile.ts';
import { profileFaults } from '../profile/profileFile.ts';
import { testbedSchema } from '../testbed/testbed.ts';
import { studySpecSchema } from './study.ts';
import { checkSpec } from './sweep.ts';

/** A study as one file: what to sweep, and the plan file it is swept over. */
export const studyFileSchema = z.object({
  tilebenchStudy: z.literal(1),
  study: studySpecSchema,
  planFile: planFileSchema,
  /** Further testbeds and profiles that an axis names. */
  testbeds: field.list(testbedSchema).default([]),
  profiles: field.list(profileSchema).default([]),
});
export type StudyFile = z.infer<typeof studyFileSchema>;

/** The highest version of each part that is read here. */
const versions: FileVersions = [
  { path: ['tilebenchStudy'], known: 1 },
  { path: ['study', 'schemaVersion'], known: 1 },
  { path: ['planFile', 'tilebenchPlan'], known: 1 },
];

/**
 * Parses a study file: JSON, comments and trailing commas allowed. Throws invalidInput with
 * `name:line:column` of each fault; a file of a newer version is refused by that word alone,
 * whatever else is new in it.
 */
export function parseStudyFile(name: string, text: string): StudyFile {
  return parseJsonFile(name, text, studyFileSchema, 'study', mismatches, versions);
}

function mismatches({ study, planFile, testbeds, profiles }: StudyFile): FileFault[] {
  const faults: FileFault[] = [
    ...(planFile.profile ? profileFaults(planFile.profile, profiles, ['planFile', 'profile']) : []),
    ...profiles.flatMap((profile, i) =>
      profileFaults(
        profile,
        profiles.filter((other) => other !== profile),
        ['profiles', String(i)],
      ),
    ),
  ];
  if (study.planId !== planFile.plan.id)
    faults.push({
      path: ['study', 'planId'],
      message: `is ${study.planId}, the file's plan is ${planFile.plan.id}. Give both the same id.`,
    });
  const knownTestbeds = new Set([planFile.testbed.id, ...testbeds.map((one) => one.id)]);
  study.axes.forEach((axis, i) =>
    axis.values.forEach((value, j) => {
      if (axis.parameter.kind === 'testbed' && !knownTestbeds.has(String(value)))
        faults.push({
          path: ['study', 'axes', i, 'values', j],
          message: `there is no testbed ${value} in the file. Add it under "testbeds".`,
        });
      if (axis.parameter.kind === 'option') {
        const { workloadId } = axis.parameter;
        const inFile =
          planFile.profile ?? profiles.find((one) => one.id === planFile.plan.profileId);
        if (j === 0 && inFile && !inFile.workloads.some((w) => w.id === workloadId))
          faults.push({
            path: ['study', 'axes', i, 'parameter', 'workloadId'],
            message: `profile ${inFile.name} has no workload ${workloadId}.`,
          });
      }
    }),
  );
  try {
    checkSpec(study);
  } catch (error) {
    const { message, hint } = toAppError(error);
    faults.push({ path: ['study', 'axes'], message: [message, hint].filter(Boolean).join(' ') });
  }
  return faults;
}

export const studyText = (file: StudyFile): string => `${JSON.stringify(file, null, 2)}\n`;
