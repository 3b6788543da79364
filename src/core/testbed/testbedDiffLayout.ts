import { byNaturalOrder } from '../base/naturalOrder.ts';
import type { InfrastructureTargets } from './infrastructure.ts';
import { type Layout, layoutSchema, type NamedRef, type Testbed } from './testbed.ts';
import type { DiffGroup, NameOf, SameThing, TestbedDifference } from './testbedDiffTypes.ts';

/** What differs beside the tiles: lists by what is only in one of them, choices by their names. */
export function diffLayout(
  before: Testbed,
  after: Testbed,
  idOf: SameThing,
  nameOf: NameOf,
): TestbedDifference[] {
  const empty = layoutSchema.parse({});
  const [was, is] = [before.layout ?? empty, after.layout ?? empty];
  const lists: [keyof Layout & ('hosts' | 'datastores' | 'excludedVms' | 'made'), string][] = [
    ['hosts', 'Hosts under test'],
    ['datastores', 'Datastores under test'],
    ['excludedVms', 'Excluded VMs'],
    ['made', 'Made by this app'],
  ];
  const choices: [keyof Layout & ('maintenanceDatastore' | 'resourcePool' | 'network'), string][] =
    [
      ['maintenanceDatastore', 'Maintenance datastore'],
      ['resourcePool', 'Resource pool'],
      ['network', 'Network'],
    ];
  const workloads = [...new Set([...Object.keys(was.templates), ...Object.keys(is.templates)])];
  return [
    ...lists.flatMap(([key, label]) => list('layout', label, was[key], is[key], idOf)),
    ...choices.flatMap(([key, label]) => choice('layout', label, was[key], is[key], idOf)),
    ...workloads.flatMap((id) =>
      choice(
        'layout',
        `Template of ${id}`,
        was.templates[id] ?? null,
        is.templates[id] ?? null,
        idOf,
      ),
    ),
    ...text('layout', 'Name pattern', was.namePattern, is.namePattern),
    ...diffTargets(before.infrastructure, after.infrastructure, nameOf),
  ];
}

function list(
  group: DiffGroup,
  label: string,
  was: readonly NamedRef[],
  is: readonly NamedRef[],
  idOf: SameThing,
): TestbedDifference[] {
  const [a, b] = [new Set(was.map(idOf)), new Set(is.map(idOf))];
  const only = (side: readonly NamedRef[], other: ReadonlySet<string>): string | null =>
    side
      .filter((one) => !other.has(idOf(one)))
      .map(({ name }) => name)
      .sort(byNaturalOrder)
      .join(', ') || null;
  return text(group, label, only(was, b), only(is, a));
}
function choice(
  group: DiffGroup,
  label: string,
  was: NamedRef | null,
  is: NamedRef | null,
  idOf: SameThing,
): TestbedDifference[] {
  return (was ? idOf(was) : null) === (is ? idOf(is) : null)
    ? []
    : text(group, label, was?.name ?? null, is?.name ?? null, true);
}
function text(
  group: DiffGroup,
  label: string,
  before: string | null,
  after: string | null,
  force = false,
): TestbedDifference[] {
  return before === after && !force ? [] : [{ group, label, before, after, keys: [] }];
}

function diffTargets(
  was: InfrastructureTargets | undefined,
  is: InfrastructureTargets | undefined,
  nameOf: NameOf,
): TestbedDifference[] {
  const refs = (of: readonly string[] | undefined): NamedRef[] =>
    (of ?? []).map((ref) => ({ ref, name: nameOf('vm', ref) }));
  const store = (target: { datastoreRef: string } | null | undefined): string | null =>
    target ? nameOf('datastore', target.datastoreRef) : null;
  const byRef: SameThing = ({ ref }) => ref;
  const group = 'infrastructure';
  return [
    ...list(group, 'VMs of vMotion', refs(was?.vmotionVmRefs), refs(is?.vmotionVmRefs), byRef),
    ...list(
      group,
      'VMs of Storage vMotion',
      refs(was?.storageVmotion?.vmRefs),
      refs(is?.storageVmotion?.vmRefs),
      byRef,
    ),
    ...text(
      group,
      'Target of Storage vMotion',
      store(was?.storageVmotion),
      store(is?.storageVmotion),
    ),
    ...list(
      group,
      'VMs of XvMotion',
      refs(was?.xvmotion?.vmRefs),
      refs(is?.xvmotion?.vmRefs),
      byRef,
    ),
    ...text(group, 'Target of XvMotion', store(was?.xvmotion), store(is?.xvmotion)),
    ...text(
      group,
      'Template to deploy',
      was?.deploy ? nameOf('vm', was.deploy.templateRef) : null,
      is?.deploy ? nameOf('vm', is.deploy.templateRef) : null,
    ),
    ...text(group, 'Target of deploy', store(was?.deploy), store(is?.deploy)),
    ...list(group, 'VMs of snapshots', refs(was?.snapshotVmRefs), refs(is?.snapshotVmRefs), byRef),
    ...text(group, 'Pause between operations', `${was?.pauseS ?? 0} s`, `${is?.pauseS ?? 0} s`),
    ...text(
      group,
      'Pace of single operations',
      was?.pace ? JSON.stringify(was.pace) : null,
      is?.pace ? JSON.stringify(is.pace) : null,
    ),
  ];
}
