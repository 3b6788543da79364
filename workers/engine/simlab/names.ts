/**
 * Names in a simulated lab: what connections, testbeds and plans say to reach its parts. The lab's
 * vCenter gives the ids of VMs, hosts and datastores as their references.
 */

/** Address of a lab's vCenter. */
export const vcenterHost = (labId: string): string => `${labId}.sim`;
/** Address of a client machine, of a VM's guest, or of the power meter of a lab. */
export const machineHost = (labId: string, id: string): string => `${id}.${labId}.sim`;
/** The only power meter of a lab, over all its hosts. */
export const meterId = 'meter';
export const clusterRef = 'domain-c1';

/**
 * The lab an address belongs to and what is before it: `db1.e01.sim` → ['e01', 'db1'], `e01.sim` →
 * ['e01', '']. null where no lab has it.
 */
export function splitHost(
  host: string,
  labIds: Iterable<string>,
): { labId: string; name: string } | null {
  let found: { labId: string; name: string } | null = null;
  for (const labId of labIds) {
    const own = vcenterHost(labId);
    const name =
      host === own ? '' : host.endsWith(`.${own}`) ? host.slice(0, -own.length - 1) : null;
    if (name !== null && labId.length > (found?.labId.length ?? -1)) found = { labId, name };
  }
  return found;
}
