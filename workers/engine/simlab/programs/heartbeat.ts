import type { Format } from './types.ts';

/**
 * `beat <epoch s> <n>` and, with a target, the round trip in ms or `lost`. `tripMs` gives null where nothing answers.
 */
export function heartbeatFormat(
  tripMs: ((clientMs: number) => number | null) | null,
): Format<null> {
  return {
    header: '',
    fields: 1,
    take: (_report, { clientMs }) => [tripMs === null ? 0 : (tripMs(clientMs) ?? -1)],
    begin: () => null,
    print(_state, values, { index, clientMs }) {
      const trip = values[0]!;
      return (
        `beat ${Math.floor(clientMs / 1_000)} ` +
        `${index + 1}${tripMs === null ? '' : trip < 0 ? ' lost' : ` ${trip.toFixed(3)}`}\n`
      );
    },
    trailer: () => '',
  };
}
