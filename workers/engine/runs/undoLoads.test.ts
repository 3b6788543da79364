import type { RunFinding } from '../../../src/core/run/run.ts';
import { getDriver } from '../workloads/index.ts';
import type { RunContext } from './context.ts';
import { preparing, undoLoads } from './undoLoads.ts';

/** Three workloads on two clients, of which the one at `bad` does not answer. */
function contextWith(bad: string | null) {
  const asked: { client: string; stdin: unknown }[] = [];
  const findings: Pick<RunFinding, 'id' | 'severity' | 'text'>[] = [];
  const unit = (id: string, driver: string, clientId: string, params: object = {}) => ({
    entityId: `t0.${id}`,
    tile: 0,
    workload: { id, name: id, driver },
    assignment: { clientId },
    params: getDriver(driver).params.parse(params),
  });
  const context = {
    run: {
      id: 'r',
      hard: new AbortController().signal,
      finding: (one: (typeof findings)[number]) => void findings.push(one),
    },
    deps: { clock: { sleep: () => new Promise((resolve) => setTimeout(resolve, 1)) } },
    db: { runs: { jobs: () => [{ entityId: 't0.mail' }] } },
    limits: { cleanUpMs: 1, restoreMs: 1 },
    detached: new AbortController().signal,
    units: [
      unit('mail', 'tilekit-mail', 'c1', { host: '10.0.0.1', unload: true }),
      unit('shop', 'tilekit-dvdstore', 'c2', { host: '10.0.0.1', unload: true }),
      unit('kept', 'tilekit-dvdstore', 'c2', { host: '10.0.0.1' }),
      unit('tables', 'sysbench-oltp', 'c2', { host: '10.0.0.1' }),
    ],
    peers: {
      client: async (client: string) => ({
        putKit: async () => '/kit',
        putFile: async () => '/home/file',
        dropFiles: async () => undefined,
        exec: async (command: string, { stdin }: { stdin?: string }) => {
          if (client === bad) throw new Error('It does not answer.');
          if (command.includes('unload')) asked.push({ client, stdin: JSON.parse(stdin ?? '') });
          return { code: 0, stdout: '{}', stderr: '' };
        },
      }),
    },
  } as unknown as RunContext;
  for (const { entityId } of context.units) preparing(context.run, entityId);
  return { context, asked, findings };
}

test('data is removed where its parameters ask for it, and tables of other drivers stay', async () => {
  const { context, asked, findings } = contextWith(null);
  expect(await undoLoads(context)).toEqual([]);
  expect(asked.map(({ client }) => client).sort()).toEqual(['c1', 'c2']);
  expect(findings).toEqual([]);
});

test('a client that does not answer is a finding of its workload alone, and can be tried again', async () => {
  const { context, asked, findings } = contextWith('c1');
  expect(await undoLoads(context)).toEqual(['t0.mail']);
  expect(asked.map(({ client }) => client)).toEqual(['c2']);
  expect(findings).toMatchObject([
    {
      id: 'undone.t0.mail',
      severity: 'warn',
      text: 'Tile 1 mail: what was made for its load could not be removed. It does not answer.',
    },
  ]);
  expect(await undoLoads(context, ({ entityId }) => entityId === 't0.shop')).toEqual([]);
});
