import { testPlanFile, testProfile } from '../testing/engineHarness.ts';
import { withTargets, type WorkloadUnit, workloadUnits } from './series.ts';

const file = testPlanFile();
const [unit] = workloadUnits(testProfile, file.testbed, file.plan);
const database = (params: object, vm: WorkloadUnit['assignment']['vm']): WorkloadUnit => ({
  ...unit!,
  workload: { ...unit!.workload, driver: 'sysbench-oltp' },
  assignment: { ...unit!.assignment, vm },
  params: { host: '', socket: '', ...params },
});
const vm = { ref: 'vm-7', name: 'db1' };

test.each<[string, object, WorkloadUnit['assignment']['vm'], string | null, string]>([
  ['the guest address of the assigned VM', {}, vm, '10.0.0.7', '10.0.0.7'],
  ['nothing where vCenter knows no guest address', {}, vm, null, ''],
  ['the client itself where no VM is assigned', {}, null, '10.0.0.7', '127.0.0.1'],
  ['what is given', { host: 'db.lab' }, vm, '10.0.0.7', 'db.lab'],
  ['a socket that is given', { socket: '/run/db' }, vm, '10.0.0.7', ''],
])('a database without an address is looked for at %s', (_name, params, assigned, ip, host) => {
  const [aimed] = withTargets([database(params, assigned)], {
    vms: [{ ref: 'vm-7', ip }],
  });
  expect(aimed!.params['host']).toBe(host);
});

test('a driver that loads its own machine is left as it is', () => {
  expect(withTargets([unit!], null)[0]).toBe(unit);
});
