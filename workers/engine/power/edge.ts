import { fail } from '../../../src/core/base/errors.ts';
import type { Clock, Log, PowerEdge } from '../deps.ts';
import { openNut, testNut } from './nut.ts';

/** Power meters by kind. vCenter's own counter is read with the host counters, not through a meter. */
export function createPowerEdge({ clock }: { clock: Clock; log: Log }): PowerEdge {
  const throughVcenter = (): never => {
    throw fail(
      'invalidInput',
      'A vCenter power source has no meter of its own.',
      'It is read with the counters of its vCenter.',
    );
  };
  return {
    test: async ({ source }, signal) =>
      source.type === 'nut' ? testNut(source, signal) : throughVcenter(),
    open: ({ source }) => (source.type === 'nut' ? openNut(source, clock) : throughVcenter()),
  };
}
