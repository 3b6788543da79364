import { byNaturalOrder } from '../../../../src/core/base/naturalOrder.ts';
import type { CheckFinding } from '../../../../src/core/plan/plan.ts';
import type { Inventory } from '../../../../src/core/testbed/inventory.ts';
import type { WorkloadUnit } from '../../runs/series.ts';
import { label } from '../../runs/workload.ts';
import { getDriver } from '../../workloads/index.ts';
import { quote } from '../../workloads/shell.ts';
import { overSsh } from './clientChecks.ts';
import { placeOf } from './places.ts';
import { type CheckContext, defineCheck } from './types.ts';
import type { ReachedClient } from './world.ts';

const loopback = /^(127\.|::1$|localhost$)/;
const address = /^(\d{1,3}(\.\d{1,3}){3}|[0-9a-f]*:[0-9a-f:.]+)$/i;
const short = (name: string): string => name.toLowerCase().split('.')[0] ?? '';

/**
 * Two client connections that lead to one machine: same host name and same boot of the same kernel.
 */
export function sameMachines(
  clients: readonly { name: string; hostname: string | null; bootId: string | null }[],
): string[][] {
  const machines = new Map<string, string[]>();
  for (const { name, hostname, bootId } of clients) {
    if (hostname === null || bootId === null) continue;
    const key = `${hostname} ${bootId}`;
    machines.set(key, [...(machines.get(key) ?? []), name]);
  }
  return [...machines.values()]
    .filter((names) => names.length > 1)
    .map((names) => names.sort(byNaturalOrder));
}

export const clientIdentity = defineCheck({
  id: 'client.identity',
  title: 'Client addresses lead to the right machines',
  async run({ world, nameOf, find }) {
    const clients = (await world.reached()).map(({ id, facts }) => {
      const connection = find(id);
      return {
        name: nameOf(id),
        ...facts,
        host: connection?.kind === 'client' ? connection.host : '',
      };
    });
    const shared = sameMachines(clients).map((names): CheckFinding => ({
      id: 'client.sameMachine',
      severity: 'warn',
      title: `${names.join(' and ')} are one machine`,
      subject: names.join(', '),
      source: 'clients over SSH: host name and boot id',
      evidence:
        'all of them say they are ' +
        `${clients.find((one) => one.name === names[0])?.hostname ?? '?'}, with the same boot ` +
        'id',
      fix: 'Correct the address of one of them: a load spread over these clients comes from one machine.',
    }));
    const known = new Map(
      clients.filter((one) => one.hostname !== null).map((one) => [one.name, short(one.host)]),
    );
    const strays = clients.flatMap(({ name, host, hostname }): CheckFinding[] => {
      if (
        hostname === null ||
        host === '' ||
        loopback.test(host) ||
        address.test(host) ||
        short(host) === short(hostname)
      )
        return [];
      const other = [...known].find(
        ([otherName, otherHost]) => otherName !== name && otherHost === short(hostname),
      );
      return [
        {
          id: 'client.wrongMachine',
          severity: other ? 'warn' : 'info',
          title: `${host} calls itself ${hostname}`,
          subject: name,
          source: overSsh(name),
          evidence: other
            ? `that is the address of client ${other[0]}`
            : 'an alias, or a name that resolves to another machine',
          fix: `Correct the name ${host} where it is resolved, or the address of the connection.`,
          command: `getent hosts ${quote(host)}`,
        },
      ];
    });
    return [
      ...shared,
      ...strays,
      ...(shared.length === 0 && clients.length > 0
        ? [
            {
              id: 'client.identity',
              severity: 'ok' as const,
              title: 'Client machines',
              subject: 'clients',
              source: 'clients over SSH: host name and boot id',
              evidence: `${clients.length} connections lead to ${clients.length} machines`,
            },
          ]
        : []),
    ];
  },
});

/**
 * What the address of a workload means on its client, held against what the guests of the vCenter
 * say they are.
 */
export function judgeAddress(options: {
  wanted: string;
  resolved: readonly string[];
  vmRef: string | null;
  vms: Inventory['vms'];
}): { severity: CheckFinding['severity']; evidence: string } | null {
  const { wanted, resolved, vmRef, vms } = options;
  if (resolved.length === 0)
    return { severity: 'block', evidence: `${wanted} does not resolve on the client` };
  if (resolved.every((ip) => loopback.test(ip))) return null;
  const owner = vms.find((vm) => vm.ip !== null && resolved.includes(vm.ip));
  const own = vms.find((vm) => vm.ref === vmRef);
  const means = wanted === resolved[0] ? wanted : `${wanted} is ${resolved.join(', ')}`;
  if (owner && vmRef !== null && owner.ref !== vmRef)
    return {
      severity: 'block',
      evidence:
        `${means}: the address of VM ${owner.name}, not of ` +
        `${own?.name ?? vmRef}${own?.ip ? ` (${own.ip})` : ''}`,
    };
  if (owner) return { severity: 'ok', evidence: `${means}, the address of VM ${owner.name}` };
  if (own?.ip)
    return {
      severity: 'info',
      evidence: `${means}; VM ${own.name} reports ${own.ip}, and may have more addresses`,
    };
  return {
    severity: 'info',
    evidence: `${means}; which VM has it is not known, because its guest reports no address`,
  };
}

async function resolveOn(
  { host }: ReachedClient,
  name: string,
  signal: AbortSignal,
): Promise<string[] | null> {
  if (address.test(name)) return [name];
  const { code, stdout } = await host.exec(
    `command -v getent >/dev/null || exit 127; getent hosts ${quote(name)}`,
    { signal, timeoutMs: 10_000 },
  );
  return code === 127 ? null : stdout.split('\n').flatMap((line) => line.split(/\s+/)[0] || []);
}

/** The parameter that an address stands in; undefined where none holds it as it is. */
const addressParameter = ({ params }: WorkloadUnit, wanted: string): string | undefined =>
  Object.keys(params).find((name) => params[name] === wanted);

/** Addresses that a workload's driver is told, with the VM that is assigned. */
function targets(
  units: readonly WorkloadUnit[],
  clientId: string,
): { unit: WorkloadUnit; name: string }[] {
  return units.flatMap((unit) => {
    const name =
      unit.assignment.clientId === clientId
        ? (getDriver(unit.workload.driver).target?.(unit.params) ?? '')
        : '';
    return name === '' || loopback.test(name) ? [] : [{ unit, name }];
  });
}

/** The inventory, or null without a vCenter and while it does not answer: another check says so. */
export async function inventoryOf({ world, inputs }: CheckContext): Promise<Inventory | null> {
  return inputs.testbed.vcenterId === null ? null : world.inventory().catch(() => null);
}

export const workloadNames = defineCheck({
  id: 'vm.address',
  title: 'Addresses of the workloads lead to their VMs',
  async run(context, signal) {
    const inventory = await inventoryOf(context);
    return (
      await context.world.eachClient(async (client) => {
        const name = context.nameOf(client.id);
        return Promise.all(
          targets(context.units, client.id).map(
            async ({ unit, name: wanted }): Promise<CheckFinding[]> => {
              const resolved = await resolveOn(client, wanted, signal);
              const about = {
                id: 'vm.address',
                title: `Tile ${unit.tile + 1} ${unit.workload.name}: address ${wanted}`,
                subject: label(unit),
                source: `getent hosts on ${name}, guest addresses from vCenter`,
              };
              if (resolved === null)
                return [
                  {
                    ...about,
                    severity: 'info',
                    evidence: `${name} has no getent to resolve it with`,
                  },
                ];
              const judged = judgeAddress({
                wanted,
                resolved,
                vmRef: unit.assignment.vm?.ref ?? null,
                vms: inventory?.vms ?? [],
              });
              if (!judged) return [];
              const bad = judged.severity === 'block' || judged.severity === 'warn';
              return [
                {
                  ...about,
                  ...judged,
                  ...(bad
                    ? {
                        fix: 'Correct the name on the client (DNS, /etc/hosts) or the address in the testbed.',
                        command: `getent hosts ${quote(wanted)}`,
                        ...placeOf(context, unit, addressParameter(unit, wanted)),
                      }
                    : {}),
                },
              ];
            },
          ),
        );
      })
    ).flat(2);
  },
});
