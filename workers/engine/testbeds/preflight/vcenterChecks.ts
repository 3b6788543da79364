import { toAppError } from '../../../../src/core/base/errors.ts';
import type { CheckFinding } from '../../../../src/core/plan/plan.ts';
import { signedMs } from './clientChecks.ts';
import { privilegeUse } from './privilegeUse.ts';
import { type CheckContext, defineCheck } from './types.ts';

/**
 * vCenter's counters are 20 s apart: an offset below this moves none of them into another interval.
 */
const quietOffsetMs = 2_000;

export const vcenterName = ({ inputs, nameOf }: Pick<CheckContext, 'inputs' | 'nameOf'>): string =>
  `vCenter ${nameOf(inputs.testbed.vcenterId ?? '')}`;

export const vcenterAnswers = defineCheck({
  id: 'vcenter.answers',
  title: 'vCenter answers',
  async run(context) {
    if (context.inputs.testbed.vcenterId === null)
      return [
        {
          id: 'vcenter.answers',
          severity: 'info',
          title: 'vCenter',
          subject: 'vCenter',
          evidence: 'The testbed has no vCenter: hosts, datastores and VMs are not watched.',
        },
      ];
    const source = vcenterName(context);
    const about = { id: 'vcenter.answers', title: source, subject: source, source };
    try {
      const inventory = await context.world.inventory();
      return [
        {
          ...about,
          severity: 'ok',
          evidence:
            `${inventory.product} ${inventory.version} build ${inventory.build}: ` +
            `${inventory.hosts.length} hosts, ${inventory.vms.length} VMs`,
        },
      ];
    } catch (error) {
      const { message, hint } = toAppError(error);
      return [
        {
          ...about,
          severity: 'block',
          waivable: false,
          evidence: message,
          fix: hint ?? 'Correct the connection to vCenter.',
        },
      ];
    }
  },
});

export const vcenterPrivileges = defineCheck({
  id: 'vcenter.privileges',
  title: 'Privileges of the vCenter user',
  needs: 'vcenter',
  async run(context, signal) {
    const uses = privilegeUse(
      context.inputs,
      (await context.world.infrastructure()).operations.map((one) => one.kind),
    );
    const missing = await (
      await context.world.session()
    ).missingPrivileges(signal, [...uses.keys()]);
    const source = vcenterName(context);
    const connection = context.find(context.inputs.testbed.vcenterId ?? '');
    const user = connection?.kind === 'vcenter' ? connection.user : 'the user';
    if (missing.length === 0)
      return [
        {
          id: 'vcenter.privileges',
          severity: 'ok',
          title: 'Privileges of the vCenter user',
          subject: source,
          source,
          evidence: `complete for ${user}`,
        },
      ];
    const command = `govc role.create tilebench ${missing.filter((id) => !id.startsWith('System.')).join(' ')}`;
    return missing.map((id): CheckFinding => {
      const use = uses.get(id) ?? [];
      return {
        id: 'vcenter.privileges',
        severity: use.length > 0 ? 'block' : 'warn',
        title: `Privilege ${id}`,
        subject: id,
        source,
        evidence:
          use.length > 0
            ? `${user} lacks it; ${use.join(' and ')} of this plan ${use.length > 1 ? 'need' : 'needs'} it`
            : `${user} lacks it; nothing in this plan needs it`,
        fix: 'Give the user the role described in docs/vcenter-role.md.',
        command,
      };
    });
  },
});

export const vcenterClock = defineCheck({
  id: 'vcenter.clockOffset',
  title: 'Clock of vCenter',
  needs: 'vcenter',
  async run(context, signal) {
    const { offsetMs, errorMs } = await (await context.world.session()).clockOffset(signal);
    const off = Math.abs(offsetMs) > quietOffsetMs;
    const source = vcenterName(context);
    return [
      {
        id: 'vcenter.clockOffset',
        severity: off ? 'warn' : 'ok',
        title: 'Clock of vCenter',
        subject: source,
        source,
        evidence: `${signedMs(offsetMs)} ± ${Math.round(errorMs)} ms against this machine`,
        ...(off
          ? {
              fix: 'Counters are corrected by this offset; put vCenter and this machine in step with NTP.',
            }
          : {}),
      },
    ];
  },
});

export const hostClocks = defineCheck({
  id: 'host.clockOffset',
  title: 'Clocks of the hosts',
  needs: 'vcenter',
  async run(context, signal) {
    const inventory = await context.world.inventory();
    const { hostRefs } = await context.world.underTest();
    const hosts = inventory.hosts.filter(
      (host) => hostRefs.has(host.ref) && host.connectionState === 'connected',
    );
    if (hosts.length === 0) return [];
    const clocks = new Map(
      (
        await (
          await context.world.session()
        ).hostClocks(
          hosts.map((host) => host.ref),
          signal,
        )
      ).map((clock) => [clock.hostRef, clock]),
    );
    const source = `${vcenterName(context)}, HostDateTimeSystem`;
    const off = hosts.flatMap((host): CheckFinding[] => {
      const clock = clocks.get(host.ref);
      if (!clock || Math.abs(clock.offsetMs) <= quietOffsetMs + clock.errorMs) return [];
      return [
        {
          id: 'host.clockOffset',
          severity: 'warn',
          title: `Clock of host ${host.name}`,
          subject: host.name,
          source,
          evidence: `${signedMs(clock.offsetMs)} ± ${Math.round(clock.errorMs)} ms against this machine`,
          fix: 'Put the host in step with NTP: its counters carry its own time.',
          command: 'esxcli system ntp set --enabled=true --server=<ntp server>',
        },
      ];
    });
    const silent = hosts.filter((host) => !clocks.has(host.ref)).map((host) => host.name);
    const worst = [...clocks.values()].reduce(
      (most, { offsetMs }) => (Math.abs(offsetMs) > Math.abs(most) ? offsetMs : most),
      0,
    );
    return [
      ...off,
      ...(silent.length > 0
        ? [
            {
              id: 'host.clockUnknown',
              severity: 'info' as const,
              title: 'Clocks of the hosts',
              subject: 'hosts',
              source,
              evidence: `not told by ${silent.join(', ')}`,
            },
          ]
        : []),
      ...(off.length === 0 && clocks.size > 0
        ? [
            {
              id: 'host.clockOffset',
              severity: 'ok' as const,
              title: 'Clocks of the hosts',
              subject: 'hosts',
              source,
              evidence: `${clocks.size} hosts, the furthest ${signedMs(worst)}`,
            },
          ]
        : []),
    ];
  },
});
