import { fail } from '../../../src/core/base/errors.ts';
import { usedConnections } from '../../../src/core/testbed/usedConnections.ts';
import type { Emit, Handlers } from '../../../src/wire/contract.ts';
import type { Peers } from '../connections/peers.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';
import type { LaunchInputs } from '../plans/hash.ts';
import type { ProfileBook } from '../profiles/book.ts';
import type { PlanVariants } from '../studies/peers.ts';
import { testbedLife } from './life.ts';

type Methods = Pick<
  Handlers,
  | 'inventory.discover'
  | 'inventory.get'
  | 'testbed.list'
  | 'testbed.save'
  | 'testbed.remove'
  | 'testbed.versions'
  | 'testbed.version'
  | 'testbed.restore'
  | 'testbed.duplicate'
  | 'testbed.export'
  | 'testbed.import'
  | 'plan.list'
  | 'plan.save'
  | 'plan.remove'
>;

/** Everything a launch of a plan depends on, read fresh. Throws notFound naming what is missing. */
export function launchInputs(
  db: Database,
  profiles: Pick<ProfileBook, 'get'>,
  variants: Pick<PlanVariants, 'get'>,
  planId: string,
): LaunchInputs {
  const plan = variants.get(planId) ?? db.plans.get(planId);
  if (!plan) throw fail('notFound', 'The plan does not exist.', 'Refresh the list of plans.');
  const testbed = db.testbeds.get(plan.testbedId);
  if (!testbed)
    throw fail(
      'notFound',
      `The testbed of plan ${plan.name} does not exist.`,
      'Choose another testbed in the plan.',
    );
  const profile = profiles.get(plan.profileId);
  if (!profile)
    throw fail(
      'notFound',
      `Profile ${plan.profileId} of plan ${plan.name} is not installed.`,
      'Choose another profile.',
    );
  // A smoke run tries the load of one tile: nothing is moved for it.
  const { infrastructure: _moved, ...still } = testbed;
  return {
    plan,
    testbed: plan.smoke ? still : testbed,
    profile,
    connections: usedConnections(testbed, db.connections.list()),
  };
}

export function testbedMethods(options: {
  deps: Deps;
  db: Database;
  peers: Peers;
  emit: Emit;
  profiles: ProfileBook;
}): Methods {
  const { deps, db, peers, emit, profiles } = options;
  return {
    'inventory.discover': async ({ vcenterId }, signal) => {
      const inventory = await (await peers.vcenter(vcenterId, signal)).inventory(signal);
      db.inventories.save(inventory);
      emit('list.changed', { list: 'inventory' });
      return inventory;
    },
    'inventory.get': async ({ vcenterId }) => db.inventories.get(vcenterId),
    ...testbedLife({ deps, db, emit, profiles }),
    'plan.list': async () => db.plans.list(),
    'plan.save': async (plan) => {
      const saved = db.plans.save(plan);
      emit('list.changed', { list: 'plans' });
      return saved;
    },
    'plan.remove': async ({ id }) => {
      const users = db.studies.list().filter((study) => study.planId === id);
      if (users.length > 0)
        throw fail(
          'conflict',
          `The plan is swept by study ${users.map((study) => study.name).join(', ')}.`,
          'Remove the studies first.',
        );
      db.plans.remove(id);
      emit('list.changed', { list: 'plans' });
      return {};
    },
  };
}
