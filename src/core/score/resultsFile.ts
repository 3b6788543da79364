import * as z from 'zod';

import { limits } from '../base/bounds.ts';
import { fail } from '../base/errors.ts';
import { field } from '../base/field.ts';
import { type FileFault } from '../base/fileFault.ts';
import { parseJsonFile } from '../base/jsonFile.ts';
import { metricName } from '../metric/metric.ts';
import { maximumTiles, type Profile, profileSchema } from '../profile/profile.ts';
import { profileFaults } from '../profile/profileFile.ts';
import { type PeriodMeasurement, type Score } from '../run/scoreTypes.ts';
import { scoreRun } from './score.ts';

const value = z
  .number({ error: 'a number, or leave it out: what is missing is missing' })
  .min(0, { error: 'a rate or time must not be negative' })
  .max(limits.figure);
const values = field.partialRecord(metricName, value);
const workloadResult = z.object({
  /** From 1, as results are published. */
  tile: z
    .number()
    .int()
    .min(1)
    .max(maximumTiles, { error: `at most ${maximumTiles} tiles` }),
  workloadId: field.id('workload'),
  samples: field.count().default(0),
  values,
  operations: field.record(field.id('operation'), values).optional(),
});
const partScores = z.object({
  application: value,
  infrastructure: value.optional(),
  source: field.freeText().min(1, { error: 'published figures need their source' }),
});
const power = z.object({
  kind: z.enum(['server', 'serverAndStorage']),
  meanW: field.figure().positive({ error: 'mean power must be greater than 0' }),
  measuredBy: field.freeText().default('as published'),
  /** Seconds the source measures over. */ periodS: field.figure().positive().optional(),
  windowS: field.figure().positive().optional(),
});

export const resultsFileSchema = z.object({
  tilebenchResults: z.literal(1, {
    error: 'this Tilebench reads tilebenchResults 1; a newer file needs a newer Tilebench',
  }),
  name: field.name('run').default(''),
  /** A shipped or own profile by id, or the whole profile in `profile`. */
  profileId: field.id('profile').optional(),
  profile: profileSchema.optional(),
  tiles: z
    .number()
    .int()
    .min(1)
    .max(maximumTiles, { error: `at most ${maximumTiles} tiles` }),
  /**
   * What scores 1.0 where the profile sets nothing: by workload id, and `infra.<operation id>` in
   * operations an hour.
   */
  references: field
    .record(
      field.id('workload'),
      field.figure().positive({ error: 'a reference must be greater than 0: ratios divide by it' }),
    )
    .default({}),
  referencesFrom: field.freeText().default(''),
  /** Workload metrics by period … */
  periods: z
    .array(
      z.object({
        workloads: field.list(workloadResult, maximumTiles * 64),
        infrastructure: field.record(field.id('operation'), value).optional(),
      }),
    )
    .min(1)
    .max(48)
    .optional(),
  /** … or part scores as published. */
  parts: partScores.optional(),
  power: power.optional(),
});
export type ResultsFile = z.infer<typeof resultsFileSchema>;

/**
 * Parses a results file: JSON, comments and trailing commas allowed. Throws invalidInput with
 * `name:line:column` of each fault.
 */
export function parseResultsFile(name: string, text: string): ResultsFile {
  return parseJsonFile(name, text, resultsFileSchema, 'results', faultsOf, [
    { path: ['tilebenchResults'], known: 1 },
    { path: ['profile', 'schemaVersion'], known: 1 },
  ]);
}

/** What the schema cannot say of a results file. */
function faultsOf(file: ResultsFile): FileFault[] {
  return [
    ...(file.periods === undefined && file.parts === undefined
      ? [
          {
            path: [],
            message:
              'neither periods (workload metrics) nor parts (published part scores) are there',
          },
        ]
      : []),
    ...(file.periods !== undefined && file.parts !== undefined
      ? [{ path: ['parts'], message: 'periods and parts are both there: give one of them' }]
      : []),
    ...(file.profile === undefined && file.profileId === undefined
      ? [{ path: [], message: 'profileId or profile is missing: nothing says how to score' }]
      : []),
    ...(file.profile ? profileFaults(file.profile, [], ['profile']) : []),
    ...(file.periods ?? []).flatMap(({ workloads }, p) => {
      const seen = new Set<string>();
      return workloads.flatMap(({ tile, workloadId }, i): FileFault[] => {
        const key = `${tile} ${workloadId}`;
        const again = seen.has(key);
        seen.add(key);
        const path = ['periods', p, 'workloads', i];
        return [
          ...(tile > file.tiles
            ? [{ path: [...path, 'tile'], message: `tile ${tile} of ${file.tiles}` }]
            : []),
          ...(again
            ? [{ path, message: `tile ${tile} ${workloadId} is there twice in this period` }]
            : []),
        ];
      });
    }),
  ];
}

/**
 * The profile a results file is scored by. Throws invalidInput where there is none of that id, or
 * the file names workloads it does not have.
 */
export function profileOfResults(
  name: string,
  file: ResultsFile,
  profiles: readonly Profile[],
): Profile {
  const profile = file.profile ?? profiles.find((p) => p.id === file.profileId);
  if (!profile)
    throw fail(
      'invalidInput',
      `${name}: there is no profile ${file.profileId ?? ''}.`,
      `Profiles are ${profiles.map((p) => p.id).join(', ')}; or put one into the file under "profile".`,
    );
  const known = new Set(profile.workloads.map((w) => w.id));
  const operations = new Set(profile.scoring.infrastructure?.operations.map((o) => o.id) ?? []);
  const strange = (file.periods ?? []).flatMap((p) => [
    ...p.workloads.filter((w) => !known.has(w.workloadId)).map((w) => w.workloadId),
    ...Object.keys(p.infrastructure ?? {}).filter((id) => !operations.has(id)),
  ]);
  if (strange.length > 0)
    throw fail(
      'invalidInput',
      `${name}: profile ${profile.id} has no ${[...new Set(strange)].join(', ')}.`,
      'Its workloads are ' +
        `${[...known].join(', ')}${operations.size > 0 ? `; its operations ${[...operations].join(', ')}` : ''}.`,
    );
  if (file.parts?.infrastructure !== undefined && !profile.scoring.infrastructure)
    throw fail(
      'invalidInput',
      `${name}: profile ${profile.id} has no infrastructure part.`,
      'Leave parts.infrastructure out, or choose another profile.',
    );
  return profile;
}

/** The score of a results file, by the same rules as a run. */
export function scoreResults(profile: Profile, file: ResultsFile): Score {
  const score = file.parts
    ? scoreParts(profile, file, file.parts)
    : scoreRun(
        profile,
        file.tiles,
        measurementsOf(file),
        file.references,
        referenceLabel(profile, file),
      );
  if (!file.power) return score;
  const { kind, meanW, measuredBy, periodS, windowS } = file.power;
  const allowedS = Math.min(
    (profile.scoring.power?.maxPeriodMs ?? Infinity) / 1_000,
    windowS ?? Infinity,
  );
  const refused =
    score.total === null
      ? 'there is no total'
      : periodS !== undefined && periodS > allowedS
        ? `${measuredBy} measures every ${periodS} s, longer than the ${allowedS} s that are allowed`
        : null;
  return {
    ...score,
    power: {
      kind,
      meanW,
      value: refused === null ? score.total! / (meanW / 1_000) : null,
      refused,
      measuredBy,
      source: profile.scoring.power?.source ?? 'Score / mean kW over the same period',
    },
  };
}

const measurementsOf = (file: ResultsFile): PeriodMeasurement[] =>
  (file.periods ?? []).map((period, index) => ({
    index,
    ...(period.infrastructure ? { infrastructure: period.infrastructure } : {}),
    workloads: period.workloads.map(({ tile, operations, ...rest }) => ({
      ...rest,
      tile: tile - 1,
      ...(operations ? { operations } : {}),
    })),
  }));

function referenceLabel(profile: Profile, file: ResultsFile): string {
  if (file.referencesFrom !== '') return file.referencesFrom;
  return Object.keys(file.references).length > 0
    ? 'references of the file'
    : `profile ${profile.name} ${profile.version}`;
}

/** Published part scores become a total by the profile's weights; there is nothing below them. */
function scoreParts(
  profile: Profile,
  file: ResultsFile,
  parts: NonNullable<ResultsFile['parts']>,
): Score {
  const { overall, infrastructure } = profile.scoring;
  const base = {
    resultName: profile.resultName,
    tiles: file.tiles,
    periodRule: profile.scoring.periods ?? 'notSet',
    chosenPeriod: null,
    periods: [],
    referenceLabel: parts.source,
    qosPassed: false,
    speaking: [],
    notes: ['Part scores as published: QoS and the steps below them are not in the file'],
  };
  if (!infrastructure) return { ...base, total: parts.application, missing: [] };
  const weights =
    overall && overall.application !== null && overall.infrastructure !== null
      ? { application: overall.application, infrastructure: overall.infrastructure }
      : null;
  const missing = [
    ...(parts.infrastructure === undefined ? ['the infrastructure score is not in the file'] : []),
    ...(weights === null
      ? [
          'no total: the weights of application and infrastructure are not set in the ' +
            'profile; the parts are shown apart',
        ]
      : []),
  ];
  const total =
    weights === null || parts.infrastructure === undefined
      ? null
      : weights.application * parts.application + weights.infrastructure * parts.infrastructure;
  return {
    ...base,
    total,
    application: parts.application,
    infrastructure: parts.infrastructure ?? null,
    weights,
    missing,
  };
}
