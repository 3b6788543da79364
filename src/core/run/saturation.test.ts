import { eventGroups } from './eventGroups.ts';
import {
  addSpan,
  isWhileBehind,
  saturatedSpans,
  type Saturation,
  saturationFinding,
  type Span,
} from './saturation.ts';

const span = (fromMs: number, untilMs: number): Span => ({ fromMs, untilMs });
const of = (more: Partial<Saturation> = {}): Saturation => ({
  client: { id: 'c2', name: 'client2' },
  loads: ['Tile 1 Web'],
  told: [span(0, 300_000)],
  behind: [span(10_000, 20_000), span(50_000, 52_000)],
  lateMs: 2_340,
  limitMs: 25,
  busy: false,
  ...more,
});

test('spans of several loads of a client join where they touch, in any order', () => {
  const spans: Span[] = [];
  for (const [from, until] of [
    [4, 5],
    [0, 1],
    [1, 2],
    [8, 9],
    [4, 6],
    [5, 7],
    [2, 3],
  ] as const)
    addSpan(spans, span(from, until));
  expect(spans).toEqual([span(0, 3), span(4, 7), span(8, 9)]);
  addSpan(spans, span(1, 20));
  expect(spans).toEqual([span(0, 20)]);
});

test('a client that fell behind is told in words, with how long, how late and what that means', () => {
  expect(saturationFinding(of())).toMatchObject({
    severity: 'warn',
    tMs: 10_000,
    text: 'client2 could not offer the load of Tile 1 Web in 12 of 300 seconds: it began up to 2.3 s late, more than 25 ms is too late. What was measured then is the client, not what it loads.',
  });
  expect(saturationFinding(of({ lateMs: 3, busy: true }))!.text).toContain(
    'seconds: its processors were full. What',
  );
  expect(saturationFinding(of({ behind: [span(0, 2_000)] }))).toMatchObject({ severity: 'info' });
  expect(saturationFinding(of({ behind: [] }))).toBeNull();
});

test('a client that falls behind every other second gives as many spans as can be drawn, and all its seconds', () => {
  const behind = Array.from({ length: 3_000 }, (_, i) => span(i * 2_000, i * 2_000 + 1_000));
  const finding = saturationFinding(of({ told: [span(0, 6_000_000)], behind }))!;
  expect(finding.text).toContain('in 3000 of 6000 seconds');
  expect(finding.spans!.length).toBe(60);
  expect(finding.spans!.at(-1)).toEqual(behind.at(-1));
  expect(saturatedSpans([finding])[0]!.text).toBe(finding.text);
});

test('it stands among the events for as long as it lasted, also beside a fault of the same client', () => {
  const finding = saturationFinding(of())!;
  const events = [
    { id: 1, tMs: 5_000, kind: 'fault' as const, text: 'client2 lost', entityId: 'c2' },
    { id: 2, tMs: 6_000, kind: 'recovered' as const, text: 'client2 is back', entityId: 'c2' },
  ];
  const groups = eventGroups({ events, findings: [finding], workloads: [] });
  expect(groups.map(({ text, atMs, untilMs }) => [text, atMs, untilMs])).toEqual([
    ['client2 lost', 5_000, 6_000],
    [finding.text, 10_000, 52_000],
  ]);
});

test('samples that are missing while their own client was behind need no other reason', () => {
  const findings = [saturationFinding(of())!];
  const gap = { peerId: 'c2', fromMs: 9_000, toMs: 21_500 };
  expect(isWhileBehind(findings, gap)).toBe(true);
  expect(isWhileBehind(findings, { ...gap, toMs: 49_000 })).toBe(false);
  expect(isWhileBehind(findings, { ...gap, peerId: 'c1' })).toBe(false);
  expect(isWhileBehind(findings, { ...gap, peerId: null })).toBe(false);
});
