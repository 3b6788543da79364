import { lookup } from 'node:dns/promises';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';

import type { Client } from 'ssh2';

import type { AppError } from '../../../src/core/base/errors.ts';
import { fail } from '../../../src/core/base/errors.ts';
import { sayCode } from '../../../src/core/base/systemWords.ts';
import type { SshHop } from '../deps/ssh.ts';
import { abortable, within } from './deadline.ts';
import type { SshEnv } from './types.ts';

/** How far an attempt got; `connection.test` shows these. */
export type Observe = (
  step: 'name' | 'port' | 'tls' | 'pin' | 'authentication',
  hop: SshHop,
  detail: string,
) => void;

const where = (hop: SshHop): string => `${hop.host}:${hop.port}`;
const unreachable = (step: string, hop: SshHop, message: string, hint: string): AppError =>
  fail('unreachable', message, hint, { step, host: hop.host, port: hop.port });

/** A TCP connection from here. Throws unreachable with the step (name, port) that failed. */
export async function dialDirect(
  env: SshEnv,
  hop: SshHop,
  observe: Observe,
  signal?: AbortSignal,
): Promise<Socket> {
  const addresses = await abortable(lookup(hop.host, { all: true }), signal, 'Connecting').catch(
    (thrown: unknown) => {
      if (signal?.aborted) throw thrown;
      throw unreachable(
        'name',
        hop,
        `The name ${hop.host} cannot be resolved (${codeOf(thrown)}).`,
        'Correct the name, or check the DNS server of this computer.',
      );
    },
  );
  observe('name', hop, `${hop.host} is ${addresses.map((a) => a.address).join(', ')}`);
  const late = (): AppError =>
    unreachable(
      'port',
      hop,
      `${where(hop)} did not answer within ${env.limits.connectTimeoutMs / 1000} s.`,
      'Check that the machine is on and that no firewall drops the port.',
    );
  const socket = await within(
    env.clock,
    env.limits.connectTimeoutMs,
    signal,
    'Connecting',
    late,
    (ends) =>
      new Promise<Socket>((resolve, reject) => {
        const attempt = connect({
          host: hop.host,
          port: hop.port,
          noDelay: true,
          autoSelectFamily: true,
        });
        const giveUp = (): void => {
          attempt.destroy();
        };
        ends.addEventListener('abort', giveUp, { once: true });
        attempt.once('error', (error) => {
          ends.removeEventListener('abort', giveUp);
          reject(socketError(hop, error));
        });
        attempt.once('connect', () => {
          ends.removeEventListener('abort', giveUp);
          attempt.removeAllListeners('error');
          resolve(attempt);
        });
      }),
  );
  observe('port', hop, `${where(hop)} accepts connections`);
  return socket;
}

/** A connection to the next hop through an authenticated one. */
export async function dialThrough(
  env: SshEnv,
  via: Client,
  viaHop: SshHop,
  hop: SshHop,
  observe: Observe,
  signal?: AbortSignal,
): Promise<Duplex> {
  const late = (): AppError =>
    unreachable(
      'port',
      hop,
      `${where(hop)} did not answer within ${env.limits.connectTimeoutMs / 1000} s, seen ` +
        `from the jump host ${viaHop.host}.`,
      'Check that the jump host reaches the machine.',
    );
  const stream = await within(
    env.clock,
    env.limits.connectTimeoutMs,
    signal,
    'Connecting',
    late,
    () =>
      new Promise<Duplex>((resolve, reject) => {
        via.forwardOut('127.0.0.1', 0, hop.host, hop.port, (error, channel) => {
          if (!error) {
            resolve(channel);
            return;
          }
          const prohibited = /prohibited/i.test(error.message);
          reject(
            unreachable(
              'port',
              hop,
              `The jump host ${viaHop.host} cannot reach ${where(hop)}: ` +
                `${error.message.replace('(SSH) Channel open failure: ', '')}.`,
              prohibited
                ? 'Set "AllowTcpForwarding yes" in the jump host\'s sshd_config.'
                : 'Check the name and port as the jump host sees them.',
            ),
          );
        });
      }),
  );
  observe('name', hop, `${hop.host} is resolved by the jump host ${viaHop.host}`);
  observe('port', hop, `${where(hop)} accepts connections from the jump host`);
  return stream;
}

function codeOf(thrown: unknown): string {
  // No instanceof: Node's own errors belong to another realm inside jest.
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown
    ? String(thrown.code)
    : String(thrown);
}

function socketError(hop: SshHop, error: Error): AppError {
  const code = codeOf(error);
  if (code === 'ECONNREFUSED')
    return unreachable(
      'port',
      hop,
      `${where(hop)} refused the connection.`,
      'Start sshd on that machine, or correct the port.',
    );
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH')
    return unreachable(
      'port',
      hop,
      `There is no route to ${where(hop)}.`,
      'Check the network and the address.',
    );
  return unreachable(
    'port',
    hop,
    `${where(hop)} ${sayCode(code) ?? `cannot be reached (${code})`}.`,
    'Check that the machine is on and that no firewall drops the port.',
  );
}
