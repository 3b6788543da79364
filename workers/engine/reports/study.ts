import { AppError } from '../../../src/core/base/errors.ts';
import { type LabSpec, labSpecSchema } from '../../../src/core/lab/lab.ts';
import { type Plan, planSchema } from '../../../src/core/plan/plan.ts';
import { type Profile, profileSchema } from '../../../src/core/profile/profile.ts';
import { type Source, sourceOf } from '../../../src/core/redact/learn.ts';
import { createRedactor, type Redactor } from '../../../src/core/redact/redactor.ts';
import type { Report } from '../../../src/core/report/model.ts';
import { studiesReport } from '../../../src/core/report/studiesReport.ts';
import { type StudyOrigin, studyReport } from '../../../src/core/report/studyReport.ts';
import { type RunRecord, runRecord } from '../../../src/core/run/run.ts';
import { type StudyOverview, studyOverview } from '../../../src/core/study/study.ts';
import { type StudyFile, studyFileSchema, studyText } from '../../../src/core/study/studyFile.ts';
import { type Connection, connectionSchema } from '../../../src/core/testbed/connection.ts';
import { type Testbed, testbedSchema } from '../../../src/core/testbed/testbed.ts';
import { usedConnections } from '../../../src/core/testbed/usedConnections.ts';
import type { Handlers, ParsedInput } from '../../../src/wire/contract.ts';
import type { Database, SampleStore } from '../db/types.ts';
import type { Step } from './compare.ts';
import { reportSamples } from './samples.ts';

export interface StudyReportPeers {
  db: Pick<Database, 'plans' | 'testbeds' | 'connections' | 'runs'>;
  samples: Pick<SampleStore, 'read' | 'aggregate'>;
  profile: (id: string) => Profile | undefined;
  overviewOf: Handlers['study.overview'];
  compareCurves: Handlers['study.compare'];
  diagnoseStudy: Handlers['study.diagnose'];
  /** Simulated labs of a ready-made study; empty = none known. */
  labsOf: (galleryId: string) => readonly LabSpec[];
  version: string;
  now: () => number;
}
type Diagnosed = Awaited<ReturnType<Handlers['study.diagnose']>>;
interface Gathered {
  overview: StudyOverview;
  plan: Plan | null;
  profile: Profile | undefined;
  testbeds: Testbed[];
  connections: Connection[];
  records: RunRecord[];
  diagnosis: Diagnosed;
  labs: readonly LabSpec[];
}
interface Made {
  report: Report;
  redactor: Redactor | null;
}

/** Everything a report needs of one study: as it is stored now, and the records of its runs. */
async function gather(
  peers: StudyReportPeers,
  id: string,
  step: Step,
  signal: AbortSignal,
): Promise<Gathered> {
  const { db } = peers;
  await step('The study is read', 0, 3);
  const overview = await peers.overviewOf({ id }, signal);
  const { spec } = overview;
  const plan = db.plans.get(spec.planId);
  const named = spec.axes.flatMap((axis) =>
    axis.parameter.kind === 'testbed' ? axis.values.map(String) : [],
  );
  const testbeds = [...new Set([...(plan === null ? [] : [plan.testbedId]), ...named])].flatMap(
    (one) => db.testbeds.get(one) ?? [],
  );
  const all = db.connections.list();
  const used = new Set(testbeds.flatMap((one) => usedConnections(one, all)).map(({ id }) => id));
  const connections = all.filter(({ id }) => used.has(id));
  const records: RunRecord[] = [];
  for (const point of overview.points) {
    const record = point.runId === null ? null : db.runs.find(point.runId);
    if (record !== null) records.push(record);
    await step('Its runs are read', 1, 3);
  }
  await step('It is explained', 2, 3);
  return {
    overview,
    plan,
    profile: plan === null ? undefined : peers.profile(plan.profileId),
    testbeds,
    connections,
    records,
    diagnosis: await explained(peers, id, signal),
    labs: spec.galleryId === null ? [] : peers.labsOf(spec.galleryId),
  };
}

async function explained(
  peers: StudyReportPeers,
  id: string,
  signal: AbortSignal,
): Promise<Diagnosed> {
  try {
    return await peers.diagnoseStudy({ id }, signal);
  } catch (thrown) {
    // A point without a steady state cannot be explained; its curves still can be shown.
    if (thrown instanceof AppError && thrown.kind === 'conflict')
      return {
        curves: [],
        curve: null,
        beforeKey: null,
        afterKey: null,
        why: thrown.message,
        diagnosis: null,
      };
    throw thrown;
  }
}

/** Knows every name of the studies, of their runs, and of what they were made on. */
function redactorOf(studies: readonly Gathered[], keep: readonly string[]): Redactor {
  const sources = studies.flatMap((one): Source[] => [
    sourceOf(studyOverview, one.overview),
    ...(one.plan === null ? [] : [sourceOf(planSchema, one.plan)]),
    ...(one.profile === undefined ? [] : [sourceOf(profileSchema, one.profile)]),
    ...one.testbeds.map((testbed) => sourceOf(testbedSchema, testbed)),
    ...one.connections.map((connection) => sourceOf(connectionSchema, connection)),
    ...one.labs.map((lab) => sourceOf(labSpecSchema, lab)),
    ...one.records.map((record) => sourceOf(runRecord, record)),
  ]);
  return createRedactor(sources, { keep });
}

/** The study as a file that runs again, without secrets: connections name where theirs lie. */
function originOf(
  { overview, plan, profile, testbeds, connections, labs, records }: Gathered,
  redactor: Redactor | null,
  version: string,
): StudyOrigin {
  const { spec } = overview;
  const first = testbeds.find((t) => t.id === plan?.testbedId);
  const file: StudyFile | null =
    plan === null || first === undefined
      ? null
      : {
          tilebenchStudy: 1,
          study: spec,
          planFile: {
            tilebenchPlan: 1,
            plan,
            testbed: first,
            connections,
            ...(profile === undefined ? {} : { profile }),
            ...(labs.length === 0 ? {} : { labs: [...labs] }),
          },
          testbeds: testbeds.filter((t) => t !== first),
          profiles: [],
        };
  return {
    fileText:
      file === null
        ? 'The plan of this study is not stored any more.\n'
        : studyText(redactor === null ? file : redactor.value(studyFileSchema, file)),
    command: `tilebench study run ${spec.galleryId === null ? 'study.json' : `${spec.galleryId} --demo`}`,
    facts: [
      ['Reported with', `Tilebench ${version}`],
      [
        'Runs made with',
        [...new Set(records.map((r) => `Tilebench ${r.appVersion}`))].join(', ') || 'no run',
      ],
      [
        'Profile',
        profile === undefined ? 'not stored any more' : `${profile.name} ${profile.version}`,
      ],
      [
        'Seed',
        labs.length > 0
          ? labs.map((lab) => `${lab.seed} of the simulated lab ${lab.name}`).join(', ')
          : overview.origin === 'simulated'
            ? 'of the simulated lab, in its own file'
            : 'none: real machines',
      ],
      [
        'Order of the points',
        spec.order === 'shuffled' ? `shuffled, seeded by the study's id ${spec.id}` : spec.order,
      ],
      [
        'Plan hashes',
        [...new Set(records.map((r) => r.planHash.slice(0, 8)))].join(', ') || 'none',
      ],
    ],
  };
}

export async function makeStudyReport(
  peers: StudyReportPeers,
  id: string,
  keep: readonly string[] | null,
  step: Step,
  signal: AbortSignal,
): Promise<Made> {
  const study = await gather(peers, id, step, signal);
  const redactor = keep === null ? null : redactorOf([study], keep);
  const { overview, plan, profile, testbeds, diagnosis, records } = study;
  const report = studyReport({
    overview,
    diagnosis,
    workloads: new Map(
      (profile?.workloads ?? []).map((w) => [w.id, { name: w.name, unit: w.unit }]),
    ),
    planName: plan?.name ?? 'not stored any more',
    profileName:
      profile === undefined ? 'not stored any more' : `${profile.name} ${profile.version}`,
    testbedNames: testbeds.map((t) => t.name),
    runOf(runId) {
      const record = records.find((one) => one.overview.id === runId);
      return record === undefined ? null : { record, samples: reportSamples(peers.samples, runId) };
    },
    origin: originOf(study, redactor, peers.version),
    appVersion: peers.version,
    madeAtMs: peers.now(),
  });
  return { report, redactor };
}

export async function makeStudiesReport(
  peers: StudyReportPeers,
  { ids, baseline }: Pick<ParsedInput<'report.studies'>, 'ids' | 'baseline'>,
  keep: readonly string[] | null,
  step: Step,
  signal: AbortSignal,
): Promise<Made> {
  const comparison = await peers.compareCurves(
    { ids, ...(baseline === undefined ? {} : { baseline }) },
    signal,
  );
  const studies: Gathered[] = [];
  for (const id of new Set(ids)) studies.push(await gather(peers, id, step, signal));
  const redactor = keep === null ? null : redactorOf(studies, keep);
  const report = studiesReport({
    comparison,
    studies: studies.map((s) => ({
      id: s.overview.spec.id,
      name: s.overview.spec.name,
      planName: s.plan?.name ?? 'not stored any more',
      points: s.overview.points.length,
      diagnosis: s.diagnosis,
      origin: originOf(s, redactor, peers.version),
    })),
    appVersion: peers.version,
    madeAtMs: peers.now(),
  });
  return { report, redactor };
}
