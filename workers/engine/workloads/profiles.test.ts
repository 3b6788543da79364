import { resolve } from 'node:path';
import { loadProfiles } from '../profiles/shipped.ts';
import { driverInfos, getDriver } from './index.ts';

test('every shipped profile is valid, every driver takes its parameters and gives what is scored and limited', async () => {
  const profiles = await loadProfiles(resolve('resources'));
  expect(profiles.size).toBeGreaterThanOrEqual(2);
  for (const profile of profiles.values()) {
    for (const workload of profile.workloads) {
      const driver = getDriver(workload.driver);
      const metrics = driver.series(driver.params.parse(workload.params)).map((s) => s.metric);
      expect(metrics).toContain('throughput');
      for (const limit of workload.qos) expect(metrics).toContain(limit.metric);
    }
  }
});

test('no figure without a source: an unset reference says so', async () => {
  for (const profile of (await loadProfiles(resolve('resources'))).values()) {
    for (const workload of profile.workloads) expect(workload.referenceSource.length).toBeGreaterThan(5);
  }
});

test('forms learn every parameter of every driver with its default', () => {
  const fio = driverInfos().find((driver) => driver.id === 'fio')!;
  expect(fio.params.find((p) => p.name === 'outstanding')).toEqual({ name: 'outstanding', type: 'number', default: 8, description: 'Outstanding I/Os' });
  expect(driverInfos().map((d) => d.id)).toEqual(['fio', 'sysbench-oltp', 'dbench', 'sysbench-cpu', 'heartbeat', 'command', 'simload']);
});
