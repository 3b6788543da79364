import { groupBy } from '../../../../src/core/base/groupBy.ts';
import { byNaturalOrder } from '../../../../src/core/base/naturalOrder.ts';
import type { Inventory } from '../../../../src/core/testbed/inventory.ts';
import type { VCenterSession, VmPort } from '../../deps/vcenter.ts';
import type { RunContext } from '../context.ts';

/**
 * How often hosts are asked: a question for each VM, and a host's command line takes some of its
 * processor time.
 */
const periodMs = 60_000;
/** More VMs than these are not asked for: 200 questions a minute are a load of their own. */
const mostVms = 200;
const mostTold = 500;

/** Names that stand in a sentence; the others are counted. */
const mostNamed = 8;
function some(names: readonly string[]): string {
  const all = [...new Set(names)].sort(byNaturalOrder);
  const more = all.length > mostNamed ? ` and ${all.length - mostNamed} more` : '';
  return `${all.slice(0, mostNamed).join(', ')}${more}`;
}

export interface PortWatch {
  /** Asks where the ports are, where a minute has passed, and marks each that moved. */
  read(session: Pick<VCenterSession, 'vmPorts'>, signal: AbortSignal): Promise<void>;
}

/**
 * Follows on which uplink each port of the run's VMs is. Only hosts with several uplinks have
 * anything to move. What nobody tells is said once, and not asked again.
 */
export function createPortWatch(
  { run, deps }: Pick<RunContext, 'run' | 'deps'>,
  inventory: Inventory,
  vmRefs: readonly string[],
  nameOf: { vm: (ref: string) => string; host: (ref: string) => string },
): PortWatch {
  const teamed = new Set(
    inventory.hosts.filter((host) => host.nics.length > 1).map((host) => host.ref),
  );
  const asked = teamed.size === 0 ? [] : vmRefs.slice(0, mostVms);
  const labels = new Map(
    inventory.vms.flatMap(({ ref, nics }) =>
      (nics ?? []).map(({ mac, label }) => [`${ref} ${mac ?? label}`, label] as const),
    ),
  );
  let known: ReadonlyMap<string, VmPort> | null = null;
  let nextMs = -Infinity;
  let told = 0;
  const keyOf = ({ vmRef, adapter }: VmPort): string => `${vmRef} ${adapter}`;

  /** The move of one port, where it is one: to another host it went with its VM. */
  function mark(port: VmPort): void {
    const before = known?.get(keyOf(port));
    if (before?.hostRef !== port.hostRef || before.uplink === port.uplink || told >= mostTold)
      return;
    told += 1;
    const { vmRef, hostRef, adapter, uplink } = port;
    run.event(
      'vm',
      `${nameOf.vm(vmRef)}: ${labels.get(`${vmRef} ${adapter}`) ?? adapter} moves from ` +
        `${before.uplink} to ${uplink} of ${nameOf.host(hostRef)}`,
      { by: 'teaming', entityId: vmRef },
    );
  }

  /** Where the ports were when they were first asked for: no mark, nothing has happened yet. */
  function tellStart(ports: readonly VmPort[]): void {
    const hosts = [...groupBy(ports, (port) => port.hostRef)].map(([hostRef, onHost]) => {
      const uplinks = [...groupBy(onHost, (port) => port.uplink)]
        .sort(([a], [b]) => byNaturalOrder(a, b))
        .map(([uplink, on]) => `${uplink} ${some(on.map((port) => nameOf.vm(port.vmRef)))}`);
      return `${nameOf.host(hostRef)} ${uplinks.join('; ')}`;
    });
    if (hosts.length > 0)
      run.finding({
        id: 'vm.portsAtStart',
        severity: 'info',
        text: `VMs by the uplinks of their ports at the start: ${hosts.join('. ')}.`,
      });
  }

  return {
    async read(session, signal) {
      if (asked.length === 0 || deps.clock.now() < nextMs) return;
      const { ports, notTold } = await session.vmPorts(asked, signal);
      const own = ports.filter((port) => teamed.has(port.hostRef));
      nextMs = own.length === 0 ? Infinity : deps.clock.now() + periodMs;
      if (known === null) {
        if (notTold.length > 0)
          run.finding({
            id: 'vm.ports',
            severity: 'info',
            text:
              `Which uplink the ports of VMs are on is not told by ` +
              `${notTold.map(({ hostRef }) => nameOf.host(hostRef)).join(', ')}: ` +
              `${notTold[0]!.note} Moves of its teaming are not marked there.`,
          });
        tellStart(own);
      } else for (const port of own) mark(port);
      // A host that does not answer for once keeps the places it told.
      known = new Map([...(known ?? []), ...own.map((port) => [keyOf(port), port] as const)]);
    },
  };
}
