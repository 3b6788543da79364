import { isIP, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

import { toAppError } from '../../../src/core/base/errors.ts';
import type { Identity, TestReport } from '../../../src/wire/contract/connections.ts';
import type { Core } from './core.ts';
import { readMissingPrivileges } from './privileges.ts';
import { type Endpoint, handshake, openTcp, presented, resolveName, verifyTrust } from './tls.ts';

/** Reads the certificate; sends nothing but the TLS handshake. */
export async function readIdentity(to: Endpoint, signal?: AbortSignal): Promise<Identity> {
  await resolveName(to, signal);
  const socket = await handshake(to, await openTcp(to, signal), signal);
  try {
    const { fingerprint, subject, issuer, validToMs, authorized } = presented(socket);
    const pinned = to.fingerprint256;
    const trust =
      pinned !== undefined
        ? pinned === fingerprint
          ? 'trusted'
          : 'changed'
        : authorized
          ? 'trusted'
          : 'unknown';
    return {
      kind: 'certificate',
      fingerprint,
      subject,
      issuer,
      validToMs,
      trust,
      expected: trust === 'changed' ? (pinned ?? null) : null,
    };
  } finally {
    socket.destroy();
  }
}

type Step = TestReport['steps'][number];

/**
 * Walks name → port → tls → pin → authentication → permission and stops at the first that fails. A
 * cancelled test throws `aborted`.
 */
export async function probe(to: Endpoint, core: Core, signal?: AbortSignal): Promise<TestReport> {
  const steps: Step[] = [];
  let tcp: Socket | null = null;
  let secure: TLSSocket | null = null;
  const walk: [Step['step'], () => Promise<string>, string][] = [
    [
      'name',
      async () =>
        isIP(to.host)
          ? `${to.host} is an address.`
          : `${to.host} is ${(await resolveName(to, signal)).join(', ')}.`,
      'Check the spelling and the DNS of this machine.',
    ],
    [
      'port',
      async () => {
        tcp = await openTcp(to, signal);
        return `Port ${to.port} accepts connections.`;
      },
      'Check that the vCenter runs, the port, and firewalls in between.',
    ],
    [
      'tls',
      async () => {
        secure = await handshake(to, tcp!, signal);
        return `${secure.getProtocol() ?? 'TLS'}, certificate of ${presented(secure).subject}.`;
      },
      'The vCenter API is served by HTTPS, usually on port 443.',
    ],
    [
      'pin',
      async () => {
        verifyTrust(to, secure!);
        return to.fingerprint256
          ? 'The certificate is the trusted one.'
          : 'The certificate is vouched for by an authority of this system.';
      },
      'Compare the fingerprint with the vCenter and trust it.',
    ],
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
  ];
  try {
    for (const [step, work, fix] of walk) {
      try {
        steps.push({ step, ok: true, detail: await work() });
      } catch (error) {
        const failure = toAppError(error);
        if (signal?.aborted) throw failure;
        steps.push({ step, ok: false, detail: failure.message, fix: failure.hint ?? fix });
        return { ok: false, steps };
      }
    }
    return { ok: true, steps };
  } finally {
    (secure as TLSSocket | null)?.destroy();
    (tcp as Socket | null)?.destroy();
    await core.logout();
  }
}
