import { settleFindings } from '../../src/core/plan/checkReport.ts';
import type { CheckFinding } from '../../src/core/plan/plan.ts';
import { printReport } from './run.ts';

test('a report is printed by severity, with fixes, commands and reasons', () => {
  const finding = (
    id: string,
    severity: CheckFinding['severity'],
    more: Partial<CheckFinding> = {},
  ): CheckFinding => ({ id, severity, title: id, subject: id, evidence: `read ${id}`, ...more });
  const findings = [
    finding('fine', 'ok', { fix: 'none' }),
    finding('off', 'block', { fix: 'Power it on.', command: 'govc vm.power -on x' }),
    finding('known', 'warn', { fix: 'Mend it.' }),
    finding('clock', 'warn', { fix: 'NTP.' }),
  ];
  let text = '';
  printReport(
    {
      out: () => undefined,
      err: (line) => {
        text += `${line}\n`;
      },
      isTty: false,
    },
    {
      planId: 'p',
      hash: 'h',
      atMs: 0,
      ...settleFindings(findings, [{ key: 'known known', reason: 'as planned', atMs: 0 }]),
    },
  );
  expect(text).toBe(
    [
      'Blocks the launch (1)',
      '  ✗ off: read off',
      '      Power it on.',
      '      $ govc vm.power -on x',
      'Warnings (1)',
      '  ! clock: read clock',
      '      NTP.',
      'Waived (1)',
      '  ! known: read known',
      '      Waived: as planned',
      'In order (1)',
      '  ✓ fine: read fine',
      'Not ready: 1 ok, 0 notes, 1 warnings, 1 waived, 1 blocking.',
      '',
    ].join('\n'),
  );
});
