import { fail } from '../../../src/core/base/errors.ts';
import { isPreparing } from '../../../src/core/roles/job.ts';
import { isProvisioning } from '../../../src/core/testbed/provision.ts';
import type { Testbed } from '../../../src/core/testbed/testbed.ts';
import type { Database } from '../db/types.ts';

/** Throws conflict while machines of a testbed are being made, removed, prepared or put back. */
export function demandStill(
  { provisions, guestJobs }: Pick<Database, 'provisions' | 'guestJobs'>,
  { id, name }: Pick<Testbed, 'id' | 'name'>,
): void {
  const made = provisions.get(id);
  if (made && isProvisioning(made))
    throw fail(
      'conflict',
      `VMs of testbed ${name} are being made or removed.`,
      'Wait for the end of provisioning, or cancel it.',
    );
  const prepared = guestJobs.get(id);
  if (prepared && isPreparing(prepared))
    throw fail(
      'conflict',
      `Guests of testbed ${name} are being ${prepared.purpose === 'prepare' ? 'prepared' : 'put back'}.`,
      'Wait for the end, or cancel it on the testbed.',
    );
}
