import { applyWaivers, countFindings, forbiddingText, settleFindings } from './checkReport.ts';
import { type CheckFinding, findingKey } from './plan.ts';

const finding = (
  id: string,
  severity: CheckFinding['severity'],
  more: Partial<CheckFinding> = {},
): CheckFinding => ({ id, severity, title: id, subject: 's', evidence: '', ...more });
const waiver = (one: CheckFinding) => ({ key: findingKey(one), reason: 'known', atMs: 7 });
const off = finding('vm.poweredOff', 'block');
const away = finding('client.reachable', 'block', { waivable: false });
const slow = finding('client.clockOffset', 'warn');

test('a waived block no longer forbids; one that cannot be waived still does', () => {
  expect(settleFindings([off], []).ready).toBe(false);
  expect(settleFindings([off], [waiver(off)])).toMatchObject({
    ready: true,
    findings: [{ waived: { reason: 'known', atMs: 7 } }],
  });
  expect(settleFindings([away], [waiver(away)])).toMatchObject({
    ready: false,
    findings: [expect.not.objectContaining({ waived: expect.anything() })],
  });
});

test('a waiver names one subject, nothing else of the same check', () => {
  const other = finding('vm.poweredOff', 'block', { subject: 'other' });
  expect(settleFindings([off, other], [waiver(off)]).ready).toBe(false);
});

test('a waiver that was taken back is gone from the finding', () => {
  const waived = applyWaivers([slow], [waiver(slow)]);
  expect(applyWaivers(waived, [])).toEqual([slow]);
});

test('what is worst comes first, what is waived after its like, and counts apart', () => {
  const { findings } = settleFindings(
    [finding('a', 'ok'), slow, finding('note', 'info'), off, finding('b', 'warn')],
    [waiver(slow)],
  );
  expect(findings.map((one) => one.id)).toEqual([
    'vm.poweredOff',
    'b',
    'client.clockOffset',
    'note',
    'a',
  ]);
  expect(countFindings(findings)).toEqual({ block: 1, warn: 1, info: 1, ok: 1, waived: 1 });
});

test('what forbids is told as one sentence, whatever the evidence ends with', () => {
  const told = (count: number): string =>
    forbiddingText(
      Array.from({ length: count }, (_, i) => ({ title: `T${i}`, evidence: 'no file.' })),
    );
  expect(told(1)).toBe('T0: no file');
  expect(told(2)).toBe('T0: no file; T1: no file');
  expect(told(5)).toBe('T0: no file; T1: no file; T2: no file; and 2 more');
});
