import * as z from 'zod';

import { byNaturalOrder } from '../../../src/core/base/naturalOrder.ts';
import type { RunRecord } from '../../../src/core/run/run.ts';
import { type StudySpec, studySpecSchema } from '../../../src/core/study/study.ts';
import { readStored } from './readStored.ts';

/** Raised when what is indexed changes: older rows are filled again when the store opens. */
export const textVersion = 1;

/** What of a run or study can be searched, without what people put beside it. */
export interface HistoryText {
  name: string;
  hosts: string[];
  findings: string[];
  testbed: string;
  profile: string;
  marks: string[];
  /** null = has none by its nature. */ findingCount: number | null;
}

const texts = z.array(z.object({ text: z.string() })).catch([]);
/** Of a stored record only what is searched: whatever else of it is odd, it can be found. */
const searchedRecord = z.object({
  overview: z.object({
    name: z.string().catch(''),
    findings: texts,
    events: z.array(z.object({ kind: z.string(), text: z.string() })).catch([]),
    series: z
      .array(z.object({ entity: z.object({ kind: z.string(), name: z.string() }) }))
      .catch([]),
    placement: z
      .object({ hosts: z.array(z.object({ name: z.string() })) })
      .optional()
      .catch(undefined),
  }),
  testbed: z.object({ name: z.string() }).catch({ name: '' }),
  profile: z.object({ name: z.string() }).catch({ name: '' }),
});

/** Hosts are those that were watched and those its VMs ran on. */
export function textOfRun(
  record: Pick<RunRecord, 'overview' | 'testbed' | 'profile'> | z.infer<typeof searchedRecord>,
): HistoryText {
  const { overview, testbed, profile } = record;
  const hosts = [
    ...overview.series
      .filter(({ entity }) => entity.kind === 'host')
      .map(({ entity }) => entity.name),
    ...(overview.placement?.hosts ?? []).map((host) => host.name),
  ];
  return {
    name: overview.name,
    hosts: [...new Set(hosts)].sort(byNaturalOrder),
    findings: overview.findings.map((finding) => finding.text),
    findingCount: overview.findings.length,
    testbed: testbed.name,
    profile: profile.name,
    marks: overview.events.filter((event) => event.kind === 'note').map((event) => event.text),
  };
}
export function textOfStoredRun(json: string): HistoryText | null {
  const stored = readStored(searchedRecord, json);
  return stored.ok ? textOfRun(stored.data) : null;
}

/**
 * `details` = of its points: they are its findings. `plan` = names of what its plan works with, where that is known.
 */
export function textOfStudy(
  spec: StudySpec,
  details: readonly string[],
  plan: { testbed: string; profile: string } | null,
): HistoryText {
  return {
    name: spec.name,
    hosts: [],
    findings: [...new Set(details)].filter((text) => text !== ''),
    findingCount: null,
    testbed: plan?.testbed ?? '',
    profile: plan?.profile ?? '',
    marks: [
      spec.notes,
      ...spec.axes.map((axis) => axis.label),
      ...(spec.galleryId === null ? [] : [spec.galleryId]),
    ].filter((text) => text !== ''),
  };
}
export function textOfStoredStudy(
  json: string,
  details: readonly string[],
  planOf: (planId: string) => { testbed: string; profile: string } | null,
): HistoryText | null {
  const spec = readStored(studySpecSchema, json);
  return spec.ok ? textOfStudy(spec.data, details, planOf(spec.data.planId)) : null;
}

/** Details of the points of a study, without reading the points whole. */
export const pointDetailsSql =
  "SELECT DISTINCT CASE WHEN json_valid(json) THEN coalesce(json_extract(json, '$.detail'), " +
  "'') ELSE '' END AS detail FROM study_points WHERE study_id = ?";
