import type { HostCalls } from '../deps/vcenter.ts';
import type { Core } from './core.ts';
import { createHostPaths } from './hostPaths.ts';
import { nameOf } from './names.ts';
import { readObject, readObjects } from './properties.ts';
import { element, type MoRef, refElement, refOf } from './soap.ts';
import { runTask } from './tasks.ts';
import { booleanOf, textOf } from './xml.ts';
const host = (id: string): MoRef => ({ type: 'HostSystem', id });
/** No limit: the signal cancels the task. */
const noTimeout = element('timeout', 0);

/** What changes hosts. Every one waits for its task, and cancels it when the signal fires. */
export function createHostActs(core: Core): HostCalls {
  const task = async (
    method: string,
    target: MoRef,
    args: string,
    signal: AbortSignal | undefined,
    watch: Parameters<typeof runTask>[5],
  ): Promise<void> => {
    await runTask(core, method, target, args, signal, watch);
  };
  return {
    async hostState(hostRef, signal) {
      const { props } = await core.withLogin(
        () =>
          readObject(
            core,
            host(hostRef),
            ['runtime.connectionState', 'runtime.inMaintenanceMode', 'parent'],
            signal,
          ),
        signal,
      );
      const parent = props.get('parent');
      return {
        connectionState: textOf(props.get('runtime.connectionState')) ?? 'unknown',
        maintenance: booleanOf(props.get('runtime.inMaintenanceMode')) ?? false,
        clusterRef: parent?.refType === 'ClusterComputeResource' ? textOf(parent) : null,
      };
    },
    async hostVms(hostRef, signal) {
      return core.withLogin(async () => {
        const { props } = await readObject(core, host(hostRef), ['vm'], signal);
        const refs = (props.get('vm')?.children ?? []).flatMap((node) => refOf(node) ?? []);
        const vms = await readObjects(
          core,
          refs,
          { VirtualMachine: ['name', 'runtime.powerState'] },
          signal,
        );
        return vms.map((vm) => {
          const state = textOf(vm.props.get('runtime.powerState'));
          return {
            ref: vm.ref.id,
            name: nameOf(vm),
            poweredOn: state === null ? null : state === 'poweredOn',
          };
        });
      }, signal);
    },
    ...createHostPaths(core),
    enterMaintenance: (ref, signal, watch) =>
      task(
        'EnterMaintenanceMode_Task',
        host(ref),
        noTimeout + element('evacuatePoweredOffVms', false),
        signal,
        watch,
      ),
    exitMaintenance: (ref, signal, watch) =>
      task('ExitMaintenanceMode_Task', host(ref), noTimeout, signal, watch),
    disconnectHost: (ref, signal, watch) =>
      task('DisconnectHost_Task', host(ref), '', signal, watch),
    reconnectHost: (ref, signal, watch) => task('ReconnectHost_Task', host(ref), '', signal, watch),
    joinCluster: (ref, clusterRef, signal, watch) =>
      task(
        'MoveInto_Task',
        { type: 'ClusterComputeResource', id: clusterRef },
        refElement('host', host(ref)),
        signal,
        watch,
      ),
  };
}
