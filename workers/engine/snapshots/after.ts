import { toAppError } from '../../../src/core/base/errors.ts';
import type { ClientRecord } from '../../../src/core/run/run.ts';
import { driftFindings } from '../../../src/core/snapshot/drift.ts';
import type { RunContext } from '../runs/context.ts';
import { readInventory } from '../runs/prepare.ts';
import { readClient } from './clients.ts';

/**
 * Reads the set-up again when the run is over and everything is back in its place, stores it, and
 * tells what drifted. A part that cannot be read becomes a finding: the others are compared all the
 * same. To be called within a deadline.
 */
export async function readAfter(context: RunContext, signal: AbortSignal): Promise<void> {
  const { run } = context;
  const { testbed, clients } = run.record();
  const [inventoryAfter, after] = await Promise.all([
    readInventory(context, testbed.vcenterId, signal).catch((error: unknown) => {
      run.finding({
        id: 'inventory.after',
        severity: 'info',
        text: `The set-up after the run could not be read: ${toAppError(error).message}`,
      });
      return null;
    }),
    Promise.all(
      clients.map((client): Promise<ClientRecord | null> =>
        readClient(context, client.id, context.units, signal).catch((error: unknown) => {
          run.finding({
            id: `drift.${client.id}`,
            severity: 'info',
            text: `${client.name} could not be read after the run: ${toAppError(error).message}`,
          });
          return null;
        }),
      ),
    ),
  ]);
  const read = after.filter((client) => client !== null);
  run.change({ inventoryAfter, clientsAfter: read.length > 0 ? read : null });
  for (const finding of driftFindings(run.record())) run.finding(finding);
}
