import fc from 'fast-check';

import {
  type Gap,
  gapFindingsOf,
  gapsByCause,
  isOwnAbsence,
  type Outage,
  outageFinding,
  type Peer,
} from './outages.ts';

const client: Peer = { id: 'c2', kind: 'client', name: 'client2' };
const at = (s: number): number => 1_000_000 + s * 1_000;
const span = (fromS: number, untilS: number | null) => ({
  fromMs: at(fromS),
  untilMs: untilS === null ? null : at(untilS),
});
const outage = (patch: Partial<Outage> = {}): Outage => ({
  peer: client,
  spans: [span(89, 227)],
  silent: [],
  detail: '',
  missing: null,
  endedAfterMs: null,
  ...patch,
});
const gap = (patch: Partial<Gap> = {}): Gap => ({
  peerId: 'c2',
  series: 'Tile 2 Database Throughput',
  vital: true,
  fromMs: at(90),
  toMs: at(102),
  ...patch,
});
const said = (of: Outage, over = true) => outageFinding(of, { originMs: at(0), over });

test.each<[string, Outage, boolean, string, string]>([
  [
    'away now',
    outage({ spans: [span(89, null)], detail: 'connection refused.' }),
    false,
    'warn',
    'client2 lost since 1:29: connection refused. Its load goes on; its output is read when it is back.',
  ],
  [
    'back, the run goes on',
    outage(),
    false,
    'info',
    'client2 lost 1:29–3:47, recovered. Its load went on; what was not read meanwhile is read now.',
  ],
  [
    'back, and all is there',
    outage({ missing: [] }),
    true,
    'info',
    'client2 lost 1:29–3:47, recovered, no sample missing.',
  ],
  [
    'back, with a hole',
    outage({ missing: [gap(), gap({ series: 'Tile 2 Mail Throughput', toMs: at(95) })] }),
    true,
    'warn',
    'client2 lost 1:29–3:47, recovered; missing: up to 12 s of Tile 2 Database Throughput and 1 more series.',
  ],
  [
    'back, its own processors were not read',
    outage({ missing: [gap({ series: 'client2 Client CPU', vital: false })] }),
    true,
    'info',
    'client2 lost 1:29–3:47, recovered, no sample of its load missing. Not read meanwhile: 12 s of client2 Client CPU.',
  ],
  [
    'again and again',
    outage({ spans: [span(10, 20), span(30, 40), span(50, 60), span(70, 80)], missing: [] }),
    true,
    'info',
    'client2 lost 4 times, 0:40 in all (at last 0:30–0:40, 0:50–1:00, 1:10–1:20), recovered, no sample missing.',
  ],
  [
    'never back',
    outage({ spans: [span(89, null)], missing: [] }),
    true,
    'warn',
    'client2 lost from 1:29 to the end.',
  ],
  [
    'the run was ended for it',
    outage({ spans: [span(89, null)], endedAfterMs: 300_000 }),
    false,
    'block',
    'client2 lost since 1:29. It stayed lost for 300 s, and the run was ended.',
  ],
  [
    'the run was ended for it, told at its end',
    outage({ spans: [span(89, null)], endedAfterMs: 300_000, missing: [] }),
    true,
    'block',
    'client2 lost since 1:29. It stayed lost for 300 s, and the run was ended.',
  ],
  [
    'a program hangs',
    outage({ spans: [span(89, null)], silent: ['Tile 2 Database'] }),
    false,
    'warn',
    'No sample of Tile 2 Database from client2 since 1:29: the client or the program hung.',
  ],
  [
    'a meter',
    outage({
      peer: { id: 'm', kind: 'power', name: 'Power meter m' },
      missing: [gap({ peerId: 'm', series: 'm Power' })],
    }),
    true,
    'warn',
    'Power meter m did not answer 1:29–3:47, recovered; missing: 12 s of m Power.',
  ],
])('one finding says all of a peer that was away: %s', (_name, of, over, severity, text) => {
  const finding = said(of, over);
  expect([finding.severity, finding.text]).toEqual([severity, text]);
  expect(finding.tMs).toBe(of.spans[0]!.fromMs);
});

test('every gap is told once: by what caused it, or by itself', () => {
  const span = fc
    .tuple(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 1, max: 60 }))
    .map(([from, length]) => ({ fromMs: at(from), untilMs: at(from + length) }));
  const anyGap = fc
    .tuple(fc.constantFrom('c1', 'c2', 'vc', null), span)
    .map(([peerId, { fromMs, untilMs }]) => gap({ peerId, fromMs, toMs: untilMs }));
  fc.assert(
    fc.property(
      fc.array(anyGap, { maxLength: 20 }),
      fc.uniqueArray(fc.constantFrom('c1', 'c2', 'vc'), { maxLength: 3 }),
      fc.array(span, { minLength: 1, maxLength: 3 }),
      fc.array(span, { maxLength: 2 }),
      (gaps, away, spans, restarts) => {
        const outages = away.map((id) => outage({ peer: { ...client, id }, spans }));
        const { byPeer, byOwn, rest } = gapsByCause(gaps, outages, [
          { findingId: 'restart', spans: restarts },
        ]);
        const told = [...byPeer.values(), ...byOwn.values(), rest].flat();
        expect(told).toHaveLength(gaps.length);
        expect(new Set(told)).toEqual(new Set(gaps));
        for (const [id, own] of byPeer) expect(own.every((one) => one.peerId === id)).toBe(true);
        const findings = gapFindingsOf(rest, { steadyStartMs: at(0), nameOf: (id) => id });
        expect(findings).toHaveLength(new Set(rest.map((one) => one.peerId)).size);
      },
    ),
  );
});

test('a gap after the peer was back for long has another cause', () => {
  const { byPeer, rest } = gapsByCause(
    [gap({ fromMs: at(100), toMs: at(110) }), gap({ fromMs: at(290), toMs: at(299) })],
    [outage()],
    [],
  );
  expect([byPeer.get('c2')!.length, rest.length]).toEqual([1, 1]);
});

test.each([
  [outage({ missing: [] }), true],
  [outage({ missing: [gap()] }), false],
  [outage({ missing: [], spans: [span(89, null)] }), false],
  [outage({ missing: [], spans: [span(89, 95), span(300, 310)] }), false],
])('lost because this computer slept, and whole: %#', (of, expected) => {
  expect(isOwnAbsence(of, [{ fromMs: at(60), untilMs: at(88) }])).toBe(expected);
});
