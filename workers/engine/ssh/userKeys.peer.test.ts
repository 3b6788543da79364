import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import ssh2, { type ParsedKey } from 'ssh2';

import type { SshHop, SshHost } from '../deps/ssh.ts';
import { fingerprintOf } from './hostKey.ts';
import { edgeWith, targetOf } from './testing/peer.ts';

/**
 * A server as old ones are: it names no signature algorithms (RFC 8308), so that a client signs
 * with an RSA key by SHA-1. A current sshd cannot be told to be silent about them; this is ssh2's
 * server.
 */
interface OldServer {
  port: number;
  hostKeySha256: string;
  /** Algorithms of the users' signatures it was given. */
  signed: string[];
  /** Algorithms it was only asked about. */
  probed: string[];
  close(): Promise<void>;
}

let dir: string;
const opened: (() => void | Promise<void>)[] = [];
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'tb-keys-'));
});
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A key pair of ssh-keygen. */
function keyPair(name: string, ...type: string[]): { path: string; text: string; key: ParsedKey } {
  const path = join(mkdtempSync(join(dir, 'key-')), name);
  execFileSync('ssh-keygen', ['-q', '-N', '', '-f', path, '-t', ...type]);
  const text = readFileSync(path, 'utf8');
  const [key] = [ssh2.utils.parseKey(text)].flat();
  if (key === undefined || key instanceof Error) throw new Error(`${name} cannot be read`);
  return { path, text, key };
}

interface Handshaking {
  _kex: { remoteExtInfoEnabled: boolean };
  _onHandshakeComplete: (...args: readonly unknown[]) => void;
}
/**
 * ssh2's server names its algorithms to each client that can hear them, and has no setting against
 * it.
 */
function silence(client: unknown): void {
  const { _protocol: protocol } = client as { _protocol: Handshaking };
  const complete = protocol._onHandshakeComplete;
  protocol._onHandshakeComplete = (...args) => {
    protocol._kex.remoteExtInfoEnabled = false;
    complete(...args);
  };
}

async function oldServer(users: readonly ParsedKey[]): Promise<OldServer> {
  const host = keyPair('host', 'ed25519');
  const signed: string[] = [];
  const probed: string[] = [];
  const server = new ssh2.Server({ hostKeys: [host.text] }, (client) => {
    silence(client);
    client.on('error', () => undefined);
    client.on('authentication', (ctx) => {
      const user =
        ctx.method === 'publickey'
          ? users.find((one) => one.getPublicSSH().equals(ctx.key.data))
          : undefined;
      if (ctx.method !== 'publickey' || user === undefined) {
        ctx.reject(['publickey']);
        return;
      }
      (ctx.signature ? signed : probed).push(ctx.key.algo);
      if (!ctx.signature || !ctx.blob) {
        ctx.accept();
        return;
      }
      if (user.verify(ctx.blob, ctx.signature, ctx.hashAlgo)) ctx.accept();
      else ctx.reject(['publickey']);
    });
    client.on('session', (accept) => {
      accept().on('exec', (acceptExec) => {
        const channel = acceptExec();
        channel.write('ok\n');
        channel.exit(0);
        channel.end();
      });
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const close = (): Promise<void> => new Promise((done) => server.close(() => done()));
  opened.push(close);
  return {
    port: (server.address() as AddressInfo).port,
    hostKeySha256: fingerprintOf(host.key.getPublicSSH()),
    signed,
    probed,
    close,
  };
}

function login(server: OldServer, auth: SshHop['auth'], allowSha1?: boolean): SshHost {
  const { port, hostKeySha256 } = server;
  const hop: SshHop = {
    host: '127.0.0.1',
    port,
    user: 'bench',
    auth,
    hostKeySha256,
    ...(allowSha1 === undefined ? {} : { allowSha1 }),
  };
  const host = edgeWith().host(targetOf(hop));
  opened.push(() => host.close());
  return host;
}
const refusal = {
  kind: 'authFailed',
  message: expect.stringContaining('only with a SHA-1 signature (ssh-rsa)') as string,
  hint: expect.stringContaining('allow SHA-1 for this host') as string,
  details: { step: 'authentication', host: '127.0.0.1' },
};

test('an RSA key signs nothing by SHA-1, and does where the host is allowed it', async () => {
  const rsa = keyPair('rsa', 'rsa', '-b', '3072');
  const server = await oldServer([rsa.key]);
  const auth = { method: 'key' as const, privateKey: rsa.text };
  await expect(login(server, auth).exec('true')).rejects.toMatchObject(refusal);
  await expect(login(server, auth, false).exec('true')).rejects.toMatchObject(refusal);
  expect([server.probed, server.signed]).toEqual([['ssh-rsa', 'ssh-rsa'], []]);
  expect((await login(server, auth, true).exec('true')).stdout).toBe('ok\n');
  expect(server.signed).toEqual(['ssh-rsa']);
});

test('an agent goes by another key where it has one; its RSA key alone is refused', async () => {
  const rsa = keyPair('agent_rsa', 'rsa', '-b', '3072');
  const ed = keyPair('agent_ed', 'ed25519');
  const server = await oldServer([rsa.key, ed.key]);
  const socket = join(dir, 'agent');
  const agent = execFileSync('ssh-agent', ['-a', socket, '-s'], { encoding: 'utf8' });
  opened.push(() => void process.kill(Number(/SSH_AGENT_PID=(\d+)/.exec(agent)?.[1])));
  const add = (path: string): Buffer =>
    execFileSync('ssh-add', ['-q', path], { env: { ...process.env, SSH_AUTH_SOCK: socket } });
  const auth = { method: 'agent' as const, socket };
  add(rsa.path);
  await expect(login(server, auth).exec('true')).rejects.toMatchObject(refusal);
  add(ed.path);
  expect((await login(server, auth).exec('true')).stdout).toBe('ok\n');
  expect(server.signed).toEqual(['ssh-ed25519']);
});

test('other keys are not concerned, nor is a key that cannot be read', async () => {
  const ecdsa = keyPair('ecdsa', 'ecdsa');
  const server = await oldServer([ecdsa.key]);
  expect((await login(server, { method: 'key', privateKey: ecdsa.text }).exec('true')).stdout).toBe(
    'ok\n',
  );
  await expect(
    login(server, { method: 'key', privateKey: 'no key' }).exec('true'),
  ).rejects.toMatchObject({
    kind: 'authFailed',
    message: expect.stringContaining('cannot be read') as string,
  });
});
