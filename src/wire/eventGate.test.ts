import type { EventPayload } from './contract.ts';
import { createEventGate, maxUnacknowledged } from './eventGate.ts';
import type { Reply } from './messages.ts';

const changed = (id: string, rev: number) => ({ id, rev }) as EventPayload<'run.changed'>;
const eventsOf = (sent: Reply[]) => sent.flatMap((m) => (m.k === 'event' ? [m] : []));

function gateTo(sent: Reply[]) {
  const gate = createEventGate((m) => sent.push(m));
  for (const runId of ['r', 'a']) gate.follow(runId, true);
  return gate;
}

test('a receiver that never answers costs a bounded amount', () => {
  const sent: Reply[] = [];
  const gate = gateTo(sent);
  for (let i = 0; i < 100_000; i += 1) {
    gate.push('run.samples', { runId: 'r', batch: Float64Array.of(i) });
    gate.push('run.changed', changed('r', i));
    gate.push('notice', { level: 'info', text: String(i) });
  }
  expect(sent).toHaveLength(maxUnacknowledged);
  expect(gate.waiting).toBeLessThanOrEqual(200);
});

test('of waiting snapshots only the last of each run is sent, and always', () => {
  const sent: Reply[] = [];
  const gate = gateTo(sent);
  for (let i = 0; i < maxUnacknowledged; i += 1)
    gate.push('run.samples', { runId: 'a', batch: new Float64Array() });
  for (let i = 0; i < 1_000; i += 1) {
    gate.push('run.changed', changed('a', i));
    gate.push('run.changed', changed('b', i));
  }
  for (let i = 0; i < 1_000; i += 1) gate.push('notice', { level: 'warn', text: String(i) });
  sent.length = 0;
  gate.ack(maxUnacknowledged);
  for (const event of eventsOf(sent)) gate.ack(event.n);
  for (const event of eventsOf(sent)) gate.ack(event.n);
  for (const event of eventsOf(sent)) gate.ack(event.n);
  expect(
    eventsOf(sent)
      .filter((m) => m.event === 'run.changed')
      .map((m) => m.payload),
  ).toEqual([changed('a', 999), changed('b', 999)]);
  expect(eventsOf(sent).at(-1)!.payload).toEqual({ level: 'warn', text: '999' });
  expect(gate.waiting).toBe(0);
});

test('an acknowledgement of what was never sent opens nothing', () => {
  const sent: Reply[] = [];
  const gate = gateTo(sent);
  gate.ack(1e9);
  for (let i = 0; i < 1_000; i += 1)
    gate.push('run.samples', { runId: 'r', batch: new Float64Array() });
  expect(sent).toHaveLength(maxUnacknowledged);
});

test('order holds between what waits and what is new', () => {
  const sent: Reply[] = [];
  const gate = gateTo(sent);
  for (let i = 0; i < maxUnacknowledged + 3; i += 1)
    gate.push('notice', { level: 'info', text: String(i) });
  gate.ack(1);
  gate.push('notice', { level: 'info', text: 'new' });
  gate.ack(maxUnacknowledged);
  expect(eventsOf(sent).map((m) => (m.payload as { text: string }).text)).toEqual([
    ...Array.from({ length: maxUnacknowledged + 3 }, (_, i) => String(i)),
    'new',
  ]);
});

test('samples go only to who follows the run, and a gap is told of the run it is in', () => {
  const sent: Reply[] = [];
  const gate = createEventGate((m) => sent.push(m));
  const push = (runId: string): void =>
    gate.push('run.samples', { runId, batch: new Float64Array() });
  push('a');
  expect(sent).toEqual([]);
  gate.follow('a', true);
  gate.follow('b', true);
  for (let i = 0; i < maxUnacknowledged; i += 1) push('a');
  push('b');
  push('c');
  expect(eventsOf(sent)).toHaveLength(maxUnacknowledged);
  gate.ack(maxUnacknowledged);
  expect(sent.filter((m) => m.k === 'gap')).toEqual([{ k: 'gap', runId: 'b' }]);
  gate.follow('a', false);
  sent.length = 0;
  push('a');
  push('b');
  expect(eventsOf(sent).map((m) => (m.payload as { runId: string }).runId)).toEqual(['b']);
});
