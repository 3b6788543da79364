import { isIP, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

import { toAppError } from '../../../src/core/base/errors.ts';
import type { Identity, TestReport } from '../../../src/wire/contract/connections.ts';
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
/** A step of a test: what it is, what it does and says, and what to do where that gives no hint. */
export type ProbeStep = [Step['step'], () => Promise<string>, string];

/**
 * Walks name → port → tls → pin, or name → port where the peer speaks no TLS, then the peer's own
 * steps, and stops at the first that fails. A cancelled test throws `aborted`.
 */
export async function probe(
  to: Endpoint,
  own: readonly ProbeStep[],
  { signal, isPlain = false }: { signal?: AbortSignal | undefined; isPlain?: boolean } = {},
): Promise<TestReport> {
  let tcp: Socket | null = null;
  let secure: TLSSocket | null = null;
  const reach: ProbeStep[] = [
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
      `Check that the ${to.what} runs, the port, and firewalls in between.`,
    ],
  ];
  const guarded: ProbeStep[] = [
    [
      'tls',
      async () => {
        secure = await handshake(to, tcp!, signal);
        return `${secure.getProtocol() ?? 'TLS'}, certificate of ${presented(secure).subject}.`;
      },
      `The ${to.what} API is served by HTTPS, usually on port 443.`,
    ],
    [
      'pin',
      async () => {
        verifyTrust(to, secure!);
        return to.fingerprint256
          ? 'The certificate is the trusted one.'
          : 'The certificate is vouched for by an authority of this system.';
      },
      `Compare the fingerprint with the ${to.what} and trust it.`,
    ],
  ];
  const letGo = (): void => {
    secure?.destroy();
    tcp?.destroy();
  };
  // A peer that serves one connection at a time would wait for more on this one.
  const [first, ...others] = own;
  const ownSteps: ProbeStep[] = first
    ? [
        [
          first[0],
          () => {
            letGo();
            return first[1]();
          },
          first[2],
        ],
        ...others,
      ]
    : [];
  try {
    return await walk([...reach, ...(isPlain ? [] : guarded), ...ownSteps], signal);
  } finally {
    letGo();
  }
}

/** Makes step after step, and stops at the first that fails. A cancelled test throws `aborted`. */
export async function walk(
  way: readonly ProbeStep[],
  signal: AbortSignal | undefined,
): Promise<TestReport> {
  const steps: Step[] = [];
  for (const [step, work, fix] of way) {
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
}
