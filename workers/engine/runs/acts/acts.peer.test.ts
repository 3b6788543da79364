import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type EngineOnLab, faultPlan, startEngineOnLab } from '../../../../e2e/lab/engineOnLab.ts';
import { type Lab, startLab } from '../../../../e2e/lab/lab.ts';
import { type Act, actSchema } from '../../../../src/core/acts/act.ts';
import type { HostInfo, Inventory } from '../../../../src/core/testbed/inventory.ts';
import { importOwn, sourceOf } from '../../../../src/wire/importOwn.ts';
import { silentLog } from '../../deps.ts';
import { createCore } from '../../vcenter/core.ts';
import { readAll } from '../../vcenter/properties.ts';
import { element, group } from '../../vcenter/soap.ts';
import { runTask } from '../../vcenter/tasks.ts';
import { connectionTo, realClock } from '../../vcenter/testing/peer.ts';
import { createTransport } from '../../vcenter/transport.ts';

let dir: string;
let lab: Lab;
let engine: EngineOnLab;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tb-'));
  lab = await startLab({ dir, tiles: 1, taskDelayMs: 200 });
  engine = await startEngineOnLab({ limits: { retryPauseMs: 500 } });
});
afterAll(async () => {
  await engine.close();
  await lab.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** A host that this vCenter has outside every cluster, as somebody adds one by hand. */
async function addStandalone(name: string): Promise<void> {
  const connection = connectionTo(lab.vcenter);
  const core = createCore(
    { clock: realClock, log: silentLog },
    connection,
    lab.vcenter.password,
    createTransport({
      what: 'vCenter',
      name: connection.name,
      host: connection.host,
      port: connection.port,
      fingerprint256: lab.vcenter.fingerprint256,
    }),
  );
  await core.login();
  try {
    const clusters = await readAll(core, { ClusterComputeResource: ['name', 'parent'] });
    const folder = clusters[0]!.props.get('parent')!;
    const spec = group(
      'spec',
      element('hostName', name),
      element('userName', 'root'),
      element('password', 'secret'),
      element('force', false),
    );
    await runTask(
      core,
      'AddStandaloneHost_Task',
      { type: 'Folder', id: folder.text },
      spec + element('addConnected', true),
    );
  } finally {
    await core.logout();
  }
}
const discover = (): Promise<Inventory> =>
  engine.call('inventory.discover', { vcenterId: 'lab-vcenter' });
const act = (of: Partial<Act> & Pick<Act, 'id' | 'kind' | 'atS'>): Act => actSchema.parse(of);
const state = ({ connectionState, maintenance, clusterRef }: HostInfo) => ({
  connectionState,
  maintenance,
  clusterRef,
});

test('against the vCenter simulator with real clients: hosts join, are emptied and removed, snapshots and a burst come and go, and all is as before', async () => {
  await addStandalone('esx-spare');
  const base = faultPlan(lab.plan, {
    phases: { rampUpS: 2, steadyS: 60, periods: 2, rampDownS: 4 },
  });
  await importOwn(engine, sourceOf(base));
  const before = await discover();
  const cluster = before.clusters[0]!;
  await lab.vcenter.control.change({
    type: 'ClusterComputeResource',
    name: cluster.name,
    drs: true,
    drsBehavior: 'fullyAutomated',
  });
  const spare = before.hosts.find((one) => one.name === 'esx-spare')!;
  expect(spare.clusterRef).toBeNull();
  const used = new Set(before.vms.map((vm) => vm.hostRef));
  const members = before.hosts.filter((one) => one.clusterRef === cluster.ref);
  // One with running VMs, and any other: where the VMs are is the simulator's choice.
  const emptied = members.find((one) => used.has(one.ref));
  const removed = members.find((one) => one !== emptied);
  expect(before.vms.every((vm) => vm.powerState === 'poweredOn')).toBe(true);
  const target = ({ ref, name }: HostInfo) => ({ ref, name });
  const acts = [
    act({ id: 'join', kind: 'hostJoins', atS: 2, target: target(spare) }),
    act({ id: 'empty', kind: 'maintenance', atS: 8, target: target(emptied!), lastsS: 10 }),
    act({ id: 'remove', kind: 'hostLeaves', atS: 14, target: target(removed!) }),
    act({ id: 'storm', kind: 'snapshotStorm', atS: 22, lastsS: 8 }),
    act({ id: 'burst', kind: 'burst', atS: 30, lastsS: 8, amount: 2 }),
    act({ id: 'hand', kind: 'hostFails', atS: 40, target: target(emptied!), by: 'hand' }),
  ];
  const id = await engine.launch({ ...base, plan: { ...base.plan, acts } });
  await engine.until(id, 'the act by hand', (o) => o.acts?.at(-1)?.state === 'asked');
  await engine.call('run.actDone', { id, actId: 'hand' });
  const end = await engine.untilEnd(id);
  expect(end.findings.filter((f) => f.severity === 'block')).toEqual([]);
  expect(end.acts!.map((one) => [one.id, one.state, one.owed])).toEqual([
    ['join', 'undone', false],
    ['empty', 'undone', false],
    ['remove', 'undone', false],
    ['storm', 'undone', false],
    ['burst', 'undone', false],
    ['hand', 'done', false],
  ]);
  const textOf = (actId: string): string => end.acts!.find((one) => one.id === actId)!.text;
  // The simulator's maintenance mode moves no VM, and its task ends well all the same.
  const said = (done: string, on: HostInfo): RegExp => {
    const left = before.vms.filter((vm) => vm.hostRef === on.ref);
    const what =
      left.length === 0
        ? 'no running VM was left on it'
        : `${left.length} running VMs? stayed on it \\(.*(${left.map((vm) => vm.name).join('|')}).*\\), ` +
          'though the task of vCenter ended well';
    return new RegExp(`^${done}: ${what}\\.$`);
  };
  expect(textOf('empty')).toMatch(said('The host entered maintenance mode', emptied!));
  expect(textOf('empty')).toContain('stayed on it');
  expect(textOf('remove')).toMatch(
    said('The host entered maintenance mode and was disconnected', removed!),
  );
  expect(end.acts!.find((one) => one.id === 'storm')!.text).toBe('2 snapshots of 2 VMs.');
  expect(end.acts!.find((one) => one.id === 'burst')!.text).toBe('2 drivers more run.');
  // Every workload has its figures, from real samples of real drivers.
  for (const one of end.acts!) expect(one.effects!.map((e) => e.entityId)).toHaveLength(2);
  expect(await lab.vcenter.control.calls()).toMatchObject({
    EnterMaintenanceMode_Task: 2,
    ExitMaintenanceMode_Task: 2,
    MoveInto_Task: 1,
    DisconnectHost_Task: 1,
    ReconnectHost_Task: 1,
    CreateSnapshot_Task: 2,
    RemoveSnapshot_Task: 2,
  });
  const after = await discover();
  const now = (ref: string): HostInfo => after.hosts.find((one) => one.ref === ref)!;
  for (const host of members) expect(state(now(host.ref))).toEqual(state(host));
  // What joined stays in the cluster: the guide says so.
  expect(now(spare.ref).clusterRef).toBe(cluster.ref);
  expect(after.vms.map((vm) => vm.snapshotCount)).toEqual(before.vms.map(() => 0));
  // Nothing of the burst is left on the client.
  const kept = join(lab.clients[0]!.home, '.tilebench');
  expect(existsSync(kept) ? readdirSync(kept) : []).toEqual([]);
});
