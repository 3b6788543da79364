import { toAppError } from '../../../src/core/base/errors.ts';
import type { VCenterSession } from '../deps/vcenter.ts';
import { readClockOffset } from './clock.ts';
import type { Core } from './core.ts';
import { readDrs, writeDrs } from './drs.ts';
import { readEvents } from './events.ts';
import { createHostActs } from './hostActs.ts';
import { readHostClocks } from './hostClocks.ts';
import { readHostSoftware } from './hostSoftware.ts';
import { readInventory } from './inventory.ts';
import { createOperations } from './operations.ts';
import { createPerfReader } from './perf.ts';
import { readMissingPrivileges } from './privileges.ts';
import { createProvisioning } from './provisioning.ts';
import { readPlacements, readTask, readTasks } from './taskFacts.ts';
import { readVmPorts } from './vmPorts.ts';

/** vCenter ends sessions idle for 30 minutes by default. */
const keepAliveMs = 300_000;

/**
 * A logged-in core as the engine's session: every operation survives an expired session, and idle
 * time is bridged.
 */
export function createSession(core: Core): VCenterSession {
  const ended = new AbortController();
  const perf = createPerfReader(core);
  const keepAlive = async (): Promise<void> => {
    for (;;) {
      await core.clock.sleep(keepAliveMs, ended.signal);
      try {
        await core.withLogin(
          () =>
            core.call('CurrentTime', { type: 'ServiceInstance', id: 'ServiceInstance' }, '', {
              signal: ended.signal,
              limitMs: 15_000,
            }),
          ended.signal,
        );
      } catch (error) {
        // The next real call tells the user; this one only meant to prevent it.
        core.log.debug('Keep-alive failed', {
          vcenter: core.connection.name,
          error: toAppError(error).message,
        });
      }
    }
  };
  keepAlive().catch((error: unknown) => {
    if (!ended.signal.aborted)
      core.log.warn('Keep-alive ended', { vcenter: core.connection.name, error: String(error) });
  });

  return {
    clockOffset: (signal) => core.withLogin(() => readClockOffset(core, signal), signal),
    hostClocks: (hostRefs, signal) =>
      core.withLogin(() => readHostClocks(core, hostRefs, signal), signal),
    inventory: (signal) => core.withLogin(() => readInventory(core, signal), signal),
    hostSoftware: (hostRefs, signal) =>
      core.withLogin(() => readHostSoftware(core, hostRefs, signal), signal),
    perf: (providers, sinceMs, signal) =>
      core.withLogin(() => perf.read(providers, sinceMs, signal), signal),
    uplinks: (hostRefs, signal) => core.withLogin(() => perf.uplinks(hostRefs, signal), signal),
    vmPorts: (vmRefs, signal) => core.withLogin(() => readVmPorts(core, vmRefs, signal), signal),
    storeMetrics: (signal) => core.withLogin(() => perf.storeMetrics(signal), signal),
    vmMetrics: (signal) => core.withLogin(() => perf.vmMetrics(signal), signal),
    missingPrivileges: (signal, also) =>
      core.withLogin(() => readMissingPrivileges(core, signal, also), signal),
    ...createHostActs(core),
    ...createOperations(core),
    ...createProvisioning(core),
    placements: (vmRefs, signal) => readPlacements(core, vmRefs, signal),
    tasks: (vmRefs, signal) => readTasks(core, vmRefs, signal),
    task: (taskRef, signal) => readTask(core, taskRef, signal),
    events: (sinceMs, signal) => core.withLogin(() => readEvents(core, sinceMs, signal), signal),
    drs: (clusterRef, signal) => readDrs(core, clusterRef, signal),
    setDrs: (clusterRef, setting, signal) => writeDrs(core, clusterRef, setting, signal),
    logout: async () => {
      ended.abort();
      await core.logout();
    },
  };
}
