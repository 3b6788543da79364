import { draftsOfJson, draftsToJson } from './draftJson.ts';

test('a field that held no number holds none after a reload: it was 0:00 once', () => {
  const drafts = {
    'plan p1': { phases: { steadyS: Number.NaN, periods: 3 }, referenceRunId: null, notes: '' },
    list: { values: [1, Number.NaN, 'x'] },
  };
  expect(draftsOfJson(draftsToJson(drafts))).toEqual(drafts);
});

test('what a version before wrote is read as it is', () => {
  expect(draftsOfJson('{"plan p1":{"tiles":2,"referenceRunId":null}}')).toEqual({
    'plan p1': { tiles: 2, referenceRunId: null },
  });
});
