import { AppError } from '../../../src/core/base/errors.ts';
import { isEnd } from '../../../src/core/run/states.ts';
import {
  createHarness,
  type Harness,
  testPlanFile,
  testProfile,
} from '../testing/engineHarness.ts';
import { createFakeClock } from '../testing/fakeClock.ts';
import { createFakeLab } from '../testing/fakeLab.ts';
import { drivers } from '../workloads/index.ts';

const refused = "FATAL: unable to connect to MySQL server on host '10.0.0.5', port 3306: (111)";
let harness: Harness;
/** A plan whose workloads all load one database. */
const onDatabase = (): ReturnType<typeof testPlanFile> => ({
  ...testPlanFile(),
  profile: {
    ...testProfile,
    workloads: testProfile.workloads.map((w) => ({
      ...w,
      driver: 'sysbench-oltp',
      params: { host: '10.0.0.5' },
    })),
  },
});

test('a database that lets nobody in forbids the launch', async () => {
  harness = await createHarness();
  try {
    harness.lab.setRefusal((command) => (command.includes('oltp') ? `noise\n${refused}\n` : null));
    await expect(harness.launch(onDatabase())).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('the database at 10.0.0.5:3306 lets nobody in'),
    });
  } finally {
    await harness.close();
  }
});

test('a refused database port is told by tile, workload, client and address, not as a lost host; its log is kept', async () => {
  harness = await createHarness();
  try {
    // The check before the run asks for one row and is let in; then the database goes.
    harness.lab.setRefusal((command) =>
      command.includes('oltp') && !command.includes('--events=1 ') ? `noise\n${refused}\n` : null,
    );
    const id = await harness.launch(onDatabase());
    await harness.clock.advanceUntil(
      () => harness.overviews.some((o) => o.id === id && isEnd(o.state)),
      600_000,
    );
    const overview = await harness.overview(id);
    expect(overview).toMatchObject({ state: 'failed', abortReason: 'workloadFailed' });
    expect(overview.verdict?.sentence).toBe(
      `Failed: Tile 1 Java on client one cannot be prepared: sysbench cannot prepare its tables at 10.0.0.5:3306: ${refused}`,
    );
    expect(overview.workloads.find((w) => w.entityId === 't0.java')?.state).toBe('failed');
    const logs = await harness.call('run.log', { id });
    expect(logs.find((log) => log.name === 'Tile 1 Java')?.text).toContain(`noise\n${refused}`);
  } finally {
    await harness.close();
  }
});

const params: Readonly<Record<string, Record<string, unknown>>> = {
  fio: { directory: '/data' },
  'sysbench-oltp': { replaceTables: true },
  command: { command: 'true', pattern: '(?<throughput>\\d+)' },
};

test.each([...drivers.values()].map((driver) => [driver.id, driver] as const))(
  'whatever %s is refused by its tool, it never says that the client is gone',
  async (id, driver) => {
    const lab = createFakeLab(createFakeClock());
    lab.setRefusal(() => refused);
    const host = lab.edges.ssh.host({ hops: [] } as never);
    const given = driver.params.safeParse(params[id] ?? {});
    if (!given.success) return;
    const steps = [() => driver.prepare(host, given.data), () => driver.cleanup(host, given.data)];
    for (const step of steps) {
      const error = await step().then(
        () => null,
        (thrown: unknown) => thrown,
      );
      if (error !== null)
        expect(error instanceof AppError && error.kind !== 'unreachable').toBe(true);
    }
  },
);
