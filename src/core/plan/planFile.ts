import { parseJsonFile } from '../base/jsonFile.ts';
import { profileFaults } from '../profile/profileFile.ts';
import { type PlanFile, planFileSchema } from './plan.ts';

/**
 * Parses a plan file: JSON, comments and trailing commas allowed. Throws invalidInput with
 * `name:line:column` of each fault (at most ten).
 */
export const parsePlanFile = (name: string, text: string): PlanFile =>
  parseJsonFile(
    name,
    text,
    planFileSchema,
    'plan',
    ({ profile }) => (profile ? profileFaults(profile, [], ['profile']) : []),
    [
      { path: ['tilebenchPlan'], known: 1 },
      { path: ['profile', 'schemaVersion'], known: 1 },
    ],
  );
