import type { LabHost, LabSpec, LabVm } from '../../../../src/core/lab/lab.ts';

/** One adapter's port on the virtual switch of its host. */
export interface NetworkPort {
  /** `<vm>#<adapter>`; of a host's own traffic (vMotion) `<host>#kernel`. */
  key: string;
  hostId: string;
  vmId: string | null;
  portId: number;
  /** Part of its VM's traffic. */
  share: number;
  /** Uplink the port belongs to; carries it while that uplink is up. */
  homeUplinkId: string;
  /** The port group or a pass-through device allows no other. */
  pinned: boolean;
  /** Sole use of `homeUplinkId`. */
  passthrough: boolean;
}
/** Sums since the last evaluation of one host's team, in utilisation × ms, by uplink. */
export interface TeamWindow {
  evaluatedMs: number;
  spanMs: number;
  out: Readonly<Record<string, number>>;
  in: Readonly<Record<string, number>>;
}
/** All that the network remembers between steps. Never changed in place. */
export interface NetworkState {
  readonly ports: ReadonlyMap<string, NetworkPort>;
  /** `<host>/<uplink>` of uplinks that are down. */
  readonly down: ReadonlySet<string>;
  readonly windows: ReadonlyMap<string, TeamWindow>;
}
/** A VM that is on, and where it runs now. */
export interface ConnectedVm {
  vm: Pick<LabVm, 'id' | 'device' | 'vnics'>;
  hostId: string;
}

export const uplinkKey = (hostId: string, uplinkId: string): string => `${hostId}/${uplinkId}`;
export const kernelPortKey = (hostId: string): string => `${hostId}#kernel`;

/** The network of a lab as it starts: every VM that is on has its ports, every uplink is up. */
export function createNetworkState(spec: LabSpec, startMs = 0): NetworkState {
  const windows = new Map(
    spec.hosts.map((host): [string, TeamWindow] => [host.id, emptyWindow(startMs)]),
  );
  const vms = spec.vms
    .filter((vm) => vm.poweredOn && !vm.template)
    .map((vm): ConnectedVm => ({ vm, hostId: vm.hostId }));
  return connectPorts(spec.hosts, { ports: new Map(), down: new Set(), windows }, vms);
}
export const emptyWindow = (evaluatedMs: number): TeamWindow => ({
  evaluatedMs,
  spanMs: 0,
  out: {},
  in: {},
});

/**
 * The same network with exactly the ports of `vms`, where they run now. A VM that came or moved
 * gets new ports, the others keep theirs. Port ids are the lowest free of the host; the home uplink
 * is port id modulo the uplinks: VMware's "route based on originating virtual port".
 */
export function connectPorts(
  hosts: readonly LabHost[],
  state: NetworkState,
  vms: readonly ConnectedVm[],
): NetworkState {
  const ports = new Map<string, NetworkPort>();
  for (const host of hosts) {
    const present = vms.filter((one) => one.hostId === host.id);
    const kept = new Map(
      [...state.ports].filter(
        ([, port]) =>
          port.hostId === host.id &&
          (port.vmId === null || present.some((one) => one.vm.id === port.vmId)),
      ),
    );
    const taken = new Set([...kept.values()].map((port) => port.portId));
    for (const { vm } of present)
      (vm.vnics ?? []).forEach((nic) => {
        if (nic.portId !== undefined) taken.add(nic.portId);
      });
    let next = 0;
    const free = (): number => {
      while (taken.has(next)) next += 1;
      taken.add(next);
      return next;
    };
    // Pass-through devices first: what they own is not there for the others.
    for (const one of [...present].sort(
      (a, b) => Number(b.vm.device === 'passthrough') - Number(a.vm.device === 'passthrough'),
    )) {
      for (const port of portsOf(host, one.vm, free, ports))
        ports.set(port.key, kept.get(port.key) ?? port);
    }
    const kernel = kernelPortKey(host.id);
    ports.set(
      kernel,
      kept.get(kernel) ?? {
        key: kernel,
        hostId: host.id,
        vmId: null,
        portId: 0,
        share: 1,
        homeUplinkId: sharedUplinks(host, ports)[0]!,
        pinned: false,
        passthrough: false,
      },
    );
  }
  return { ...state, ports };
}

function portsOf(
  host: LabHost,
  vm: ConnectedVm['vm'],
  free: () => number,
  ports: ReadonlyMap<string, NetworkPort>,
): NetworkPort[] {
  const nics = vm.vnics !== undefined && vm.vnics.length > 0 ? vm.vnics : [{ share: 1 }];
  const shares = nics.reduce((sum, nic) => sum + nic.share, 0);
  return nics.map((nic: NonNullable<LabVm['vnics']>[number], index): NetworkPort => {
    const portId = nic.portId ?? free();
    const passthrough = vm.device === 'passthrough';
    const fixed =
      nic.uplinkId !== undefined && host.uplinks.some((uplink) => uplink.id === nic.uplinkId)
        ? nic.uplinkId
        : undefined;
    const uplinks = sharedUplinks(host, ports);
    // A device is handed over from the end, so that the first uplink stays with the host.
    const homeUplinkId =
      fixed ?? (passthrough ? uplinks.at(-1)! : uplinks[portId % uplinks.length]!);
    return {
      key: `${vm.id}#${index}`,
      hostId: host.id,
      vmId: vm.id,
      portId,
      share: shares > 0 ? nic.share / shares : 0,
      homeUplinkId,
      pinned: passthrough || fixed !== undefined,
      passthrough,
    };
  });
}

/** Uplinks of a host that no pass-through device owns; all of them where nothing else is left. */
export function sharedUplinks(host: LabHost, ports: ReadonlyMap<string, NetworkPort>): string[] {
  const owned = new Set(
    [...ports.values()].flatMap((port) =>
      port.passthrough && port.hostId === host.id ? [port.homeUplinkId] : [],
    ),
  );
  const left = host.uplinks.map((uplink) => uplink.id).filter((id) => !owned.has(id));
  return left.length > 0 ? left : host.uplinks.map((uplink) => uplink.id);
}

/**
 * The same network with these uplinks (`<host>/<uplink>`) down. Ports fail over while theirs is
 * down, and come back with it.
 */
export function withUplinksDown(state: NetworkState, down: Iterable<string>): NetworkState {
  return { ...state, down: new Set(down) };
}

/**
 * What carries one port: uplink ids with their parts, which add up to 1, or to 0 where no uplink is
 * left.
 * `ipHash` spreads a port's address pairs over the team by a hash of source and destination; the
 * other policies know one uplink a port.
 */
export function uplinksOfPort(
  host: LabHost,
  state: NetworkState,
  port: NetworkPort,
  addressPairs: number,
): Record<string, number> {
  const up = (id: string): boolean => !state.down.has(uplinkKey(host.id, id));
  if (port.pinned) return up(port.homeUplinkId) ? { [port.homeUplinkId]: 1 } : {};
  const team = sharedUplinks(host, state.ports).filter(up);
  if (team.length === 0) return {};
  if (host.teaming === 'ipHash') {
    const pairs = pairsOf(addressPairs);
    const parts: Record<string, number> = {};
    for (let pair = 0; pair < pairs; pair += 1) {
      const id = team[hash(`${port.key}:${pair}`) % team.length]!;
      parts[id] = (parts[id] ?? 0) + 1 / pairs;
    }
    return parts;
  }
  return {
    [team.includes(port.homeUplinkId) ? port.homeUplinkId : team[port.portId % team.length]!]: 1,
  };
}
/**
 * The uplink of each port of a VM, with the place of its adapter; a port that an address hash
 * spreads, or whose team is down, has none.
 */
export const portPlaces = (
  hosts: readonly LabHost[],
  state: NetworkState,
): { vmId: string; adapter: number; hostId: string; uplinkId: string }[] =>
  hosts.flatMap((host) =>
    [...state.ports.values()].flatMap((port) => {
      if (port.vmId === null || port.hostId !== host.id) return [];
      if (host.teaming === 'ipHash' && !port.pinned) return [];
      const [uplinkId] = Object.keys(uplinksOfPort(host, state, port, 1));
      const adapter = Number(port.key.slice(port.key.lastIndexOf('#') + 1));
      return uplinkId === undefined
        ? []
        : [{ vmId: port.vmId, adapter, hostId: host.id, uplinkId }];
    }),
  );

/** Beyond this many address pairs their spread is as even as it gets. */
const maxPairs = 256;
export const pairsOf = (addressPairs: number): number =>
  Math.min(Math.max(1, Math.round(addressPairs)), maxPairs);

/** FNV-1a over UTF-16 units, finished with the mixer of MurmurHash3, whose low bits are even. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
