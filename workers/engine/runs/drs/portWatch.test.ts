import type { Inventory } from '../../../../src/core/testbed/inventory.ts';
import type { VmPort, VmPorts } from '../../deps/vcenter.ts';
import { createFakeClock } from '../../testing/fakeClock.ts';
import type { RunContext } from '../context.ts';
import { createPortWatch } from './portWatch.ts';

const nics = (count: number): Inventory['hosts'][number]['nics'] =>
  Array.from({ length: count }, (_, i) => ({ device: `vmnic${i}`, driver: null, speedMbps: null }));
const inventory = {
  hosts: [
    { ref: 'host-1', nics: nics(2) },
    { ref: 'host-2', nics: nics(2) },
    { ref: 'host-3', nics: nics(1) },
  ],
  vms: [
    {
      ref: 'vm-1',
      nics: [{ label: 'Network adapter 1', mac: '00:50:56:00:00:01' }],
    },
  ],
} as unknown as Inventory;
const names = { vm: (ref: string) => ref.replace('vm-', 'web'), host: (ref: string) => ref };
const port = (uplink: string, change: Partial<VmPort> = {}): VmPort => ({
  vmRef: 'vm-1',
  hostRef: 'host-1',
  adapter: '00:50:56:00:00:01',
  uplink,
  ...change,
});

/** Asks once for each answer, a minute apart; what was told of the run, and how often was asked. */
async function watched(answers: readonly VmPorts[], everyMs = 60_000) {
  const clock = createFakeClock(0);
  const events: { kind: string; text: string; by: string | undefined; tMs: number }[] = [];
  const findings: string[] = [];
  const run = {
    event: (kind: string, text: string, more: { by?: string }) => {
      events.push({ kind, text, by: more.by, tMs: clock.now() });
    },
    finding: ({ text }: { text: string }) => findings.push(text),
  } as unknown as RunContext['run'];
  const context = { run, deps: { clock } } as unknown as RunContext;
  const watch = createPortWatch(context, inventory, ['vm-1', 'vm-2'], names);
  let asked = 0;
  for (const [i, answer] of answers.entries()) {
    await clock.advanceUntil(() => clock.now() >= i * everyMs, (i + 1) * everyMs);
    await watch.read(
      {
        vmPorts: async () => {
          asked += 1;
          return answer;
        },
      },
      new AbortController().signal,
    );
  }
  return { events, findings, asked };
}
const told = (...ports: VmPort[]): VmPorts => ({ ports, notTold: [] });
const moves = ({ events }: Awaited<ReturnType<typeof watched>>): string[] =>
  events.filter(({ by }) => by === 'teaming').map(({ text }) => text);

test('where ports are is said once, and each move to another uplink is marked with its adapter', async () => {
  const seen = await watched([
    told(port('vmnic0'), port('vmnic0', { vmRef: 'vm-2', adapter: 'Network adapter 1' })),
    told(port('vmnic0'), port('vmnic1', { vmRef: 'vm-2', adapter: 'Network adapter 1' })),
    told(port('vmnic1')),
    told(port('vmnic1')),
  ]);
  expect(moves(seen)).toEqual([
    'web2: Network adapter 1 moves from vmnic0 to vmnic1 of host-1',
    'web1: Network adapter 1 moves from vmnic0 to vmnic1 of host-1',
  ]);
  expect(seen.findings).toEqual([
    'VMs by the uplinks of their ports at the start: host-1 vmnic0 web1, web2.',
  ]);
  expect(seen.events).toHaveLength(2);
});

test('of many VMs on an uplink some are named and the others counted', async () => {
  const many = Array.from({ length: 30 }, (_, i) => port('vmnic1', { vmRef: `vm-${i + 1}` }));
  const { findings } = await watched([told(...many)]);
  expect(findings[0]).toMatch(/vmnic1 web1, web2, web3, .*, web8 and 22 more\.$/);
});

test.each<[string, VmPorts[]]>([
  [
    'to another host with its VM',
    [told(port('vmnic0')), told(port('vmnic1', { hostRef: 'host-2' }))],
  ],
  [
    'of a host that has one uplink',
    [told(port('vmnic0', { hostRef: 'host-3' })), told(port('vmnic1', { hostRef: 'host-3' }))],
  ],
  [
    'that is only now told of',
    [told(port('vmnic0')), told(port('vmnic0'), port('vmnic1', { vmRef: 'vm-2' }))],
  ],
])('a port %s is no move of teaming', async (_what, answers) => {
  expect(moves(await watched(answers))).toEqual([]);
});

test('a port that was away for one answer is held against where it was before', async () => {
  expect(
    moves(await watched([told(port('vmnic0')), { ports: [], notTold: [] }, told(port('vmnic1'))])),
  ).toEqual([]);
  const other = port('vmnic0', { vmRef: 'vm-2' });
  expect(
    moves(await watched([told(port('vmnic0'), other), told(other), told(port('vmnic1'), other)])),
  ).toHaveLength(1);
});

test('hosts that do not tell are named once, and not asked again', async () => {
  const silent: VmPorts = { ports: [], notTold: [{ hostRef: 'host-1', note: 'Access denied.' }] };
  const seen = await watched([silent, silent, silent]);
  expect(seen.findings).toEqual([
    'Which uplink the ports of VMs are on is not told by host-1: Access denied. Moves of its teaming are not marked there.',
  ]);
  expect(seen.asked).toBe(1);
  expect(seen.events).toEqual([]);
});

test('hosts are asked once a minute, however often events are read', async () => {
  const seen = await watched(
    Array.from({ length: 13 }, () => told(port('vmnic0'))),
    20_000,
  );
  expect(seen.asked).toBe(5);
});
