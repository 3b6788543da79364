import type { Layout, NamedRef, Testbed } from '../testbed/testbed.ts';
import { layoutOf } from './layoutEdit.ts';
import type { LayoutChange } from './layoutHistory.ts';

/** Edits of what is laid out beside the tiles. */

function withLayout(testbed: Testbed, patch: Partial<Layout>): Testbed {
  const layout = layoutOf(testbed);
  const keys = Object.keys(patch) as (keyof Layout)[];
  return keys.every((key) => JSON.stringify(layout[key]) === JSON.stringify(patch[key]))
    ? testbed
    : { ...testbed, layout: { ...layout, ...patch } };
}
const count = (refs: readonly NamedRef[], one: string): string =>
  refs.length === 1 ? refs[0]!.name : `${refs.length} ${one}s`;

/** Hosts and datastores under test; none = all that the tiles use. */
export const setHosts = (testbed: Testbed, hosts: readonly NamedRef[]): LayoutChange => ({
  label: hosts.length === 0 ? 'Test all hosts that tiles use' : `Test ${count(hosts, 'host')}`,
  testbed: withLayout(testbed, { hosts: [...hosts] }),
});
export const setDatastores = (testbed: Testbed, datastores: readonly NamedRef[]): LayoutChange => ({
  label:
    datastores.length === 0
      ? 'Use all datastores that tiles use'
      : `Use ${count(datastores, 'datastore')}`,
  testbed: withLayout(testbed, { datastores: [...datastores] }),
});

/** Scratch datastore of Storage vMotion and deploy. Targets that pointed at the old one follow. */
export function setMaintenanceDatastore(
  testbed: Testbed,
  datastore: NamedRef | null,
): LayoutChange {
  const before = layoutOf(testbed).maintenanceDatastore;
  const changed = withLayout(testbed, { maintenanceDatastore: datastore });
  const targets = changed.infrastructure;
  const follow = <T extends { datastoreRef: string }>(target: T | null): T | null =>
    target && datastore && target.datastoreRef === before?.ref
      ? { ...target, datastoreRef: datastore.ref }
      : target;
  const infrastructure =
    targets && before && datastore
      ? {
          ...targets,
          storageVmotion: follow(targets.storageVmotion),
          xvmotion: follow(targets.xvmotion),
          deploy: follow(targets.deploy),
        }
      : targets;
  return {
    label: datastore
      ? `Keep ${datastore.name} for maintenance`
      : 'Keep no datastore for maintenance',
    testbed:
      changed === testbed || infrastructure === targets ? changed : { ...changed, infrastructure },
  };
}

/** VMs that may run on the hosts under test without being strays. */
export const setExcludedVms = (testbed: Testbed, vms: readonly NamedRef[]): LayoutChange => ({
  label: vms.length === 0 ? 'Exclude no VM' : `Exclude ${count(vms, 'VM')}`,
  testbed: withLayout(testbed, { excludedVms: [...vms] }),
});

/** Template that a missing VM of this workload is cloned from; null = none. */
export function setTemplate(
  testbed: Testbed,
  workloadId: string,
  template: NamedRef | null,
): LayoutChange {
  const { [workloadId]: _, ...others } = layoutOf(testbed).templates;
  return {
    label: template
      ? `Clone ${workloadId} from ${template.name}`
      : `Clone ${workloadId} from no template`,
    testbed: withLayout(testbed, {
      templates: template ? { ...others, [workloadId]: template } : others,
    }),
  };
}
export const setResourcePool = (testbed: Testbed, pool: NamedRef | null): LayoutChange => ({
  label: pool ? `Put clones in pool ${pool.name}` : 'Put clones in no pool',
  testbed: withLayout(testbed, { resourcePool: pool }),
});
export const setNetwork = (testbed: Testbed, network: NamedRef | null): LayoutChange => ({
  label: network ? `Connect clones to ${network.name}` : 'Leave the network of the template',
  testbed: withLayout(testbed, { network }),
});
export const setNamePattern = (testbed: Testbed, namePattern: string): LayoutChange => ({
  label: `Name VMs ${namePattern}`,
  testbed: withLayout(testbed, { namePattern }),
});
export const rename = (testbed: Testbed, name: string): LayoutChange => ({
  label: `Rename to ${name}`,
  testbed: testbed.name === name ? testbed : { ...testbed, name },
});
