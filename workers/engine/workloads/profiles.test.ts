import { resolve } from 'node:path';

import { vmsOfTile } from '../../../src/core/profile/profile.ts';
import { checkProfile } from '../../../src/core/profile/profileCheck.ts';
import { loadProfiles } from '../profiles/shipped.ts';
import { driverInfos, getDriver } from './index.ts';

test('every shipped profile is valid, every driver takes its parameters and gives what is scored and limited', () => {
  const profiles = loadProfiles(resolve('resources'));
  expect([...profiles.keys()].sort()).toEqual([
    'io-ramp',
    'mail-scale-out',
    'network',
    'open-driver-quick',
    'open-driver-tile',
    'response-time',
    'vmmark-1-tile',
    'vmmark-2-tile',
    'vmmark-3-tile',
  ]);
  for (const profile of profiles.values()) {
    expect([profile.id, checkProfile(profile, [...profiles.values()])]).toEqual([profile.id, []]);
    for (const workload of profile.workloads) {
      const driver = getDriver(workload.driver);
      const series = driver.series(driver.params.parse(workload.params));
      const metrics = series.map((s) => s.metric);
      expect(metrics).toContain('throughput');
      expect([workload.id, series.find((s) => s.metric === 'throughput')!.unit]).toEqual([
        workload.id,
        workload.unit,
      ]);
      for (const limit of workload.qos) expect(metrics).toContain(limit.metric);
    }
  }
});

test('no figure without a source: an unset reference says so', () => {
  for (const profile of loadProfiles(resolve('resources')).values()) {
    for (const workload of profile.workloads)
      expect(workload.referenceSource.length).toBeGreaterThan(5);
    for (const workload of profile.workloads)
      if (workload.reference === null && workload.scored)
        expect(workload.referenceSource).toMatch(/^Not set/);
  }
});

test('tiles are as published, and what no public source gives is not set', () => {
  const profiles = loadProfiles(resolve('resources'));
  const [one, two, three] = [1, 2, 3].map((n) => profiles.get(`vmmark-${n}-tile`)!) as [
    NonNullable<ReturnType<typeof profiles.get>>,
    NonNullable<ReturnType<typeof profiles.get>>,
    NonNullable<ReturnType<typeof profiles.get>>,
  ];
  expect([one, two, three].map(vmsOfTile)).toEqual([6, 8, 19]);
  expect(
    two.workloads
      .flatMap((w) => w.vms ?? [])
      .reduce((sum, vm) => sum + vm.count * (vm.vcpus ?? NaN), 0),
  ).toBe(21);
  expect(two.scoring.overall).toMatchObject({ application: null, infrastructure: null });
  expect(three.scoring.overall).toMatchObject({ application: 0.8, infrastructure: 0.2 });
  expect([one, two, three].map((p) => [p.scoring.periods, p.phases.periods, p.resultName])).toEqual(
    Array(3).fill([null, 1, 'scaling study']),
  );
  expect(
    [one, two, three]
      .flatMap((p) =>
        [...p.workloads, ...(p.scoring.infrastructure?.operations ?? [])].map(
          (part) => part.reference,
        ),
      )
      .every((r) => r === null),
  ).toBe(true);
});

test('no shipped profile waits for a command to be filled in, and a stand-in bears it in its name', () => {
  for (const profile of loadProfiles(resolve('resources')).values())
    for (const { id, name, note = '', driver, params } of profile.workloads) {
      const at = `${profile.id} ${id}`;
      expect([at, driver]).not.toEqual([at, 'command']);
      expect([at, name.endsWith('(stand-in)')]).toEqual([at, note.startsWith('Stand-in')]);
      // What stands in has a command that is more than words: a prepared machine runs it.
      const chosen = getDriver(driver);
      const parsed = chosen.params.parse(params);
      const given = chosen.withTarget?.(parsed, '192.0.2.7') ?? parsed;
      expect(chosen.command(given, { durationS: 60, intervalS: 1 })).not.toMatch(/exit 64/);
    }
});

test('a command of somebody that is not filled in is told by its own check, before the launch', async () => {
  const driver = getDriver('command');
  const host = {
    exec: async () => ({ code: 64, stdout: 'no load program is set', stderr: '' }),
  } as unknown as Parameters<typeof driver.check>[0];
  const params = { command: 'exit 64', pattern: '(?<throughput>x)', check: 'exit 64' };
  expect(await driver.check(host, driver.params.parse(params))).toMatchObject({
    ok: false,
    problem: expect.stringContaining('no load program is set'),
  });
});

test('forms learn a parameter with its type, default and words', () => {
  const fio = driverInfos().find((driver) => driver.id === 'fio')!;
  expect(fio.params.find((p) => p.name === 'outstanding')).toEqual({
    name: 'outstanding',
    type: 'number',
    default: 8,
    description: 'Outstanding I/Os',
    least: 1,
    most: 1_024,
  });
});

test('of few values a form learns the names, and with which of them another parameter counts', () => {
  const store = driverInfos().find((driver) => driver.id === 'tilekit-dvdstore')!;
  const of = (name: string) => store.params.find((p) => p.name === name);
  expect(of('kind')).toMatchObject({
    choices: [
      { value: 'mysql', label: 'MySQL or MariaDB' },
      { value: 'postgres', label: 'PostgreSQL' },
    ],
  });
  expect(of('rate')).toMatchObject({ when: { member: 'mode', is: ['open'] }, least: 0.1 });
});

test.each(driverInfos())('what counts only at times names a choice of $id', ({ params }) => {
  for (const { when } of params) {
    if (when === undefined) continue;
    const values = params.find(({ name }) => name === when.member)?.choices ?? [];
    expect(values.map(({ value }) => value)).toEqual(expect.arrayContaining(when.is));
  }
});

test.each(driverInfos())('rates of $id are told per unit of time', ({ params }) => {
  for (const { description } of params)
    expect(description).not.toMatch(/ an? (second|minute|hour)/);
});

test.each(driverInfos())('forms have words for each parameter of $id', ({ params }) => {
  expect(params.filter(({ description }) => !description)).toEqual([]);
});
