import { fail } from '../../../src/core/base/errors.ts';
import type { MadeLab } from '../../../src/core/customerLab/madeLab.ts';
import { vcenterOfSource } from '../../../src/core/testbed/powerSources.ts';
import { connectionIdsOf } from '../../../src/core/testbed/usedConnections.ts';
import type { Handlers } from '../../../src/wire/contract.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';

type Call =
  | 'study.overview'
  | 'study.remove'
  | 'plan.remove'
  | 'testbed.remove'
  | 'connection.remove'
  | 'profile.remove';
/** What made labs are listed and removed with. */
export interface MadeLabParts {
  deps: Pick<Deps, 'lab'>;
  db: Pick<Database, 'connections' | 'testbeds' | 'plans' | 'studies'>;
  /** Name of the run that goes on with a testbed; null = none. */
  runOn: (testbedId: string) => string | null;
  /** What asks for and removes one of each kind, with its own refusals. */
  calls: Pick<Handlers, Call>;
}

/** Ids of labs that people had made; the gallery's have others. */
const madeId = /^own\d+$/;
const anySignal = new AbortController().signal;

/** Everything that cannot be without the lab: what reaches it, and what is built on that. */
function belongings({ db }: MadeLabParts, labId: string) {
  const reaches = (host: string): boolean =>
    host === `${labId}.sim` || host.endsWith(`.${labId}.sim`);
  const all = db.connections.list();
  const machines = all.filter((one) => one.kind !== 'power' && reaches(one.host));
  const reached = new Set(machines.map(({ id }) => id));
  const meters = all.filter(
    (one) =>
      one.kind === 'power' &&
      (reached.has(vcenterOfSource(one.source) ?? '') ||
        ('host' in one.source && reaches(one.source.host))),
  );
  // A power source is removed before the vCenter that it reads.
  const connections = [...meters, ...machines.toReversed()];
  const own = new Set(connections.map(({ id }) => id));
  const testbeds = db.testbeds
    .list()
    .filter((testbed) => [...connectionIdsOf(testbed)].some((id) => own.has(id)));
  const beds = new Set(testbeds.map(({ id }) => id));
  const plans = db.plans.list().filter(({ testbedId }) => beds.has(testbedId));
  const planIds = new Set(plans.map(({ id }) => id));
  const studies = db.studies.list().filter(({ planId }) => planIds.has(planId));
  return { connections, testbeds, plans, studies };
}

/** Labs that people had made, each with what goes with it. */
export function madeLabs(parts: MadeLabParts): MadeLab[] {
  return (parts.deps.lab?.status().labs ?? [])
    .filter(({ id }) => madeId.test(id))
    .map(({ id, name, hosts, vms }) => {
      const { connections, testbeds, plans, studies } = belongings(parts, id);
      return {
        id,
        name,
        hosts,
        vms,
        studyId: studies.find((study) => study.id === `${id}-study`)?.id ?? studies[0]?.id ?? null,
        connections: connections.length,
        testbeds: testbeds.map((one) => one.name),
        plans: plans.map((one) => one.name),
        studies: studies.map((one) => one.name),
        run: runOf(parts, testbeds),
      };
    });
}

const runOf = ({ runOn }: MadeLabParts, testbeds: readonly { id: string }[]): string | null =>
  testbeds.map(({ id }) => runOn(id)).find((name) => name !== null) ?? null;

/**
 * Removes a made lab with its studies, plans, testbeds and connections. Runs stay as they are stored.
 * Throws notFound for one that is not there, conflict while a run or a study goes on with it. The lab
 * goes last: what was stopped halfway is listed still, and can be removed again.
 */
export async function removeMadeLab(parts: MadeLabParts, labId: string): Promise<void> {
  const { deps, calls } = parts;
  const lab = madeLabs(parts).find(({ id }) => id === labId);
  if (deps.lab === null || lab === undefined)
    throw fail('notFound', `There is no made lab ${labId}.`, 'Refresh the list.');
  if (lab.run !== null)
    throw fail(
      'conflict',
      `Run ${lab.run} uses the lab ${lab.name}.`,
      'Wait for its end, or stop it.',
    );
  const { connections, testbeds, plans, studies } = belongings(parts, labId);
  for (const { id, name } of studies)
    if ((await calls['study.overview']({ id }, anySignal)).state === 'running')
      throw fail('conflict', `Study ${name} runs on the lab ${lab.name}.`, 'Pause it first.');
  for (const { id } of studies) await calls['study.remove']({ id }, anySignal);
  for (const { id } of plans) await calls['plan.remove']({ id }, anySignal);
  for (const { id } of testbeds) await calls['testbed.remove']({ id }, anySignal);
  for (const { id } of connections) await calls['connection.remove']({ id }, anySignal);
  await removeProfile(parts, `${labId}-tile`);
  deps.lab.unload(labId);
}

/** The tile that was made for the lab; it stays where somebody else took it for a testbed or plan. */
async function removeProfile({ db, calls }: MadeLabParts, id: string): Promise<void> {
  const isUsed = [...db.testbeds.list(), ...db.plans.list()].some((one) => one.profileId === id);
  if (!isUsed) await calls['profile.remove']({ id }, anySignal);
}
