import { fail } from '../../../src/core/base/errors.ts';
import { createGate } from '../ssh/gate.ts';
import type { Core } from './core.ts';
import { readObjects } from './properties.ts';
import { faultName, type MoRef, refOf, returned } from './soap.ts';
import { textOf } from './xml.ts';

/** vCenter forwards each question to its host: this many under way at once. */
const hostsAtOnce = 8;

export interface HostClock {
  hostRef: string;
  offsetMs: number;
  errorMs: number;
}

/**
 * The clock of each host minus ours, asked of its HostDateTimeSystem; wrong by at most half the
 * round trip. A host that refuses or has no clock to ask is left out.
 */
export async function readHostClocks(
  core: Core,
  hostRefs: readonly string[],
  signal?: AbortSignal,
): Promise<HostClock[]> {
  const hosts = await readObjects(
    core,
    hostRefs.map((id) => ({ type: 'HostSystem', id })),
    { HostSystem: ['configManager.dateTimeSystem'] },
    signal,
  );
  const gate = createGate(hostsAtOnce);
  const clocks = await Promise.all(
    hosts.map(({ ref, props }) => {
      const system = refOf(props.get('configManager.dateTimeSystem'));
      return system
        ? gate.run(() => readClock(core, ref.id, system, signal), signal)
        : Promise.resolve(null);
    }),
  );
  return clocks.flatMap((clock) => clock ?? []);
}

async function readClock(
  core: Core,
  hostRef: string,
  system: MoRef,
  signal?: AbortSignal,
): Promise<HostClock | null> {
  try {
    const sentMs = core.clock.now();
    const response = await core.call('QueryDateTime', system, '', { signal, limitMs: 10_000 });
    const receivedMs = core.clock.now();
    const hostMs = Date.parse(textOf(returned(response)[0]) ?? '');
    if (Number.isNaN(hostMs))
      throw fail(
        'internal',
        `Host ${hostRef} of vCenter ${core.connection.name} gave no readable time.`,
      );
    return {
      hostRef,
      offsetMs: hostMs - (sentMs + receivedMs) / 2,
      errorMs: Math.max((receivedMs - sentMs) / 2, 0.5),
    };
  } catch (error) {
    // A fault of this host only (away, no permission): the others still tell.
    const fault = faultName(error);
    if (fault === null || fault === 'NotAuthenticated') throw error;
    core.log.debug('A host does not tell its time', {
      vcenter: core.connection.name,
      host: hostRef,
      fault,
    });
    return null;
  }
}
