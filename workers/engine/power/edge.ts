import { fail } from '../../../src/core/base/errors.ts';
import type { PowerConnection } from '../../../src/core/testbed/connection.ts';
import { demandMetered, type PowerSource } from '../../../src/core/testbed/powerSources.ts';
import type { Clock, Log } from '../deps.ts';
import type { PowerEdge } from '../deps/power.ts';
import type { MeterGround } from './ground.ts';
import { type MeterKind, meters } from './meters.ts';

/**
 * Power meters by kind. vCenter's own counter is read with the host counters, not through a meter.
 */
export function createPowerEdge(deps: { clock: Clock; log: Log }): PowerEdge {
  const groundOf = ({ name }: PowerConnection): MeterGround => ({ ...deps, name });
  return {
    test: async (connection, secret, signal) =>
      kindOf(connection.source).test(
        connection.source as never,
        { ...groundOf(connection), secret: secret ?? '' },
        signal,
      ),
    async identify({ source, name }, signal) {
      const { identify } = kindOf(source);
      if (!identify)
        throw fail('invalidInput', 'This power source has no certificate or host key.');
      return identify(source as never, name, signal);
    },
    open: (connection, keys) =>
      kindOf(connection.source).open(connection.source as never, {
        ...groundOf(connection),
        ...keys,
      }),
  };
}

/**
 * Each kind takes sources of its own type, which is how it was found: `never` is all that the types
 * can say of that.
 */
const kindOf = (source: PowerSource): MeterKind<never> => meters[demandMetered(source).type];
