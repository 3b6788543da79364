import type { Plan } from '../../src/core/plan/plan.ts';
import { planSchema } from '../../src/core/plan/plan.ts';
import type { ImportSource } from '../../src/core/planImport/schema.ts';
import { type DriverParams, type Profile, profileSchema } from '../../src/core/profile/profile.ts';
import { figureFits } from '../../src/core/study/shapedStudy.ts';
import {
  type AxisValue,
  type StudyAxis,
  type StudySpec,
  studySpecSchema,
} from '../../src/core/study/study.ts';
import type { Connection } from '../../src/core/testbed/connection.ts';
import { type NamedRef, type Testbed, testbedSchema } from '../../src/core/testbed/testbed.ts';
import type { GalleryEntry } from '../../workers/engine/gallery/types.ts';
import type { LevelChange, PeerName, RealAxis, RealLoad, RealStudy } from './mapping.ts';

/** The peers as a study needs to know them. */
export interface RealLab {
  connections: readonly Connection[];
  vcenterId: string;
  powerId: string;
  clientIds: readonly string[];
  hosts: readonly NamedRef[];
  datastores: readonly NamedRef[];
  vms: readonly NamedRef[];
  /** VM of a workload, `tile` from 0. Throws where the lab has none. */
  vm: (tile: number, workloadId: string) => NamedRef & { datastoreRef: string };
  /** Where a peer is, as the driver's parameters say it. */
  params: (peer: PeerName, tile: number, workloadId: string) => DriverParams;
}

const slug = (text: AxisValue): string =>
  String(text)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
const idOf = (study: RealStudy, what: string): string => `real-${slug(study.id)}-${what}`;
export const planIdOf = (study: RealStudy): string => idOf(study, 'plan');
/** What a level is called in the study: ids of testbeds and profiles, else the level itself. */
function valueOf(study: RealStudy, entry: GalleryEntry, axis: RealAxis, at: number): AxisValue {
  const { level, runsAs } = axis.levels[at]!;
  const isProfile = parameterOf(entry, axis)?.kind === 'profile';
  return axis.how === 'testbed' || axis.how === 'profile' || (axis.how === 'same' && isProfile)
    ? idOf(study, slug(level))
    : (runsAs ?? level);
}
const parameterOf = (entry: GalleryEntry, axis: RealAxis) =>
  entry.study.axes.find(({ name }) => name === axis.name)?.parameter;

/**
 * Pure: a study of the gallery as a study of any user over these peers. Ids begin with `real-`;
 * names of workloads, limits, order, stop rule and charts are those of the gallery's study file;
 * lengths, loads and levels those of the mapping. It is no entry of the gallery: nothing that was
 * published is drawn beside it.
 */
export function realStudy(study: RealStudy, entry: GalleryEntry, lab: RealLab): ImportSource {
  const [profile, ...profiles] = profilesOf(study, entry);
  const [testbed, ...testbeds] = testbedsOf(study, profile!, lab);
  const plan = planSchema.parse({
    id: planIdOf(study),
    name: `${study.id} on real peers`,
    testbedId: testbed!.id,
    profileId: profile!.id,
    tiles: study.tiles,
    phases: study.phases,
    sampling: { workloadMs: 1_000, vcenterMs: 5_000 },
    ...(places(study) ? { startPlacement: 'planned' } : {}),
    notes: `${study.id} of the gallery, scaled down: ${study.scaledDown.join('; ')}.`,
  } satisfies Partial<Plan>);
  return {
    file: {
      tilebenchPlan: 1,
      plan,
      profile: profile!,
      testbed: testbed!,
      connections: [...lab.connections],
    },
    testbeds,
    profiles,
    study: specOf(study, entry),
  };
}

const places = (study: RealStudy): boolean =>
  study.axes.some((axis) => axis.levels.some(({ change }) => change.placement));

/** The gallery's profile with real drivers; one for each level where the study sweeps profiles. */
function profilesOf(study: RealStudy, entry: GalleryEntry): Profile[] {
  const made = (base: Profile, id: string, name: string): Profile =>
    profileSchema.parse({
      ...base,
      id,
      name,
      phases: study.phases,
      resultName: 'scaling study',
      ...(study.infrastructure
        ? {}
        : { scoring: { ...base.scoring, infrastructure: undefined, overall: undefined } }),
      workloads: base.workloads.map((workload) => {
        const load = loadOf(study, workload.id);
        return {
          ...workload,
          name: load.name ?? workload.name,
          driver: load.driver,
          unit: load.unit,
          params: { ...(workload.driver === load.driver ? workload.params : {}), ...load.params },
          reference: null,
          referenceSource: 'not set: the study compares its own runs',
          note: `Stands for ${load.standsFor}.`,
        };
      }),
    });
  const swept = study.axes.find(
    (axis) =>
      axis.how === 'profile' ||
      (axis.how === 'same' && parameterOf(entry, axis)?.kind === 'profile'),
  );
  const first = entry.profiles[0]!;
  // No benchmark's name: these are other programs at another scale.
  const name = `${study.id} at small scale, real load`;
  if (!swept) return [made(first, idOf(study, 'load'), name)];
  return swept.levels.map((level) => {
    const base = entry.profiles.find(({ id }) => id === level.level) ?? first;
    const labels = entry.study.axes.find((axis) => axis.name === swept.name)?.valueLabels;
    const words = level.words ?? labels?.[String(level.level)] ?? level.level;
    return made(base, idOf(study, slug(level.level)), `${name}, ${words}`);
  });
}

function loadOf(study: RealStudy, workloadId: string): RealLoad {
  const found = study.loads.find(({ id }) => id === workloadId);
  if (!found) throw new Error(`${study.id}: nothing stands for the workload ${workloadId}.`);
  return found;
}

/** One testbed, or one for each level where levels are testbeds. */
function testbedsOf(study: RealStudy, profile: Profile, lab: RealLab): Testbed[] {
  const swept = study.axes.find(({ how }) => how === 'testbed');
  const one = (id: string, name: string, change: LevelChange): Testbed => {
    const tiles = Array.from({ length: study.tiles }, (_, tile) => ({
      index: tile,
      workloads: study.loads.map((load, at) => {
        const { datastoreRef: _, ...vm } = lab.vm(tile, load.id);
        const host = lab.hosts[change.placement === 'spread' ? (tile + at) % lab.hosts.length : 0]!;
        return {
          workloadId: load.id,
          vm,
          clientId: lab.clientIds[tile % lab.clientIds.length]!,
          params: lab.params(change.peers?.[load.id] ?? load.peer, tile, load.id),
          ...(change.placement ? { planned: { host, datastore: null } } : {}),
        };
      }),
    }));
    const used = new Set(tiles.flatMap(({ workloads }) => workloads.map(({ vm }) => vm.ref)));
    return testbedSchema.parse({
      id,
      name,
      profileId: profile.id,
      vcenterId: lab.vcenterId,
      powerIds: study.power ? [lab.powerId] : [],
      layout: { excludedVms: lab.vms.filter(({ ref }) => !used.has(ref)) },
      tiles,
      ...(study.infrastructure ? { infrastructure: operationsOf(study, lab) } : {}),
      notes: 'Real servers, clients and a simulated vCenter on one machine.',
    });
  };
  const name = `${study.id} on one machine`;
  return swept
    ? swept.levels.map((level) =>
        one(idOf(study, slug(level.level)), `${name}: ${level.words ?? level.level}`, level.change),
      )
    : [one(idOf(study, 'testbed'), name, {})];
}

/** vMotion of the standby VMs; Storage vMotion and deploy of VMs that no tile uses. */
function operationsOf(study: RealStudy, lab: RealLab): NonNullable<Testbed['infrastructure']> {
  const moved = lab.vm(0, 'file');
  const other = lab.datastores.find(({ ref }) => ref !== moved.datastoreRef)!.ref;
  return {
    vmotionVmRefs: Array.from({ length: study.tiles }, (_, tile) => lab.vm(tile, 'standby').ref),
    storageVmotion: { vmRefs: [moved.ref], datastoreRef: other },
    xvmotion: null,
    deploy: { templateRef: lab.vm(0, 'io').ref, datastoreRef: other },
    snapshotVmRefs: [],
    pauseS: 1,
  };
}

function specOf(study: RealStudy, entry: GalleryEntry): StudySpec {
  const axes = study.axes
    .filter(({ how }) => how !== 'fixed')
    .map((axis) => axisOf(study, entry, axis));
  const given = entry.study.reference ?? {};
  const reference = Object.fromEntries(
    study.axes
      .filter(({ how }) => how !== 'fixed')
      .map((axis) => {
        const at = axis.levels.findIndex(({ level }) => level === given[axis.name]);
        return [axis.name, valueOf(study, entry, axis, Math.max(0, at))];
      }),
  );
  const spec = studySpecSchema.parse({
    ...entry.study,
    id: idOf(study, 'study'),
    name: `${study.id} on real peers: ${entry.item.title}`,
    version: 0,
    planId: planIdOf(study),
    axes,
    reference,
    galleryId: null,
    notes: `The study ${study.id} of the gallery at small scale on one machine. Stand-ins: ${study.standIns
      .map(({ what, why }) => `${what} (${why})`)
      .join('; ')}.`,
  });
  return { ...spec, charts: chartsOf(study, entry, spec) };
}

function axisOf(study: RealStudy, entry: GalleryEntry, axis: RealAxis): StudyAxis {
  const made = entry.study.axes.find(({ name }) => name === axis.name);
  if (!made && axis.how !== 'added')
    throw new Error(`${study.id}: the study file has no axis ${axis.name}.`);
  const values = axis.levels.map((_, at) => valueOf(study, entry, axis, at));
  return {
    name: axis.name,
    label: axis.label ?? made?.label ?? axis.name,
    unit: axis.unit ?? made?.unit ?? '',
    parameter: sweptBy(study, axis, made),
    values,
    valueLabels: Object.fromEntries(
      axis.levels.flatMap(({ level, words }, at) => {
        const text = words ?? made?.valueLabels[String(level)];
        return text === undefined ? [] : [[String(values[at]), text]];
      }),
    ),
  };
}

function sweptBy(
  study: RealStudy,
  axis: RealAxis,
  made: StudyAxis | undefined,
): StudyAxis['parameter'] {
  switch (axis.how) {
    case 'testbed':
    case 'profile':
      return { kind: axis.how };
    case 'byHand':
      return { kind: 'manual', instruction: axis.instruction ?? '' };
    case 'added':
      return axis.param === undefined
        ? { kind: 'tiles' }
        : { kind: 'option', workloadId: axis.workloadId ?? '', param: axis.param };
    case 'same':
    case 'fixed': {
      if (!made) throw new Error(`${study.id}: the study file has no axis ${axis.name}.`);
      return made.parameter.kind === 'option' && axis.param !== undefined
        ? { ...made.parameter, param: axis.param }
        : made.parameter;
    }
  }
}

/** Of the simulated lab's own hosts and uplinks, which are not here. */
const ofTheSimulatedLab = /\.(?:host|uplink)\.(?!mean$|min$|max$|sum$)/;

/** The gallery's charts that these runs have figures for, in the units of the real loads. */
function chartsOf(study: RealStudy, entry: GalleryEntry, spec: StudySpec): StudySpec['charts'] {
  const names = new Map(
    entry.profiles[0]!.workloads.map(({ id, name }) => [id, loadOf(study, id).name ?? name]),
  );
  const unitOf = (measure: string): string | undefined => {
    const [, id] = /^throughput\.(.+)\.(?:sum|mean|min)$/.exec(measure) ?? [];
    return study.loads.find((load) => load.id === id)?.unit;
  };
  // What a chart of pages or transactions is called does not fit another program's operations.
  const titleOf = (measure: string): string =>
    measure === study.figure.measure
      ? study.figure.title
      : (names.get(measure.split('.')[1] ?? '') ?? measure);
  const kept = spec.charts
    .filter(
      ({ title: _, measure, unit: _u, normalise: _n, ...shape }) =>
        ![measure, ...(shape.also ?? []).map((one) => one.measure)].some((one) =>
          ofTheSimulatedLab.test(one),
        ) && figureFits(spec, shape),
    )
    .map((chart) => {
      const unit = unitOf(chart.measure);
      return unit === undefined || unit === chart.unit || chart.normalise
        ? chart
        : { ...chart, unit, title: titleOf(chart.measure) };
    });
  const { figure } = study;
  return kept.some(({ measure, normalise }) => measure === figure.measure && !normalise)
    ? kept
    : [{ ...figure, normalise: false }, ...kept];
}
