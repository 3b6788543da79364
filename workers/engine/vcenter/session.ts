import { toAppError } from '../../../src/shared/errors.ts';
import type { VCenterSession } from '../deps.ts';
import { readClockOffset } from './clock.ts';
import type { Core } from './core.ts';
import { readInventory } from './inventory.ts';
import { createOperations } from './operations.ts';
import { createPerfReader } from './perf.ts';
import { readMissingPrivileges } from './privileges.ts';

/** vCenter ends sessions idle for 30 minutes by default. */
const keepAliveMs = 300_000;

/** A logged-in core as the engine's session: every operation survives an expired session, and idle time is bridged. */
export function createSession(core: Core): VCenterSession {
  const ended = new AbortController();
  const perf = createPerfReader(core);
  const keepAlive = async (): Promise<void> => {
    for (;;) {
      await core.clock.sleep(keepAliveMs, ended.signal);
      try {
        await core.withLogin(() => core.call('CurrentTime', { type: 'ServiceInstance', id: 'ServiceInstance' }, '', { signal: ended.signal, limitMs: 15_000 }), ended.signal);
      } catch (error) {
        // The next real call tells the user; this one only meant to prevent it.
        core.log.debug('Keep-alive failed', { vcenter: core.connection.name, error: toAppError(error).message });
      }
    }
  };
  keepAlive().catch((error: unknown) => { if (!ended.signal.aborted) core.log.warn('Keep-alive ended', { vcenter: core.connection.name, error: String(error) }); });

  return {
    clockOffset: (signal) => core.withLogin(() => readClockOffset(core, signal), signal),
    inventory: (signal) => core.withLogin(() => readInventory(core, signal), signal),
    perf: (providers, sinceMs, signal) => core.withLogin(() => perf.read(providers, sinceMs, signal), signal),
    uplinks: (hostRefs, signal) => core.withLogin(() => perf.uplinks(hostRefs, signal), signal),
    missingPrivileges: (signal) => core.withLogin(() => readMissingPrivileges(core, signal), signal),
    ...createOperations(core),
    logout: async () => {
      ended.abort();
      await core.logout();
    },
  };
}
