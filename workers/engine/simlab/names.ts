/** Names and references in a simulated lab: what connections, testbeds and plans say to reach its parts. */

/** Address of a lab's vCenter. */
export const vcenterHost = (labId: string): string => `${labId}.sim`;
/** Address of a client machine, of a VM's guest, or of a power meter of a lab. */
export const machineHost = (labId: string, id: string): string => `${id}.${labId}.sim`;

/** References as the lab's vCenter gives them. */
export const vmRef = (id: string): string => `vm-${id}`;
export const hostRef = (id: string): string => `host-${id}`;
export const datastoreRef = (id: string): string => `datastore-${id}`;
export const clusterRef = 'domain-c1';

/** The part of a reference after its prefix; null where it has another prefix. */
export const idOfRef = (prefix: 'vm' | 'host' | 'datastore', ref: string): string | null => (ref.startsWith(`${prefix}-`) ? ref.slice(prefix.length + 1) : null);

/** The lab an address belongs to and what is before it: `db1.e01.sim` → ['e01', 'db1'], `e01.sim` → ['e01', '']. null where no lab has it. */
export function splitHost(host: string, labIds: Iterable<string>): { labId: string; name: string } | null {
  let found: { labId: string; name: string } | null = null;
  for (const labId of labIds) {
    const own = vcenterHost(labId);
    const name = host === own ? '' : host.endsWith(`.${own}`) ? host.slice(0, -own.length - 1) : null;
    if (name !== null && labId.length > (found?.labId.length ?? -1)) found = { labId, name };
  }
  return found;
}
