import type { PlanFile } from '../../../src/core/plan/plan.ts';
import type { PracticeLabEdge } from '../deps.ts';
import { createHarness, testPlanFile } from '../testing/engineHarness.ts';

/** The plan of the tests with all of it on this machine, or with one address changed. */
function onLoopback(change: (file: PlanFile) => void = () => undefined): string {
  const file = testPlanFile();
  for (const connection of file.connections)
    if (connection.kind !== 'power') connection.host = '127.0.0.1';
    else if (connection.source.type === 'nut') connection.source.host = 'localhost';
  change(file);
  return JSON.stringify(file);
}

async function found(text: string | null, edge: Partial<PracticeLabEdge> = {}) {
  const asked: string[] = [];
  const harness = await createHarness({
    deps: {
      practiceLab: {
        read: async (which) =>
          text === null || which === 'styleTile'
            ? null
            : { path: '/home/u/practice-lab.json', text, stranger: null },
        answers: async (host, port) => {
          asked.push(`${host}:${port}`);
          return true;
        },
        ...edge,
      },
    },
  });
  const { lab } = await harness.call('plan.practiceLab', {});
  return { lab, asked };
}

test('a lab of the user that answers is offered whole, as a source that can be imported', async () => {
  const { lab, asked } = await found(onLoopback());
  expect(lab).toMatchObject({ path: '/home/u/practice-lab.json', notOwn: null });
  expect(lab!.source.file.plan.id).toBe(testPlanFile().plan.id);
  expect(asked).toEqual(['127.0.0.1:443']);
});

test('no file, a damaged one, or a lab that was killed: there is none', async () => {
  expect((await found(null)).lab).toBeNull();
  expect((await found('{"tilebenchPlan": 1')).lab).toBeNull();
  expect((await found(onLoopback(), { answers: async () => false })).lab).toBeNull();
});

test('the file of a stranger is told with the reason, and nobody is asked at its addresses', async () => {
  const text = onLoopback();
  const { lab, asked } = await found(text, {
    read: async () => ({ path: '/p', text, stranger: 'other users may write to it' }),
  });
  expect(lab).toMatchObject({ notOwn: 'other users may write to it' });
  expect(asked).toEqual([]);
});

test.each<[string, (file: PlanFile) => void]>([
  [
    'the connection vc is at 10.0.0.7',
    (file) => Object.assign(file.connections[0]!, { host: '10.0.0.7' }),
  ],
  [
    'the connection client one is at 127.0.0.1.example.org',
    (file) => Object.assign(file.connections[1]!, { host: '127.0.0.1.example.org' }),
  ],
  [
    'the connection meter is at ups.lab',
    (file) =>
      Object.assign((file.connections[2] as { source: object }).source, { host: 'ups.lab' }),
  ],
  [
    'the parameter host of java is db.lab',
    (file) => Object.assign(file.testbed.tiles[1]!.workloads[0]!.params, { host: 'db.lab' }),
  ],
])('a file that leaves this machine is not the user’s own: %s', async (why, change) => {
  const { lab, asked } = await found(onLoopback(change));
  expect(lab).toMatchObject({ notOwn: why });
  expect(asked).toEqual([]);
});
