import { eventGroups } from './eventGroups.ts';
import type { RunEvent, RunFinding } from './run.ts';

const workloads = ['t0.db', 't0.web', 't1.db'].map((entityId) => ({
  entityId,
  tile: Number(entityId[1]),
  workloadId: entityId.slice(3),
  clientId: entityId.startsWith('t0') ? 'c1' : 'c2',
  vmName: null,
  state: 'ended' as const,
  lastSampleMs: null,
  badLines: 0,
}));
let nextId = 0;
const event = (tMs: number, kind: RunEvent['kind'], more: Partial<RunEvent> = {}): RunEvent => ({
  id: (nextId += 1),
  tMs,
  kind,
  text: `${kind} at ${tMs}`,
  ...more,
});
const finding = (id: string, severity: RunFinding['severity'], text = id): RunFinding => ({
  id,
  severity,
  text,
  tMs: 5_000,
});
const lines = (events: RunEvent[], findings: RunFinding[] = []): string[] =>
  eventGroups({ events, findings, workloads }).map(
    ({ tone, atMs, untilMs, text }) => `${tone} ${atMs}-${untilMs ?? ''} ${text}`,
  );

test('what one client lost together is one line, from the first loss to the last return', () => {
  expect(
    lines(
      [
        event(1_000, 'fault', { entityId: 't0.db', text: 'lost' }),
        event(1_100, 'fault', { entityId: 't0.web', text: 'lost' }),
        event(1_200, 'fault', { entityId: 't1.db', text: 'other' }),
        event(9_000, 'recovered', { entityId: 't0.web' }),
        event(9_500, 'recovered', { entityId: 't0.db' }),
      ],
      [finding('link.c1', 'info', 'The connection to c1 was lost.')],
    ),
  ).toEqual(['warn 1000-9500 The connection to c1 was lost. 2 workloads hit.', 'warn 1200- other']);
});

test('a loss long after the first is another; without an end it has none', () => {
  expect(
    lines([
      event(0, 'fault', { entityId: 't1.db', text: 'a' }),
      event(1_000, 'recovered', { entityId: 't1.db' }),
      event(500_000, 'fault', { entityId: 't1.db', text: 'b' }),
    ]),
  ).toEqual(['warn 0-1000 a', 'warn 500000- b']);
});

test('what weighs most comes first; phases and starts of tiles are left out; numbers are counted', () => {
  const operation = (ok: boolean) => ({
    operation: {
      id: 'vmotion',
      vmRef: null,
      ok,
      attempts: 1,
      tookMs: 1,
      queuedMs: null,
      ranMs: null,
    },
  });
  expect(
    lines(
      [
        event(0, 'state'),
        event(1, 'tileStarted'),
        event(2, 'note', { text: 'Fan noise' }),
        event(3, 'operation', operation(true)),
        event(4, 'operation', operation(false)),
        event(6, 'abort', { text: 'ended' }),
      ],
      [finding('a', 'info'), finding('b', 'warn')],
    ),
  ).toEqual([
    'bad 6- ended',
    'warn 5000- b',
    'note 2- Fan noise',
    'info 3-4 2 operations, 1 failed',
    'info 5000- a',
  ]);
});

test('a finding with the words of an event stands once', () => {
  expect(lines([event(6, 'abort', { text: 'same' })], [finding('x', 'block', 'same')])).toEqual([
    'bad 5000- same',
  ]);
});

test('a finding of this computer’s clock stands for its events, from the first to the last', () => {
  expect(
    lines(
      [
        event(1_000, 'clock', { untilMs: 4_000 }),
        event(6_000, 'clock', { untilMs: 9_000 }),
        event(12_000, 'clock'),
      ],
      [finding('clock.away', 'warn'), finding('clock.step', 'info')],
    ),
  ).toEqual(['warn 1000-9000 clock.away', 'info 12000- clock.step']);
  expect(lines([event(1_000, 'clock', { untilMs: 4_000 })])).toEqual([
    'info 1000-4000 clock at 1000',
  ]);
});
