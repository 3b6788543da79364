import { demoRun } from '../../ui/pages/runs/testing/records.ts';
import { ownReference } from '../run/ownReference.ts';
import type { RunRecord } from '../run/run.ts';
import { setupFacts } from './setupFacts.ts';

const base = demoRun({ id: 'run-a', name: 'A' }).record;
const run = (reference: number | null, referenceRunId: string | null): RunRecord => ({
  ...base,
  overview: { ...base.overview, score: null },
  plan: { ...base.plan, referenceRunId },
  profile: { ...base.profile, workloads: base.profile.workloads.map((w) => ({ ...w, reference })) },
});
const told = (record: RunRecord): string | undefined =>
  setupFacts(record).find(([, label]) => label === 'Score reference')?.[2];

test('a run that ended without a score is compared by what it would have been scored against', () => {
  const { name, version } = base.profile;
  expect(told(run(10, null))).toBe(`profile ${name} ${version}`);
  expect(told(run(null, 'run-ref'))).toBe('run run-ref');
  expect(told(run(null, null))).toBe('none');
  expect(ownReference(run(null, null))).toBeNull();
});
