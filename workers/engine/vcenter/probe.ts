import type { TestReport } from '../../../src/wire/contract/connections.ts';
import { probe } from '../tls/probe.ts';
import type { Endpoint } from '../tls/tls.ts';
import type { Core } from './core.ts';
import { readMissingPrivileges } from './privileges.ts';

/** Walks name → port → tls → pin → authentication → permission and logs out. */
export async function testVCenter(
  to: Endpoint,
  core: Core,
  signal?: AbortSignal,
): Promise<TestReport> {
  try {
    return await probe(
      to,
      [
        [
          'authentication',
          async () => {
            await core.login(signal);
            return `${core.connection.user} is logged in to ${core.content().about.fullName}.`;
          },
          'Check the user (user@domain) and the password.',
        ],
        [
          'permission',
          async () => {
            const missing = await core.withLogin(() => readMissingPrivileges(core, signal), signal);
            if (missing.length > 0) throw new Error(`The user lacks ${missing.join(', ')}.`);
            return 'The user has every privilege the benchmark needs.';
          },
          'Give the user the role described in docs/vcenter-role.md, on the datacenter, with propagation.',
        ],
      ],
      { signal },
    );
  } finally {
    await core.logout();
  }
}
