import { actKinds, actLabel } from '../../../../src/core/acts/kinds.ts';
import type { LaunchInputs } from '../../plans/hash.ts';
import type { OperationKind } from '../../runs/infra/plan.ts';

const moves = ['Resource.HotMigrate', 'Resource.AssignVMToPool'];
/** What each operation needs, as docs/vcenter-role.md says. */
const needs: Readonly<Record<OperationKind, readonly string[]>> = {
  vmotion: moves,
  storageVmotion: ['Resource.HotMigrate', 'Datastore.AllocateSpace'],
  xvmotion: [...moves, 'Datastore.AllocateSpace'],
  deploy: [
    'VirtualMachine.Interact.PowerOn',
    'VirtualMachine.Interact.PowerOff',
    'VirtualMachine.Provisioning.Clone',
    'VirtualMachine.Provisioning.DeployTemplate',
    'VirtualMachine.Inventory.CreateFromExisting',
    'VirtualMachine.Inventory.Delete',
    'Resource.AssignVMToPool',
    'Datastore.AllocateSpace',
    'Network.Assign',
  ],
  snapshot: ['VirtualMachine.State.CreateSnapshot', 'VirtualMachine.State.RemoveSnapshot'],
};
const words: Readonly<Record<OperationKind, string>> = {
  vmotion: 'vMotion',
  storageVmotion: 'Storage vMotion',
  xvmotion: 'XvMotion',
  deploy: 'deploy',
  snapshot: 'snapshot',
};

/**
 * By privilege, what in this plan needs it; a privilege that is absent is needed by nothing in it.
 */
export function privilegeUse(
  { plan, testbed }: Pick<LaunchInputs, 'plan' | 'testbed'>,
  operations: readonly OperationKind[],
): Map<string, string[]> {
  const uses = new Map<string, string[]>([
    ['System.View', ['reading the inventory']],
    ['System.Read', ['reading the inventory']],
  ]);
  const use = (ids: readonly string[], what: string): void => {
    for (const id of ids) uses.set(id, [...(uses.get(id) ?? []), what]);
  };
  for (const kind of operations) use(needs[kind], words[kind]);
  if (operations.includes('deploy') && testbed.infrastructure?.deploy?.customization !== undefined)
    use(
      ['VirtualMachine.Provisioning.Customize', 'VirtualMachine.Provisioning.ReadCustSpecs'],
      'customising the clones',
    );
  if (plan.startPlacement !== undefined) use(moves, 'the placement at the start');
  if (plan.drs) use(['Host.Inventory.EditCluster'], 'setting DRS');
  for (const act of plan.acts ?? [])
    if (act.by === 'console' && actKinds[act.kind].privileges.length > 0)
      use(actKinds[act.kind].privileges, `the act ${actLabel(act)}`);
  return uses;
}
