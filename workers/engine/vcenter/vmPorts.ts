import { printableLine } from '../../../src/core/base/bounds.ts';
import { toAppError } from '../../../src/core/base/errors.ts';
import { groupBy } from '../../../src/core/base/groupBy.ts';
import type { VmPort, VmPorts } from '../deps/vcenter.ts';
import { createGate } from '../ssh/gate.ts';
import type { Core } from './core.ts';
import { type EsxcliRow, openEsxcli } from './esxcli.ts';
import { isNotAuthenticated } from './soap.ts';
import { readThere } from './taskFacts.ts';
import { textOf } from './xml.ts';

/** Hosts asked at once; each is asked for one VM after the other. */
const hostsAtOnce = 8;
const mostChars = 200;

/** A VM that runs, as its host knows it. */
interface Running {
  vmRef: string;
  hostRef: string;
  uuid: string;
}
/** Hosts write a UUID in pairs with blanks, vCenter with hyphens. */
const hexOf = (uuid: string): string => uuid.toLowerCase().replace(/[^0-9a-f]/g, '');

/**
 * Which uplink each port of these VMs is on, told by the hosts' own command lines: vCenter itself
 * knows ports and keeps teaming to the hosts. A host that refuses tells nothing but why.
 */
export async function readVmPorts(
  core: Core,
  vmRefs: readonly string[],
  signal?: AbortSignal,
): Promise<VmPorts> {
  const vms = await readThere(
    core,
    'VirtualMachine',
    vmRefs,
    ['runtime.host', 'runtime.powerState', 'summary.config.uuid'],
    signal,
  );
  const running = vms.flatMap(({ ref, props }): Running[] => {
    const hostRef = textOf(props.get('runtime.host')),
      uuid = textOf(props.get('summary.config.uuid'));
    return hostRef !== null &&
      uuid !== null &&
      textOf(props.get('runtime.powerState')) === 'poweredOn'
      ? [{ vmRef: ref.id, hostRef, uuid: hexOf(uuid) }]
      : [];
  });
  const gate = createGate(hostsAtOnce);
  const told = await Promise.all(
    [...groupBy(running, (vm) => vm.hostRef)].map(([hostRef, own]) =>
      gate.run(() => portsOfHost(core, hostRef, own, signal), signal),
    ),
  );
  return {
    ports: told.flatMap(({ ports }) => ports),
    notTold: told.flatMap(({ hostRef, note }) => (note === null ? [] : [{ hostRef, note }])),
  };
}

async function portsOfHost(
  core: Core,
  hostRef: string,
  vms: readonly Running[],
  signal?: AbortSignal,
): Promise<{ hostRef: string; ports: VmPort[]; note: string | null }> {
  const ports: VmPort[] = [];
  try {
    const cli = await openEsxcli(core, hostRef, signal);
    const worlds = await cli.list(['vm', 'process', 'list']);
    for (const { vmRef, uuid } of vms) {
      const worldId = worlds.find((row) => hexOf(row['UUID'] ?? '') === uuid)?.['WorldID'];
      // Gone meanwhile, or moved.
      if (worldId === undefined) continue;
      const rows = await cli.list(['network', 'vm', 'port', 'list'], { worldid: worldId });
      ports.push(...rows.flatMap((row) => portOf(vmRef, hostRef, row)));
    }
    return { hostRef, ports, note: null };
  } catch (error) {
    if (signal?.aborted || isNotAuthenticated(error)) throw error;
    return {
      hostRef,
      ports,
      note: printableLine(toAppError(error).message).slice(0, 1_000),
    };
  }
}

/** `vmnic2`; spread by address a host says `all(2)`, and `void` where a port is on none. */
const deviceName = /^[a-zA-Z_]+\d+$/;
/** A port on one uplink. Teaming by address has none: what its host says there is no adapter. */
function portOf(vmRef: string, hostRef: string, row: EsxcliRow): VmPort[] {
  const uplink = row['TeamUplink'] ?? '';
  const adapter = row['MACAddress'] ?? row['PortID'] ?? '';
  return deviceName.test(uplink) && adapter !== ''
    ? [
        {
          vmRef,
          hostRef,
          adapter: printableLine(adapter).slice(0, mostChars),
          uplink: uplink.slice(0, mostChars),
        },
      ]
    : [];
}
