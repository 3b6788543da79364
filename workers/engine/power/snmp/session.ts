import { isIP } from 'node:net';

import type * as NetSnmp from 'net-snmp';

import { type AppError, fail } from '../../../../src/core/base/errors.ts';
import type { PowerSource } from '../../../../src/core/testbed/powerSources.ts';

export type SnmpSource = Extract<PowerSource, { type: 'snmp' }>;

/** One try and one more: an agent answers in milliseconds, a lost datagram is asked for again. */
const tryMs = 3_000;
const retries = 1;

export interface SnmpSession {
  /**
   * The values of these objects, asked for at once. Throws AppError: timedOut, authFailed,
   * notFound, unreachable.
   */
  get(oids: readonly string[], signal?: AbortSignal): Promise<bigint[]>;
  close(): void;
}

/** Loaded when a first meter is asked: no other engine needs it. */
const library = async (): Promise<typeof NetSnmp> => {
  const loaded = (await import('net-snmp')) as typeof NetSnmp & {
    default?: typeof NetSnmp;
  };
  return loaded.default ?? loaded;
};

/** An agent over UDP, v2c or v3. A session outlives a restart of its agent. */
export function createSnmpSession(
  source: SnmpSource,
  name: string,
  secret: () => Promise<string>,
): SnmpSession {
  let opening: Promise<NetSnmp.Session> | null = null;
  let broken: Error | null = null;
  const open = async (): Promise<NetSnmp.Session> => {
    const session = await openSession(source, await secret());
    // Without a listener an error of the socket would end the process.
    session.on('error', (error: Error) => {
      broken = error;
    });
    return session;
  };
  return {
    async get(oids, signal) {
      opening ??= open().catch((error: unknown) => {
        opening = null;
        throw error;
      });
      const session = await opening;
      const { isVarbindError, varbindError, ObjectType } = await library();
      signal?.throwIfAborted();
      return new Promise<bigint[]>((resolve, reject) => {
        const aborted = (): void => reject(fail('aborted', 'The reading was cancelled.'));
        signal?.addEventListener('abort', aborted, { once: true });
        session.get([...oids], (error, varbinds = []) => {
          signal?.removeEventListener('abort', aborted);
          if (error) {
            reject(refusal(source, name, broken ?? error));
            broken = null;
            return;
          }
          const values: bigint[] = [];
          for (const [index, varbind] of varbinds.entries()) {
            if (isVarbindError(varbind)) {
              reject(
                fail(
                  'notFound',
                  `The agent of ${name} has no object ${oids[index]} (${varbindError(varbind).split(':')[0]}).`,
                  'Correct the object: its unit, outlet or device.',
                ),
              );
              return;
            }
            const value = wholeNumber(varbind.value, varbind.type === ObjectType.OctetString);
            if (value === null) {
              reject(
                fail(
                  'notFound',
                  `The object ${oids[index]} of ${name} is no whole number.`,
                  'Choose one that tells watts, or a factor of them.',
                ),
              );
              return;
            }
            values.push(value);
          }
          resolve(values);
        });
      });
    },
    close() {
      void opening?.then(
        (session) => session.close(),
        () => undefined,
      );
    },
  };
}

/** `authentication / privacy`, or one for both. */
const passphrases = (secret: string): [string, string] => {
  const [auth = '', privacy] = secret.split(' / ');
  return [auth, privacy ?? auth];
};

async function openSession(source: SnmpSource, secret: string): Promise<NetSnmp.Session> {
  const snmp = await library();
  const options = {
    port: source.port,
    retries,
    timeout: tryMs,
    transport: isIP(source.host) === 6 ? ('udp6' as const) : ('udp4' as const),
  };
  if (source.version === 'v2c')
    return snmp.createSession(source.host, secret, { ...options, version: snmp.Version2c });
  const [authKey, privKey] = passphrases(secret);
  const user = {
    name: source.user ?? '',
    authProtocol: snmp.AuthProtocols[source.auth],
    authKey,
  };
  return snmp.createV3Session(
    source.host,
    source.privacy === 'none'
      ? { ...user, level: snmp.SecurityLevel.authNoPriv }
      : {
          ...user,
          level: snmp.SecurityLevel.authPriv,
          privProtocol: snmp.PrivProtocols[source.privacy],
          privKey,
        },
    { ...options, version: snmp.Version3 },
  );
}

/** A number as agents write it: an integer, eight bytes of a counter, digits as text. */
function wholeNumber(value: unknown, isText: boolean): bigint | null {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : null;
  if (typeof value === 'bigint') return value;
  if (!Buffer.isBuffer(value)) return null;
  if (isText) {
    const text = value.toString('latin1').trim();
    return /^-?\d{1,20}$/.test(text) ? BigInt(text) : null;
  }
  return value.length > 0 && value.length <= 9 ? BigInt(`0x${value.toString('hex')}`) : null;
}

function refusal({ host, port, version, user }: SnmpSource, name: string, error: Error): AppError {
  const peer = `The agent of ${name} (${host}:${port})`;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return fail('unreachable', `The name ${host} does not resolve.`, 'Correct the address.');
  if (error.name === 'RequestTimedOutError')
    return fail(
      'timedOut',
      `${peer} does not answer.`,
      version === 'v2c'
        ? 'An agent is silent at a wrong community as well: check that, address, port, firewall, and who it lets ask.'
        : 'An agent is silent at a wrong privacy passphrase as well: check that, address, port, firewall.',
    );
  if (/unknown user|wrong digest|unsupported security|decryption/i.test(error.message))
    return fail(
      'authFailed',
      `${peer} refuses ${user ?? 'the community'}: ${error.message.slice(0, 200)}.`,
      'Check user, authentication, privacy and passphrases.',
    );
  return fail(
    'unreachable',
    `${peer} cannot be read: ${error.message.slice(0, 200)}.`,
    'Check address, port and version.',
  );
}
