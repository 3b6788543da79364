import { fail } from '../base/errors.ts';
import { isKnownUnit, secondsOfRate, unitRemedy } from '../base/units.ts';
import { hiddenWaitsOf } from './driverKinds.ts';
import type { Profile, QosLimit } from './profile.ts';

/** One thing wrong with a profile: where (path in the file), what, and what to do. */
export interface ProfileIssue {
  path: string;
  message: string;
  remedy: string;
}

const blank = (text: string | undefined): boolean => text === undefined || text.trim() === '';
const sourceRemedy =
  'Name the document the figure is from, or say that it is an assumption of your own';

/**
 * What the schema cannot say: units, sources, unique ids, weights that leave nothing, parents.
 * Empty = the profile can be used.
 */
export function checkProfile(profile: Profile, all: readonly Profile[]): ProfileIssue[] {
  return [
    ...(/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(profile.id)
      ? []
      : [
          {
            path: 'id',
            message: `the id ${JSON.stringify(profile.id)} cannot be part of an address`,
            remedy:
              'Use letters, digits, dots, hyphens and underscores, and begin with a letter or digit',
          },
        ]),
    ...(blank(profile.name)
      ? [{ path: 'name', message: 'the profile has no name', remedy: 'Give it one' }]
      : []),
    ...(blank(profile.version)
      ? [{ path: 'version', message: 'the profile has no version', remedy: 'Write 1.0.0' }]
      : []),
    ...workloadIssues(profile),
    ...scoringIssues(profile),
    ...duplicates(profile.rules?.map((r) => r.id) ?? [], 'rules'),
    ...parentIssues(profile, all),
  ];
}

/**
 * Throws invalidInput with place and remedy of each fault (at most ten). `at` is put before the
 * paths: where the profile stands in a larger file.
 */
export function demandProfile(profile: Profile, all: readonly Profile[], at = ''): void {
  const issues = checkProfile(profile, all);
  if (issues.length === 0) return;
  const lines = issues.slice(0, 10).map((i) => `${at ? `${at}.` : ''}${i.path}: ${i.message}.`);
  throw fail(
    'invalidInput',
    [
      `Profile ${profile.name || profile.id} is not valid.`,
      ...lines,
      ...(issues.length > 10 ? [`… and ${issues.length - 10} more.`] : []),
    ].join('\n'),
    [...new Set(issues.map((i) => `${i.remedy}.`))].slice(0, 3).join(' '),
  );
}

/**
 * The next version of a profile: its last number is counted up (`1.0.4` → `1.0.5`); a version
 * without a number gets one.
 */
export function nextVersion(version: string): string {
  const match = /^(.*?)(\d+)$/.exec(version);
  return match ? `${match[1]}${Number(match[2]) + 1}` : `${version || '1.0'}.1`;
}

function workloadIssues(profile: Profile): ProfileIssue[] {
  const scored = profile.workloads.filter((w) => w.scored);
  return [
    ...duplicates(
      profile.workloads.map((w) => w.id),
      'workloads',
    ),
    ...(scored.length > 0 && scored.every((w) => w.weight === 0)
      ? [
          {
            path: 'workloads',
            message: 'every scored workload has weight 0: nothing is left to score',
            remedy: 'Give at least one workload a weight above 0',
          },
        ]
      : []),
    ...profile.workloads.flatMap((w, i) => {
      const at = `workloads.${i}`;
      return [
        ...(blank(w.name)
          ? [{ path: `${at}.name`, message: 'the workload has no name', remedy: 'Give it one' }]
          : []),
        ...(isKnownUnit(w.unit) ? [] : [unknownUnit(`${at}.unit`, w.unit)]),
        ...(blank(w.referenceSource)
          ? [
              {
                path: `${at}.referenceSource`,
                message:
                  w.reference === null
                    ? 'nothing says why the reference is not set'
                    : 'the reference has no source',
                remedy: sourceRemedy,
              },
            ]
          : []),
        ...(w.weight !== undefined && w.weight !== 1 && blank(w.weightSource)
          ? [
              {
                path: `${at}.weightSource`,
                message: 'the weight has no source',
                remedy: sourceRemedy,
              },
            ]
          : []),
        ...w.qos.flatMap((limit, l) => [
          ...limitIssues(limit, `${at}.qos.${l}`, w.unit),
          ...hiddenWaitIssues(limit, `${at}.qos.${l}`, w.driver),
        ]),
      ];
    }),
  ];
}

/** A limit on a latency that leaves out what waited would be kept by a server that stands still. */
function hiddenWaitIssues({ metric }: QosLimit, at: string, driver: string): ProfileIssue[] {
  const hidden = metric.startsWith('latency') ? hiddenWaitsOf(driver) : null;
  return hidden === null
    ? []
    : [
        {
          path: `${at}.metric`,
          message: `a limit on this latency proves nothing: ${hidden}`,
          remedy:
            'Limit throughput or errors, or load with tilekit, which measures from when a request was due',
        },
      ];
}

function limitIssues(limit: QosLimit, at: string, workloadUnit: string): ProfileIssue[] {
  const failure = limit.measure === 'failurePct';
  const expected = failure
    ? '%'
    : limit.metric.endsWith('Ms')
      ? 'ms'
      : limit.metric === 'throughput'
        ? workloadUnit
        : limit.metric.endsWith('Pct')
          ? '%'
          : null;
  return [
    ...(isKnownUnit(limit.unit) ? [] : [unknownUnit(`${at}.unit`, limit.unit)]),
    ...(isKnownUnit(limit.unit) && expected !== null && limit.unit !== expected
      ? [
          {
            path: `${at}.unit`,
            message: `${failure ? 'a share of failures' : limit.metric} is measured in ${expected}, not ${limit.unit}`,
            remedy: `Write the limit in ${expected}`,
          },
        ]
      : []),
    ...(failure && limit.metric !== 'errorRate'
      ? [
          {
            path: `${at}.metric`,
            message: 'a share of failures is taken from errorRate',
            remedy: 'Set metric to errorRate',
          },
        ]
      : []),
    ...(failure && isKnownUnit(workloadUnit) && secondsOfRate(workloadUnit) === null
      ? [
          {
            path: `${at}.measure`,
            message: `failures cannot be held against throughput in ${workloadUnit}: it counts no operations`,
            remedy: 'Limit the error rate itself, or choose a workload that counts operations',
          },
        ]
      : []),
    ...(limit.min !== undefined && limit.max !== undefined && limit.min > limit.max
      ? [
          {
            path: `${at}.min`,
            message: `the least, ${limit.min}, is above the most, ${limit.max}`,
            remedy: 'Exchange them',
          },
        ]
      : []),
    ...(blank(limit.source)
      ? [{ path: `${at}.source`, message: 'the limit has no source', remedy: sourceRemedy }]
      : []),
  ];
}

function scoringIssues({ scoring }: Profile): ProfileIssue[] {
  const { infrastructure, overall } = scoring;
  return [
    ...(blank(scoring.source)
      ? [
          {
            path: 'scoring.source',
            message: 'the scoring rule has no source',
            remedy: sourceRemedy,
          },
        ]
      : []),
    ...(infrastructure && !overall
      ? [
          {
            path: 'scoring.overall',
            message: 'nothing says how application and infrastructure become one total',
            remedy:
              'Give both weights with their source, or null for not set: the parts are then shown apart',
          },
        ]
      : []),
    ...(overall && !infrastructure
      ? [
          {
            path: 'scoring.infrastructure',
            message: 'there are weights, and no infrastructure part to weigh',
            remedy: 'Add the operations, or remove the weights',
          },
        ]
      : []),
    ...(overall && blank(overall.source)
      ? [
          {
            path: 'scoring.overall.source',
            message: 'the weights have no source',
            remedy: sourceRemedy,
          },
        ]
      : []),
    ...(overall && (overall.application === null) !== (overall.infrastructure === null)
      ? [
          {
            path: 'scoring.overall',
            message: 'one weight is set and the other is not',
            remedy: 'Set both, or neither',
          },
        ]
      : []),
    ...(overall && overall.application === 0 && overall.infrastructure === 0
      ? [
          {
            path: 'scoring.overall',
            message: 'both weights are 0: nothing is left to score',
            remedy: 'Give at least one a weight above 0',
          },
        ]
      : []),
    ...duplicates(
      infrastructure?.operations.map((o) => o.id) ?? [],
      'scoring.infrastructure.operations',
    ),
    ...(infrastructure?.operations.every((o) => o.weight === 0)
      ? [
          {
            path: 'scoring.infrastructure.operations',
            message: 'every operation has weight 0: nothing is left to score',
            remedy: 'Give at least one a weight above 0',
          },
        ]
      : []),
    ...(infrastructure?.operations ?? []).flatMap((o, i) => [
      ...(blank(o.referenceSource)
        ? [
            {
              path: `scoring.infrastructure.operations.${i}.referenceSource`,
              message:
                o.reference === null
                  ? 'nothing says why the reference is not set'
                  : 'the reference has no source',
              remedy: sourceRemedy,
            },
          ]
        : []),
      ...(o.weight !== undefined && o.weight !== 1 && blank(o.weightSource)
        ? [
            {
              path: `scoring.infrastructure.operations.${i}.weightSource`,
              message: 'the weight has no source',
              remedy: sourceRemedy,
            },
          ]
        : []),
    ]),
  ];
}

/**
 * A profile's parents must end: each is looked up once. A parent that is not installed is allowed,
 * nothing is compared then.
 */
function parentIssues(profile: Profile, all: readonly Profile[]): ProfileIssue[] {
  const parentOf = new Map(all.map((p) => [p.id, p.parentId ?? null]));
  parentOf.set(profile.id, profile.parentId ?? null);
  const seen = [profile.id];
  for (let id = profile.parentId ?? null; id !== null; id = parentOf.get(id) ?? null) {
    if (seen.includes(id))
      return [
        {
          path: 'parentId',
          message: `the parents go round in a circle: ${[...seen, id].join(' → ')}`,
          remedy: 'Choose a parent that does not come from this profile, or none (null)',
        },
      ];
    seen.push(id);
  }
  return [];
}

function duplicates(ids: readonly string[], path: string): ProfileIssue[] {
  return ids.flatMap((id, i) =>
    ids.indexOf(id) < i
      ? [
          {
            path: `${path}.${i}.id`,
            message: `the id ${id} is there twice`,
            remedy: 'Give each an id of its own',
          },
        ]
      : [],
  );
}

const unknownUnit = (path: string, unit: string): ProfileIssue => ({
  path,
  message: `the unit ${JSON.stringify(unit)} is not known`,
  remedy: unitRemedy,
});
