import type { RunRecord } from '../run/run.ts';
import { actsSection } from './actsSection.ts';

test('an act with its figures, and nothing without acts', () => {
  const record = {
    profile: { workloads: [{ id: 'db', name: 'Database', unit: 'tps' }] },
    overview: {
      startedAtMs: 1_000,
      workloads: [{ entityId: 't0.db', workloadId: 'db', tile: 0 }],
      acts: [
        {
          label: 'Host esx3 fails',
          state: 'undone',
          startedMs: 721_000,
          plannedMs: 721_000,
          text: 'The host is down.',
          effects: [
            {
              entityId: 't0.db',
              throughputBefore: 100,
              throughputAfter: 98,
              latencyBeforeMs: 4,
              latencyAfterMs: 5,
              outcome: 'recovered',
              recoveryS: 90,
              workLost: 8_500,
              violatedS: null,
              missingS: 0,
            },
          ],
        },
      ],
    },
  } as unknown as RunRecord;
  const [section] = actsSection(record);
  expect(section!.tables[0]!.title).toBe(
    'Host esx3 fails at 12:00: Done and put back. The host is down.',
  );
  expect(JSON.stringify(section!.tables[0]!.rows)).toContain('1:30');
  expect(actsSection({ ...record, overview: { ...record.overview, acts: undefined } })).toEqual([]);
});
