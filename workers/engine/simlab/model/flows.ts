import type { Compiled } from './compile.ts';
import type { NetworkFlow } from './networkTypes.ts';

/** Traffic of all loads and moves of a model, at its present rates. */
export const flowsOf = (model: Compiled): NetworkFlow[] => [
  ...model.loads
    .filter((load) => load.uplinks.length > 0 && load.opsPerS > 0)
    .map((load): NetworkFlow => {
      const { net } = load.load.demand,
        x = load.opsPerS;
      return {
        id: load.load.id,
        hostId: load.host.host.id,
        vmId: load.load.vmId,
        packetsInPerS: net.packetsInPerOp * x,
        packetsOutPerS: net.packetsOutPerOp * x,
        bytesInPerS: net.bytesInPerOp * x,
        bytesOutPerS: net.bytesOutPerOp * x,
        addressPairs: load.users,
      };
    }),
  ...model.state.memoryCopies.flatMap((copy): NetworkFlow[] => {
    const bytes = copy.mbps * 1e6,
      packets = bytes / 1514;
    return [
      {
        id: `${copy.id}#out`,
        hostId: copy.fromHostId,
        vmId: null,
        packetsInPerS: 0,
        packetsOutPerS: packets,
        bytesInPerS: 0,
        bytesOutPerS: bytes,
      },
      {
        id: `${copy.id}#in`,
        hostId: copy.toHostId,
        vmId: null,
        packetsInPerS: packets,
        packetsOutPerS: 0,
        bytesInPerS: bytes,
        bytesOutPerS: 0,
      },
    ];
  }),
];
