import { fail, toAppError } from '../../../src/core/base/errors.ts';
import type { VmEvent } from '../deps/vcenter.ts';
import type { Core } from './core.ts';
import { element, group, refOf, returned } from './soap.ts';
import { child, numberOf, textOf, type XmlNode } from './xml.ts';

/**
 * Event types that are asked for. vCenter and its simulator match a type with its subtypes
 * differently, so that each is named. EventEx ids are those of HA in vSphere 6.5 and later.
 */
const eventTypes: readonly string[] = [
  'VmMigratedEvent',
  'DrsVmMigratedEvent',
  'VmRelocatedEvent',
  'VmFailedMigrateEvent',
  'VmRelocateFailedEvent',
  'VmMaxRestartCountReached',
  'VmPoweredOnEvent',
  'VmPoweredOffEvent',
  'DrsVmPoweredOnEvent',
  'VmResettingEvent',
  'VmGuestRebootEvent',
  'VmGuestShutdownEvent',
  'VmSuspendedEvent',
  'VmRemovedEvent',
  'VmReconfiguredEvent',
  'VmFailoverFailed',
  'VmRestartedOnAlternateHostEvent',
  'VmDasBeingResetEvent',
  'VmDisconnectedEvent',
  'VmOrphanedEvent',
  'com.vmware.vc.ha.VmRestartedByHAEvent',
  'com.vmware.vc.HA.DasHostFailedEvent',
  'HostConnectionLostEvent',
  'HostDisconnectedEvent',
  'HostReconnectionFailedEvent',
  'HostConnectedEvent',
  'EnteringMaintenanceModeEvent',
  'EnteredMaintenanceModeEvent',
  'HostShutdownEvent',
  'DasHostFailedEvent',
  'AlarmStatusChangedEvent',
  'DrsEnabledEvent',
  'DrsDisabledEvent',
  'ClusterReconfiguredEvent',
];

/** A page of the collector, and how many events one question reads at most. */
const pageSize = 500;
const mostEvents = 5_000;

/** One event of a collector's page; null where it carries no time or key. */
export function toVmEvent(node: XmlNode): VmEvent | null {
  const tMs = Date.parse(textOf(child(node, 'createdTime')) ?? '');
  const key = numberOf(child(node, 'key'));
  if (Number.isNaN(tMs) || key === null) return null;
  const vm = child(node, 'vm');
  const type = node.type ?? 'Event';
  // Of a move, `host` is where the VM went; the simulator still names the host it left.
  const host = textOf(child(child(node, 'host'), 'host'));
  const left = textOf(child(child(node, 'sourceHost'), 'host'));
  return {
    key,
    tMs,
    chainId: numberOf(child(node, 'chainId')),
    vmRef: textOf(child(vm, 'vm')),
    vmName: textOf(child(vm, 'name')),
    hostRef: host === left ? null : host,
    // What extensions tell comes as one type; its id says which.
    type:
      type === 'EventEx' || type === 'ExtendedEvent'
        ? (textOf(child(node, 'eventTypeId')) ?? type)
        : type,
    text: (textOf(child(node, 'fullFormattedMessage')) ?? type).slice(0, 500),
    user: textOf(child(node, 'userName')),
  };
}

/**
 * Events since a time of vCenter's clock, by a history collector of its own: a session may hold
 * only 32, so each is destroyed. To be called within `withLogin`.
 */
export async function readEvents(
  core: Core,
  sinceMs: number,
  signal?: AbortSignal,
): Promise<{ events: VmEvent[]; truncated: boolean }> {
  const { eventManager } = core.content();
  if (!eventManager)
    throw fail(
      'conflict',
      `vCenter ${core.connection.name} has no event manager.`,
      'What answers may be a single host; events are read from a vCenter.',
    );
  const filter = group(
    'filter',
    group('time', element('beginTime', new Date(sinceMs).toISOString())),
    ...eventTypes.map((type) => element('eventTypeId', type)),
  );
  const collector = refOf(
    child(
      await core.call('CreateCollectorForEvents', eventManager, filter, {
        signal,
        repeatable: false,
      }),
      'returnval',
    ),
  );
  if (!collector)
    throw fail('internal', `vCenter ${core.connection.name} gave no event collector.`);
  const events = new Map<number, VmEvent>();
  try {
    // Until its first reset a collector gives the oldest first.
    await core.call('RewindCollector', collector, '', { signal });
    for (;;) {
      const page = returned(
        await core.call('ReadNextEvents', collector, element('maxCount', pageSize), {
          signal,
          repeatable: false,
        }),
      );
      for (const node of page) {
        const event = toVmEvent(node);
        if (event) events.set(event.key, event);
      }
      if (page.length === 0 || events.size >= mostEvents) break;
    }
  } finally {
    await core
      .call('DestroyCollector', collector, '', { limitMs: 10_000 })
      .catch((error: unknown) => {
        core.log.debug('An event collector was not destroyed', {
          error: toAppError(error).message,
        });
      });
  }
  return {
    events: [...events.values()].sort((a, b) => a.tMs - b.tMs || a.key - b.key),
    truncated: events.size >= mostEvents,
  };
}
