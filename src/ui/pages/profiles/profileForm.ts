import { createContext, useContext } from 'react';

import {
  type InfraOperation,
  type Profile,
  profileSchema,
  type ProfileWorkload,
} from '../../../core/profile/profile.ts';
import { checkProfile } from '../../../core/profile/profileCheck.ts';

/** A copy that can be changed: an id of its own, and where it comes from. */
export function copyOf(profile: Profile, id: string): Profile {
  const { shipped: _shipped, ...rest } = profile as Profile & { shipped?: boolean };
  return { ...rest, id, name: `${profile.name} copy`, version: '1.0.0', parentId: profile.id };
}

/** What is wrong, by the path of the field, as `workloads.0.reference`; empty = it can be saved. */
export function profileErrors(
  profile: Profile,
  all: readonly Profile[],
): Readonly<Record<string, string>> {
  const errors: Record<string, string> = {};
  const parsed = profileSchema.safeParse(profile);
  const issues = [
    ...(parsed.success
      ? []
      : parsed.error.issues.map((issue) => ({
          path: issue.path.join('.'),
          message: issue.message,
        }))),
    ...checkProfile(profile, all).map(({ path, message, remedy }) => ({
      path,
      message: `${message}. ${remedy}.`,
    })),
  ];
  for (const { path, message } of issues)
    errors[path] ??= message.charAt(0).toUpperCase() + message.slice(1);
  return errors;
}

/**
 * A path of the file in words of the form: `workloads.0.qos.1.unit` → `Database, limit 2, unit`.
 */
export function pathWords(path: string, profile: Profile): string {
  const steps = path.split('.');
  const words: string[] = [];
  for (let i = 0; i < steps.length; i += 1) {
    const next = Number(steps[i + 1]);
    if (steps[i] === 'workloads' && Number.isInteger(next)) {
      words.push(profile.workloads[next]?.name || `workload ${next + 1}`);
      i += 1;
    } else if (steps[i] === 'qos' && Number.isInteger(next)) {
      words.push(`limit ${next + 1}`);
      i += 1;
    } else if (steps[i] === 'operations' && Number.isInteger(next)) {
      words.push(profile.scoring.infrastructure?.operations[next]?.name || `operation ${next + 1}`);
      i += 1;
    } else if (steps[i] === 'rules' && Number.isInteger(next)) {
      words.push(`rule ${next + 1}`);
      i += 1;
    } else words.push(steps[i]!);
  }
  return words.join(', ');
}

const free = (base: string, taken: readonly string[]): string => {
  let n = 2;
  while (taken.includes(`${base}-${n}`)) n += 1;
  return taken.includes(base) ? `${base}-${n}` : base;
};

/** A workload to fill in, with an id that is free. */
export function newWorkload(profile: Profile): ProfileWorkload {
  const id = free(
    'workload',
    profile.workloads.map((w) => w.id),
  );
  return {
    id,
    role: 'io',
    name: '',
    driver: 'fio',
    params: {},
    unit: 'IOPS',
    scored: true,
    reference: null,
    referenceSource: 'Not set: normalised to a reference run',
    qos: [],
  };
}

/** An operation to fill in, with an id that is free. */
export function newOperation(operations: readonly InfraOperation[]): InfraOperation {
  return {
    id: free(
      'operation',
      operations.map((o) => o.id),
    ),
    name: '',
    reference: null,
    referenceSource: 'Not set: normalised to a reference run',
  };
}

/** How much of a profile is known: scored references that are set. */
export function referencesSet(profile: Profile): { set: number; of: number } {
  const parts = [
    ...profile.workloads.filter((w) => w.scored),
    ...(profile.scoring.infrastructure?.operations ?? []),
  ];
  return { set: parts.filter((p) => p.reference !== null).length, of: parts.length };
}

/** What every field of the form needs: the errors by path, and whether it can be changed. */
export const ProfileFormContext = createContext<{
  errors: Readonly<Record<string, string>>;
  readOnly: boolean;
}>({ errors: {}, readOnly: false });
export const useProfileForm = (): { errors: Readonly<Record<string, string>>; readOnly: boolean } =>
  useContext(ProfileFormContext);
