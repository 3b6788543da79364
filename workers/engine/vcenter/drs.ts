import type { DrsSetting } from '../deps/vcenter.ts';
import type { Core } from './core.ts';
import { readObject } from './properties.ts';
import { element, group, type MoRef } from './soap.ts';
import { runTask } from './tasks.ts';
import { booleanOf, child, numberOf, textOf } from './xml.ts';

const cluster = (id: string): MoRef => ({ type: 'ClusterComputeResource', id });

/** DRS of a cluster as it stands. Throws notFound where the cluster is gone. */
export async function readDrs(
  core: Core,
  clusterRef: string,
  signal?: AbortSignal,
): Promise<DrsSetting> {
  const { props } = await core.withLogin(
    () => readObject(core, cluster(clusterRef), ['configurationEx'], signal),
    signal,
  );
  const drs = child(props.get('configurationEx'), 'drsConfig');
  return {
    enabled: booleanOf(child(drs, 'enabled')),
    behavior: textOf(child(drs, 'defaultVmBehavior')),
    vmotionRate: numberOf(child(drs, 'vmotionRate')),
  };
}

/**
 * Changes only what is not null: `modify` leaves the rest of the cluster as it is. The order of
 * elements is the API's (ClusterConfigSpecEx, ClusterDrsConfigInfo).
 */
export async function writeDrs(
  core: Core,
  clusterRef: string,
  { enabled, behavior, vmotionRate }: DrsSetting,
  signal?: AbortSignal,
): Promise<void> {
  const config = group(
    'drsConfig',
    element('enabled', enabled ?? undefined),
    element('defaultVmBehavior', behavior ?? undefined),
    element('vmotionRate', vmotionRate ?? undefined),
  );
  await runTask(
    core,
    'ReconfigureComputeResource_Task',
    cluster(clusterRef),
    `<spec xsi:type="ClusterConfigSpecEx">${config}</spec>${element('modify', true)}`,
    signal,
  );
}
