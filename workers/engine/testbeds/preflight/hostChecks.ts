import type { CheckFinding } from '../../../../src/core/plan/plan.ts';
import type { HostInfo, Inventory } from '../../../../src/core/testbed/inventory.ts';
import { type CheckContext, defineCheck } from './types.ts';
import { vcenterName } from './vcenterChecks.ts';

async function hostsOf(
  context: CheckContext,
): Promise<{ inventory: Inventory; hosts: HostInfo[]; source: string }> {
  const inventory = await context.world.inventory();
  const { hostRefs } = await context.world.underTest();
  return {
    inventory,
    hosts: inventory.hosts.filter((host) => hostRefs.has(host.ref)),
    source: vcenterName(context),
  };
}

export const hostsReady = defineCheck({
  id: 'host.ready',
  title: 'Hosts under test are connected',
  needs: 'vcenter',
  async run(context) {
    const { inventory, hosts, source } = await hostsOf(context);
    const known = new Set(inventory.hosts.map((host) => host.ref));
    const lost = (context.inputs.testbed.layout?.hosts ?? []).filter(
      (host) => !known.has(host.ref),
    );
    const away = hosts.flatMap((host): CheckFinding[] => {
      const about = { title: `Host ${host.name}`, subject: host.name, source };
      if (host.connectionState !== 'connected')
        return [
          {
            ...about,
            id: 'host.disconnected',
            severity: 'block',
            evidence: host.connectionState,
            fix: 'Reconnect the host in vCenter, or take it out of the testbed.',
            command: `govc host.reconnect -host '${host.name}'`,
          },
        ];
      if (host.maintenance)
        return [
          {
            ...about,
            id: 'host.maintenance',
            severity: 'block',
            evidence: 'in maintenance mode',
            fix: 'Take it out of maintenance mode, or out of the testbed.',
            command: `govc host.maintenance.exit '${host.name}'`,
          },
        ];
      return [];
    });
    return [
      ...lost.map((host): CheckFinding => ({
        id: 'host.missing',
        severity: 'block',
        title: `Host ${host.name}`,
        subject: host.name,
        source,
        evidence: `the layout names it; vCenter knows no host ${host.ref}`,
        fix: 'Correct the layout of the testbed.',
      })),
      ...away,
      ...(away.length === 0 && hosts.length > 0
        ? [
            {
              id: 'host.ready',
              severity: 'ok' as const,
              title: 'Hosts under test',
              subject: 'hosts',
              source,
              evidence: `${hosts.length} connected: ${hosts
                .slice(0, 8)
                .map((host) => host.name)
                .join(', ')}${hosts.length > 8 ? ' …' : ''}`,
            },
          ]
        : []),
    ];
  },
});

/**
 * vSphere names its policies `low`/"Low Power", `dynamic`/"Balanced", `static`/"High Performance",
 * `custom`; "Not supported" where the BIOS decides.
 */
const low = /\blow\b/i;
const balanced = /dynamic|balanced/i;

const traits: readonly {
  id: string;
  word: string;
  of: (host: HostInfo) => string | null;
  fix: string;
}[] = [
  {
    id: 'host.modelDiffers',
    word: 'Models',
    of: (host) => [host.vendor, host.model, host.cpuModel].filter(Boolean).join(' ') || null,
    fix: 'Tiles on different hardware are not alike: use hosts of one model, or note the difference.',
  },
  {
    id: 'host.buildDiffers',
    word: 'ESX builds',
    of: (host) => (host.build === null ? null : `${host.version ?? '?'} build ${host.build}`),
    fix: 'Bring the hosts to one build: scheduler and drivers change between builds.',
  },
  {
    id: 'host.biosDiffers',
    word: 'BIOS versions',
    of: (host) => host.bios,
    fix: 'Bring the hosts to one BIOS version and the same settings.',
  },
  {
    id: 'host.powerPolicyDiffers',
    word: 'Power policies',
    /* A low one is told by host.powerPolicyLow. */ of: (host) =>
      host.powerPolicy !== null && low.test(host.powerPolicy) ? null : host.powerPolicy,
    fix: 'Set the same power policy on every host.',
  },
];

/** Hosts by trait, commonest first: `esx1, esx2: build 100`. */
export function differingTraits(
  hosts: readonly HostInfo[],
): { id: string; word: string; evidence: string; fix: string }[] {
  return traits.flatMap(({ id, word, of, fix }) => {
    const groups = new Map<string, string[]>();
    for (const host of hosts) {
      const value = of(host);
      if (value !== null) groups.set(value, [...(groups.get(value) ?? []), host.name]);
    }
    if (groups.size < 2) return [];
    const sorted = [...groups].sort((a, b) => b[1].length - a[1].length);
    return [
      {
        id,
        word,
        fix,
        evidence: sorted
          .map(
            ([value, names]) =>
              `${value} on ${names.slice(0, 6).join(', ')}${names.length > 6 ? ` and ${names.length - 6} more` : ''}`,
          )
          .join('; '),
      },
    ];
  });
}

export const hostsAlike = defineCheck({
  id: 'host.homogeneous',
  title: 'Hosts under test are alike',
  needs: 'vcenter',
  async run(context) {
    const { hosts, source } = await hostsOf(context);
    if (hosts.length < 2) return [];
    const differing = differingTraits(hosts);
    if (differing.length === 0)
      return [
        {
          id: 'host.homogeneous',
          severity: 'ok',
          title: 'Hosts are alike',
          subject: 'hosts',
          source,
          evidence: `${hosts.length} hosts of one model, build, BIOS and power policy`,
        },
      ];
    return differing.map(({ id, word, evidence, fix }): CheckFinding => ({
      id,
      severity: 'warn',
      title: `${word} of the hosts differ`,
      subject: 'hosts',
      source,
      evidence,
      fix,
    }));
  },
});

export const powerPolicy = defineCheck({
  id: 'host.powerPolicy',
  title: 'Power policy of the hosts',
  needs: 'vcenter',
  async run(context) {
    const { hosts, source } = await hostsOf(context);
    const lazy = hosts.filter((host) => host.powerPolicy !== null && low.test(host.powerPolicy));
    const moderate = hosts.filter(
      (host) => host.powerPolicy !== null && balanced.test(host.powerPolicy),
    );
    const unknown = hosts.filter((host) => host.powerPolicy === null);
    const command =
      'esxcli system settings advanced set --option=/Power/CpuPolicy --string-value="High Performance"';
    return [
      ...lazy.map((host): CheckFinding => ({
        id: 'host.powerPolicyLow',
        severity: 'warn',
        title: `Power policy of ${host.name}`,
        subject: host.name,
        source,
        evidence: host.powerPolicy ?? '',
        fix: 'Set High Performance (or Balanced, where power is measured): Low Power caps the CPU clock.',
        command,
      })),
      ...(moderate.length > 0
        ? [
            {
              id: 'host.powerPolicyBalanced',
              severity: 'info' as const,
              title: 'Power policy',
              subject: 'hosts',
              source,
              evidence: `Balanced on ${moderate.length} of ${hosts.length} hosts: clocks fall with the load`,
              command,
            },
          ]
        : []),
      ...(unknown.length > 0
        ? [
            {
              id: 'host.powerPolicyUnknown',
              severity: 'info' as const,
              title: 'Power policy',
              subject: 'hosts',
              source,
              evidence: `not told by ${unknown.length} of ${hosts.length} hosts`,
            },
          ]
        : []),
      ...(lazy.length + moderate.length + unknown.length === 0 && hosts.length > 0
        ? [
            {
              id: 'host.powerPolicy',
              severity: 'ok' as const,
              title: 'Power policy',
              subject: 'hosts',
              source,
              evidence: [...new Set(hosts.map((host) => host.powerPolicy))].join(', '),
            },
          ]
        : []),
    ];
  },
});
