import type { PlacementHistory } from '../../../../../src/core/run/run.ts';
import { standInCapture, type StandInVm } from '../../../esxtop/testing/standIn.ts';
import type { RunContext } from '../../context.ts';
import { startEsxtopReader } from './reader.ts';
import type { EsxtopScope } from './wanted.ts';

const nowMs = Date.UTC(2026, 10, 24, 8, 30);
const scope: EsxtopScope = {
  host: { ref: 'host-1', name: 'esx1', nics: [] },
  vms: ['web', 'db'].map((name) => ({ ref: `vm-${name}`, name, tile: 0, vcpus: 2 })),
  luns: ['naa.600a:1 (lab)'],
  parts: ['vms', 'devices'],
};
const hosts = [
  { ref: 'host-1', name: 'esx1' },
  { ref: 'host-2', name: 'esx2' },
];
const vms = ['web', 'db'].map((name) => ({ ref: `vm-${name}`, name, tile: 0 }));
const start = { tMs: nowMs, by: 'start' as const };

/** A reader on a host whose VMs are told, and that prints two rows at each start. */
function bench(options: { refuse?: Error } = {}) {
  const starts: AbortSignal[] = [];
  const pushed: [key: string, value: number][] = [];
  let placement: PlacementHistory = {
    hosts,
    vms,
    moves: [
      { ...start, vm: 0, host: 0 },
      { ...start, vm: 1, host: 1 },
    ],
  };
  let onHost: StandInVm[] = [{ name: 'web', used: 100, ready: 20 }];
  const keys: string[] = [];
  const context = {
    deps: { clock: { now: () => nowMs } },
    run: { overview: () => ({ placement }), finding: () => undefined },
    seriesId: (entityId: string, metric: string) => keys.push(`${entityId} ${metric}`) - 1,
  } as unknown as RunContext;
  const reader = startEsxtopReader(
    context,
    scope,
    {
      everyS: 2,
      login: {
        open: async () =>
          ({
            clockOffset: async () => ({ offsetMs: 0, errorMs: 1 }),
            stream: (_command: string, onBytes: (bytes: Uint8Array) => void, signal: AbortSignal) =>
              new Promise((_done, reject) => {
                starts.push(signal);
                if (options.refuse) {
                  reject(options.refuse);
                  return;
                }
                const { head, row } = standInCapture(onHost);
                const rows = ['08:29:58', '08:30:00'].map((at) => `"11/24/2026 ${at}",${row}`);
                signal.addEventListener('abort', () => reject(new Error('ended')));
                onBytes(Buffer.from(`${[head, ...rows].join('\n')}\n`));
              }),
          }) as never,
      },
    },
    {
      stored: null,
      push: (id, _tMs, value) => pushed.push([keys[id!]!, value]) > 0,
      journal: () => undefined,
    },
  );
  return {
    reader,
    starts,
    pushed,
    move: (vm: number, host: number, now: StandInVm[]): void => {
      placement = { ...placement, moves: [...placement.moves, { ...start, vm, host }] };
      onHost = now;
    },
  };
}
const { signal } = new AbortController();

test('each start gives its rows but the first, ready time by vCPU; a read that finds it running starts nothing', async () => {
  const { reader, starts, pushed } = bench();
  await reader.read(signal);
  await reader.read(signal);
  expect(starts).toHaveLength(1);
  expect(Object.fromEntries(pushed)).toMatchObject({
    'vm/vm-web@esxtop cpuPct': 50,
    'vm/vm-web@esxtop readyPct': 10,
    'host-1/naa.600a:1 (lab)@esxtop queuedCommands': 12,
  });
  await reader.stop?.();
  expect(starts[0]!.aborted).toBe(true);
});

test('a VM that comes by vMotion starts it anew; one on another host is not told of', async () => {
  const { reader, starts, pushed, move } = bench();
  await reader.read(signal);
  expect(pushed.map(([key]) => key)).not.toContain('vm/vm-db@esxtop readyPct');
  move(1, 0, [
    { name: 'web', used: 100, ready: 20 },
    { name: 'db', used: 10, ready: 2 },
  ]);
  await reader.read(signal);
  expect(starts.map((one) => one.aborted)).toEqual([true, false]);
  expect(Object.fromEntries(pushed)).toMatchObject({ 'vm/vm-db@esxtop readyPct': 1 });
  // It goes again: what the host still prints of it is none of its own.
  move(1, 1, [{ name: 'web', used: 100, ready: 20 }]);
  const before = pushed.length;
  await reader.read(signal);
  expect(starts).toHaveLength(3);
  expect(pushed.slice(before).map(([key]) => key)).not.toContain('vm/vm-db@esxtop readyPct');
  await reader.finish?.();
  expect(starts.every((one) => one.aborted)).toBe(true);
});

test('a host that refuses is told, and not asked again at once', async () => {
  const { reader, starts } = bench({ refuse: new Error('no') });
  await expect(reader.read(signal)).rejects.toThrow();
  await expect(reader.read(signal)).rejects.toThrow();
  expect(starts).toHaveLength(1);
});
