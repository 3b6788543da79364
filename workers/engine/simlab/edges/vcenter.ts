import { createHash } from 'node:crypto';

import { fail } from '../../../../src/core/base/errors.ts';
import type { TestReport } from '../../../../src/wire/contract/connections.ts';
import type { Clock } from '../../deps.ts';
import type { VCenterEdge } from '../../deps/vcenter.ts';
import type { HostedLab } from '../lab.ts';
import { createSession } from './vcenterSession.ts';
import { find, type Labs } from './world.ts';

/** The vCenters of all hosted labs. */
export function createSimVCenter(labs: Labs, clock: Clock): VCenterEdge {
  const answering = (host: string): HostedLab => {
    const { lab, name } = find(labs, host);
    if (name !== '')
      throw fail(
        'unreachable',
        `${host} is no vCenter.`,
        `The vCenter of this lab is ${lab.id}.sim.`,
        { step: 'port' },
      );
    if (lab.hit('vcenterAway', lab.id, 'vcenter'))
      throw fail(
        'unreachable',
        `vCenter ${host} does not answer.`,
        'A fault of the simulated lab keeps it away.',
        { step: 'port' },
      );
    return lab;
  };
  const fingerprint = (host: string): string =>
    (createHash('sha256').update(host).digest('hex').toUpperCase().match(/../g) ?? []).join(':');

  return {
    identify: async ({ host }) => {
      answering(host);
      return {
        kind: 'certificate',
        fingerprint: fingerprint(host),
        subject: `CN=${host}`,
        issuer: 'CN=Simulated lab',
        validToMs: null,
        trust: 'trusted',
        expected: null,
      };
    },
    async test({ host }): Promise<TestReport> {
      const lab = answering(host);
      return {
        ok: true,
        steps: [
          { step: 'name', ok: true, detail: `${host} is the vCenter of lab ${lab.spec.name}.` },
          { step: 'port', ok: true, detail: 'It answers.' },
          { step: 'tls', ok: true, detail: 'Simulated certificate.' },
          { step: 'authentication', ok: true, detail: 'Any password is right.' },
          {
            step: 'permission',
            ok: true,
            detail: `${lab.spec.hosts.length} hosts, ${lab.spec.vms.length} VMs.`,
          },
        ],
      };
    },
    connect: async ({ id, host }) => {
      answering(host);
      return createSession(id, () => answering(host), clock);
    },
  };
}
