import { fail } from '../../../src/core/base/errors.ts';
import type { Emit, Handlers, ParsedInput } from '../../../src/wire/contract.ts';
import type { Peers } from '../connections/peers.ts';
import type { Database } from '../db/types.ts';
import { createGate } from '../ssh/gate.ts';

/** vCenter starts that many VMs side by side without its tasks queueing for long. */
const atOnce = 8;

interface Options {
  db: Database;
  peers: Peers;
  emit: Emit;
  /** Name of the run that uses a testbed now; null = none. */
  usedBy: (testbedId: string) => string | null;
}

/** The power of a testbed's VMs, as the contract has it. Other VMs of its vCenter are not touched. */
export const powerMethods = (options: Options): Pick<Handlers, 'testbed.power'> => ({
  'testbed.power': async (input, signal) => {
    await setPower(options, input, signal);
    return {};
  },
});

async function setPower(
  { db, peers, emit, usedBy }: Options,
  { id, vmRefs, on }: ParsedInput<'testbed.power'>,
  signal: AbortSignal,
): Promise<void> {
  const testbed = db.testbeds.get(id);
  if (!testbed)
    throw fail('notFound', 'The testbed does not exist.', 'Refresh the list of testbeds.');
  const own = new Set(testbed.tiles.flatMap((tile) => tile.workloads.map((one) => one.vm?.ref)));
  if (testbed.vcenterId === null || !vmRefs.every((ref) => own.has(ref)))
    throw fail(
      'invalidInput',
      `Not all of these VMs belong to tiles of ${testbed.name}.`,
      'Check the plan again.',
    );
  const run = usedBy(id);
  if (!on && run !== null)
    throw fail('conflict', `${run} uses the testbed.`, 'Wait for its end, or abort it.');
  const session = await peers.vcenter(testbed.vcenterId, signal);
  const gate = createGate(atOnce);
  const done = await Promise.allSettled(
    vmRefs.map((ref) => gate.run(() => session.power(ref, on, signal), signal)),
  );
  db.inventories.save(await session.inventory(signal));
  emit('list.changed', { list: 'inventory' });
  const failed = done.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}
