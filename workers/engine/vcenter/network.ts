import { fail } from '../../../src/core/base/errors.ts';
import type { Core } from './core.ts';
import { readObject } from './properties.ts';
import { element, escapeXml, group, type MoRef, refElement, refOf } from './soap.ts';
import { runTask } from './tasks.ts';
import { child, textOf, type XmlNode } from './xml.ts';

/** Every kind of network adapter that vSphere has; all of them are VirtualEthernetCards. */
const cards = new Set([
  'VirtualE1000',
  'VirtualE1000e',
  'VirtualPCNet32',
  'VirtualVmxnet',
  'VirtualVmxnet2',
  'VirtualVmxnet3',
  'VirtualVmxnet3Vrdma',
  'VirtualSriovEthernetCard',
]);

/**
 * vCenter numbers distributed port groups `dvportgroup-…`; every other network is reached by its
 * name.
 */
const networkOf = (ref: string): MoRef => ({
  type: ref.startsWith('dvportgroup-') ? 'DistributedVirtualPortgroup' : 'Network',
  id: ref,
});

async function backingOf(core: Core, network: MoRef, signal?: AbortSignal): Promise<string> {
  if (network.type === 'Network') {
    const { props } = await readObject(core, network, ['name'], signal);
    return typed(
      'backing',
      'VirtualEthernetCardNetworkBackingInfo',
      element('deviceName', textOf(props.get('name')) ?? ''),
      refElement('network', network),
    );
  }
  const { props } = await readObject(
    core,
    network,
    ['key', 'config.distributedVirtualSwitch'],
    signal,
  );
  const dvs = refOf(props.get('config.distributedVirtualSwitch'));
  const key = textOf(props.get('key'));
  const uuid = dvs && textOf((await readObject(core, dvs, ['uuid'], signal)).props.get('uuid'));
  if (key === null || !uuid)
    throw fail(
      'notFound',
      `The distributed switch of port group ${network.id} is not visible.`,
      'Give the vCenter user read access to it, as docs/vcenter-role.md says.',
    );
  return typed(
    'backing',
    'VirtualEthernetCardDistributedVirtualPortBackingInfo',
    group('port', element('switchUuid', uuid), element('portgroupKey', key)),
  );
}

/**
 * Puts the first network adapter of a VM on a network; the others stay. Throws notFound where the
 * VM has no adapter or the network is gone.
 */
export async function connectNetwork(
  core: Core,
  vmRef: string,
  networkRef: string,
  signal?: AbortSignal,
): Promise<void> {
  const vm: MoRef = { type: 'VirtualMachine', id: vmRef };
  const spec = await core.withLogin(async () => {
    const { props } = await readObject(core, vm, ['config.hardware.device'], signal);
    const card = (props.get('config.hardware.device')?.children ?? []).find((device) =>
      cards.has(device.type ?? ''),
    );
    if (!card)
      throw fail(
        'notFound',
        `${vmRef} has no network adapter.`,
        'Give the template one, or choose no network for clones.',
      );
    return group(
      'spec',
      group(
        'deviceChange',
        element('operation', 'edit'),
        edited(card, await backingOf(core, networkOf(networkRef), signal)),
      ),
    );
  }, signal);
  await runTask(core, 'ReconfigVM_Task', vm, spec, signal);
}

/**
 * The adapter with another backing; what identifies it stays. The order of its elements is the
 * API's.
 */
function edited(card: XmlNode, backing: string): string {
  const keep = (name: string): string => element(name, textOf(child(card, name)) ?? undefined);
  return typed(
    'device',
    card.type ?? '',
    keep('key'),
    backing,
    keep('controllerKey'),
    keep('unitNumber'),
    keep('addressType'),
    keep('macAddress'),
  );
}

/** An element whose type the API must be told. */
const typed = (name: string, type: string, ...content: string[]): string =>
  `<${name} xsi:type="${escapeXml(type)}">${content.join('')}</${name}>`;
