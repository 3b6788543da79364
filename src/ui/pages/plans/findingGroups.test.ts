import type { CheckFinding } from '../../../core/plan/plan.ts';
import { groupFindings } from './findingGroups.ts';

const finding = (
  id: string,
  title: string,
  severity: CheckFinding['severity'] = 'warn',
): CheckFinding => ({ id, title, severity, subject: title, evidence: '', checkId: 'client.busy' });
const titles = new Map([['client.busy', 'CPU headroom']]);

test.each([
  [
    'few stay rows of their own',
    ['Clock of c1', 'Clock of c2', 'Clock of c3'],
    ['Clock of c1', 'Clock of c2', 'Clock of c3'],
  ],
  [
    'many become one, called by what they have in common',
    ['Clock of c1', 'Clock of c2', 'Clock of c3', 'Clock of c4'],
    ['Clock of (4)'],
  ],
  [
    'a separator at the end is no part of it',
    [
      'A client is busy: c1',
      'A client is busy: c2',
      'A client is busy: c3',
      'A client is busy: c4',
    ],
    ['A client is busy (4)'],
  ],
  ['nothing in common: by their check', ['c1', 'c2', 'c3', 'c4'], ['CPU headroom (4)']],
])('%s', (_what, given, wanted) =>
  expect(
    groupFindings(
      given.map((title) => finding('x', title)),
      titles,
    ).map((group) => group.title),
  ).toEqual(wanted),
);

test('waived and other severities keep their own rows and places', () => {
  const many = ['a b', 'a b', 'a b', 'a b'].map((title) => finding('x', title));
  const groups = groupFindings(
    [
      finding('y', 'Block', 'block'),
      ...many,
      { ...finding('x', 'a b'), waived: { reason: 'known', atMs: 0 } },
    ],
    titles,
  );
  expect(groups.map(({ kind, findings }) => `${kind} ${findings.length}`)).toEqual([
    'block 1',
    'warn 4',
    'waived 1',
  ]);
});
