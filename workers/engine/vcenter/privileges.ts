import { fail } from '../../../src/core/base/errors.ts';
import type { Core } from './core.ts';
import { readAll } from './properties.ts';
import { element, faultName, type MoRef, refElement, returned } from './soap.ts';
import { booleanOf, child, childrenNamed, textOf, type XmlNode } from './xml.ts';

/**
 * What the benchmark does, by vCenter's privilege ids. The table in docs/vcenter-role.md says what
 * each is for.
 */
const neededPrivileges = [
  'System.View',
  'System.Read',
  'VirtualMachine.Interact.PowerOn',
  'VirtualMachine.Interact.PowerOff',
  'VirtualMachine.State.CreateSnapshot',
  'VirtualMachine.State.RemoveSnapshot',
  'VirtualMachine.Provisioning.Clone',
  'VirtualMachine.Inventory.CreateFromExisting',
  'VirtualMachine.Inventory.Delete',
  'Resource.HotMigrate',
  'Resource.ColdMigrate',
  'Resource.AssignVMToPool',
  'Datastore.AllocateSpace',
  'Network.Assign',
] as const;

/** Decodes HasPrivilegeOnEntities: privileges that are granted on none of the entities. */
function decodeMissing(entities: readonly XmlNode[], needed: readonly string[]): string[] {
  const granted = new Set(
    entities
      .flatMap((entity) => childrenNamed(entity, 'privAvailability'))
      .filter((privilege) => booleanOf(child(privilege, 'isGranted')) === true)
      .map((privilege) => textOf(child(privilege, 'privId'))),
  );
  return needed.filter((id) => !granted.has(id));
}

/**
 * Privileges this user has on no datacenter it can see. A server without the method is taken to
 * grant all, with a line in the log: the operation itself then tells.
 */
export async function readMissingPrivileges(
  core: Core,
  signal?: AbortSignal,
  also: readonly string[] = [],
): Promise<string[]> {
  const needed = [...new Set([...neededPrivileges, ...also])];
  const datacenters = (await readAll(core, { Datacenter: ['name'] }, signal)).map(
    (object) => object.ref,
  );
  if (datacenters.length === 0) return needed;
  try {
    return await ask(core, datacenters, needed, signal);
  } catch (error) {
    const fault = faultName(error);
    if (fault !== 'MethodNotFound' && fault !== 'NotImplemented' && fault !== 'NotSupported')
      throw error;
    core.log.warn('This vCenter cannot tell the privileges of its user', {
      vcenter: core.connection.name,
      fault,
    });
    return [];
  }
}

async function ask(
  core: Core,
  datacenters: readonly MoRef[],
  needed: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  const args =
    datacenters.map((ref) => refElement('entity', ref)).join('') +
    element('sessionId', core.sessionKey()) +
    needed.map((id) => element('privId', id)).join('');
  const answer = returned(
    await core.call('HasPrivilegeOnEntities', core.content().authorizationManager, args, {
      signal,
    }),
  );
  if (answer.length === 0)
    throw fail('internal', `vCenter ${core.connection.name} gave no answer about privileges.`);
  return decodeMissing(answer, needed);
}
