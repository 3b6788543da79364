import type { PlanFile } from '../plan/plan.ts';
import { isMetered, meterHost } from '../testbed/powerSources.ts';

/** `localhost`, `::1` and what begins with 127: what no other machine can stand behind. */
const isLoopback = (host: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host.trim());

/** Parameters of a workload that name a machine. */
const namesMachine = /host|address|url|server/i;

/**
 * What of a plan file another machine could stand behind, in words; null where all it names is on
 * this one.
 */
export function leavesMachine({ connections, testbed }: PlanFile): string | null {
  for (const connection of connections) {
    const hosts =
      connection.kind !== 'power'
        ? [connection.host]
        : isMetered(connection.source)
          ? [meterHost(connection.source)]
          : [];
    const away = hosts.find((host) => !isLoopback(host));
    if (away !== undefined) return `the connection ${connection.name} is at ${away}`;
  }
  for (const { workloads } of testbed.tiles)
    for (const { workloadId, params } of workloads)
      for (const [name, value] of Object.entries(params))
        if (namesMachine.test(name) && typeof value === 'string' && !isLoopback(value))
          return `the parameter ${name} of ${workloadId} is ${value}`;
  return null;
}
