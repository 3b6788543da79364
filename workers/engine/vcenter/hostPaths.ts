import { fail } from '../../../src/core/base/errors.ts';
import type { AdapterPath, HostCalls } from '../deps/vcenter.ts';
import type { Core } from './core.ts';
import { readObject } from './properties.ts';
import { element, type MoRef, refOf } from './soap.ts';
import { child, childrenNamed, textOf, type XmlNode } from './xml.ts';

const adapters = 'storageDeviceInfo.hostBusAdapter';
const multipath = 'storageDeviceInfo.multipathInfo';

/** A path in use or in reserve; dead and disabled ones carry nothing. */
const carries = (state: string): boolean => state === 'active' || state === 'standby';
const stateOf = (path: XmlNode): string =>
  textOf(child(path, 'state')) ?? textOf(child(path, 'pathState')) ?? 'unknown';

/** The HostStorageSystem of a host; what it tells is newer than the host's own copy of it. */
async function storageSystem(core: Core, hostRef: string, signal?: AbortSignal): Promise<MoRef> {
  const path = 'configManager.storageSystem';
  const { props } = await readObject(core, { type: 'HostSystem', id: hostRef }, [path], signal);
  const system = refOf(props.get(path));
  if (!system)
    throw fail(
      'conflict',
      `vCenter ${core.connection.name} gives no storage system of ${hostRef}.`,
      'Look at the host in vCenter: it may be disconnected.',
    );
  return system;
}

/**
 * Paths over one adapter: the adapter is named by its key, as paths name it. Each with how many
 * paths of its LUN over other adapters carry.
 */
function pathsOver(
  device: string,
  hostBusAdapter: XmlNode | undefined,
  multipathInfo: XmlNode | undefined,
): AdapterPath[] {
  const key = (hostBusAdapter?.children ?? [])
    .filter((one) => textOf(child(one, 'device')) === device)
    .map((one) => textOf(child(one, 'key')))[0];
  if (key == null) return [];
  return childrenNamed(multipathInfo, 'lun').flatMap((unit) => {
    const lun = textOf(child(unit, 'lun')) ?? textOf(child(unit, 'key')) ?? '';
    const paths = childrenNamed(unit, 'path');
    const isOver = (path: XmlNode): boolean => textOf(child(path, 'adapter')) === key;
    const otherwise = paths.filter((path) => !isOver(path) && carries(stateOf(path))).length;
    return paths.filter(isOver).flatMap((path) => {
      const name = textOf(child(path, 'name'));
      return name === null ? [] : [{ name, state: stateOf(path), lun, otherwise }];
    });
  });
}

/** Reads, disables and enables paths of hosts. */
export function createHostPaths(core: Core): Pick<HostCalls, 'adapterPaths' | 'setPath'> {
  return {
    adapterPaths: (hostRef, device, signal) =>
      core.withLogin(async () => {
        const system = await storageSystem(core, hostRef, signal);
        const { props } = await readObject(core, system, [adapters, multipath], signal);
        return pathsOver(device, props.get(adapters), props.get(multipath));
      }, signal),
    setPath: (hostRef, pathName, on, signal) =>
      core.withLogin(async () => {
        const system = await storageSystem(core, hostRef, signal);
        await core.call(
          on ? 'EnableMultipathPath' : 'DisableMultipathPath',
          system,
          element('pathName', pathName),
          { signal },
        );
      }, signal),
  };
}
