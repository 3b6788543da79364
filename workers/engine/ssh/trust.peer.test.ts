import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { freePort } from '../../../e2e/lab/ports.ts';
import type { LabSshd } from '../../../e2e/lab/sshd.ts';
import { createBench, edgeWith, hopOf, memoryTrust, targetOf } from './testing/peer.ts';

const keys = resolve('e2e/lab/keys');
const key = (name: string): string => readFileSync(join(keys, name), 'utf8');
const foreign = `SHA256:${'A'.repeat(43)}`;

describe('trust and authentication against sshd', () => {
  const bench = createBench();
  let sshd: LabSshd;
  beforeAll(async () => {
    sshd = await bench.sshd({ logLevel: 'DEBUG1' });
  });
  afterAll(() => bench.cleanUp());

  /** What sshd logged while `act` ran. */
  async function logOf(target: LabSshd, act: () => Promise<unknown>): Promise<string> {
    const before = target.log().length;
    await act();
    return target.log().slice(before);
  }
  const knownHostsLine = (hash: boolean): string => {
    const line = `[127.0.0.1]:${sshd.port} ${readFileSync(join(sshd.home, '../ssh_host_key.pub'), 'utf8').trim()}\n`;
    if (!hash) return line;
    const file = join(sshd.home, 'known_hosts');
    execFileSync('sh', ['-c', 'cat >"$0" && ssh-keygen -q -H -f "$0" && rm -f "$0.old"', file], {
      input: line,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    return readFileSync(file, 'utf8');
  };
  const unpinned = (): ReturnType<typeof targetOf> => {
    const hop = hopOf(sshd);
    delete hop.hostKeySha256;
    return targetOf(hop);
  };

  test('a pinned key lets a command run, and authentication is seen in the log', async () => {
    const host = bench.host(targetOf(hopOf(sshd)));
    const log = await logOf(sshd, async () =>
      expect(await host.exec('echo out; echo err >&2; exit 3')).toMatchObject({
        code: 3,
        stdout: 'out\n',
        stderr: expect.stringMatching(/^err\n$/m) as string,
      }),
    );
    // The control for every "no authentication" below.
    expect(log).toMatch(/userauth-request for user/);
    expect(log).toMatch(/Accepted publickey/);
  });

  test.each(['plain', 'hashed'])('a %s known_hosts line is trusted', async (form) => {
    const host = bench.host(
      unpinned(),
      edgeWith({ knownHosts: knownHostsLine(form === 'hashed') }),
    );
    expect((await host.exec('echo ok')).stdout).toBe('ok\n');
  });

  test('the trust store is asked last', async () => {
    const edge = edgeWith({
      trust: memoryTrust({ [`127.0.0.1:${sshd.port}`]: sshd.hostKeySha256 }),
    });
    expect((await bench.host(unpinned(), edge).exec('echo ok')).stdout).toBe('ok\n');
  });

  test('an unknown key is refused before any authentication', async () => {
    const log = await logOf(sshd, () =>
      expect(bench.host(unpinned()).exec('true')).rejects.toMatchObject({
        kind: 'untrusted',
        details: { actual: sshd.hostKeySha256, expected: null },
      }),
    );
    expect(log).toMatch(/Connection from/);
    expect(log).not.toMatch(/userauth|Accepted|Failed/);
  });

  test.each([
    ['pinned', () => ({ hop: hopOf(sshd, { hostKeySha256: foreign }), edge: edgeWith() })],
    [
      'trust store',
      () => ({
        hop: unpinned().hops[0],
        edge: edgeWith({ trust: memoryTrust({ [`127.0.0.1:${sshd.port}`]: foreign }) }),
      }),
    ],
  ])(
    'a changed key (%s) is refused with both fingerprints, before any authentication',
    async (_name, make) => {
      const { hop, edge } = make();
      const log = await logOf(sshd, () =>
        expect(
          bench.host({ id: 'c', name: 'c', hops: hop ? [hop] : [] }, edge).exec('true'),
        ).rejects.toMatchObject({
          kind: 'untrusted',
          details: { actual: sshd.hostKeySha256, expected: foreign },
        }),
      );
      expect(log).toMatch(/Connection from/);
      expect(log).not.toMatch(/userauth|Accepted|Failed/);
    },
  );

  test('a revoked key is refused even when it is pinned', async () => {
    const edge = edgeWith({ knownHosts: `@revoked ${knownHostsLine(false)}` });
    await expect(bench.host(targetOf(hopOf(sshd)), edge).exec('true')).rejects.toMatchObject({
      kind: 'untrusted',
      message: expect.stringContaining('revoked') as string,
    });
  });

  /** A server whose only host key is RSA, signing as it is told. */
  async function rsaServer(name: string, hostKeyAlgorithms: string): Promise<LabSshd> {
    const path = join(sshd.home, name);
    execFileSync('ssh-keygen', ['-q', '-t', 'rsa', '-b', '3072', '-N', '', '-f', path]);
    return bench.sshd({ name, hostKey: path, hostKeyAlgorithms });
  }

  test('a known host that offers only a key of another type has changed: it is not a new host', async () => {
    const own = await rsaServer('other-type', 'rsa-sha2-512');
    const { hostKeySha256: _pin, ...hop } = hopOf(own);
    const knownHosts = knownHostsLine(false).replace(`:${sshd.port}`, `:${own.port}`);
    const edge = edgeWith({ knownHosts });
    await expect(bench.host(targetOf(hop), edge).exec('true')).rejects.toMatchObject({
      kind: 'untrusted',
      message: expect.stringContaining('has changed') as string,
      details: { expected: sshd.hostKeySha256, actual: own.hostKeySha256, keyType: 'ssh-rsa' },
    });
    expect(await edge.identify(targetOf(hop))).toMatchObject({ trust: 'changed' });
  });

  test('a server that signs with SHA-1 only is refused, and accepted where that is allowed', async () => {
    const own = await rsaServer('sha1', 'ssh-rsa');
    await expect(bench.host(targetOf(hopOf(own))).exec('true')).rejects.toMatchObject({
      kind: 'unreachable',
      hint: expect.stringContaining('SHA-1') as string,
    });
    const allowed = hopOf(own, { allowSha1: true });
    expect((await bench.host(targetOf(allowed)).exec('echo ok')).stdout).toBe('ok\n');
  });

  test.each(['rsa-sha2-256', 'ssh-rsa,rsa-sha2-256'])(
    'a login with an RSA key signs with SHA-2 where the server takes %s',
    async (pubkeyAlgorithms) => {
      const path = join(sshd.home, `user_rsa_${pubkeyAlgorithms}`);
      execFileSync('ssh-keygen', ['-q', '-t', 'rsa', '-b', '3072', '-N', '', '-f', path]);
      const own = await bench.sshd({
        pubkeyAlgorithms,
        authorizedKeys: [readFileSync(`${path}.pub`, 'utf8')],
        logLevel: 'DEBUG1',
      });
      const auth = { method: 'key' as const, privateKey: readFileSync(path, 'utf8') };
      expect((await bench.host(targetOf(hopOf(own, { auth }))).exec('echo ok')).stdout).toBe(
        'ok\n',
      );
      expect(own.log()).toMatch(/Accepted publickey .*RSA/);
    },
  );

  test('a host key that changes while known is refused at the next connection', async () => {
    const own = await bench.sshd({ name: 'changing' });
    const target = targetOf(hopOf(own));
    const old = own.hostKeySha256;
    expect((await bench.host(target).exec('echo ok')).stdout).toBe('ok\n');
    await own.changeHostKey();
    expect(own.hostKeySha256).not.toBe(old);
    await expect(bench.host(target).exec('true')).rejects.toMatchObject({
      kind: 'untrusted',
      details: { expected: old, actual: own.hostKeySha256 },
    });
  });

  test('a jump host is verified before it sees a credential, and so is the target behind it', async () => {
    const jump = await bench.sshd({ name: 'jump', logLevel: 'DEBUG1' });
    expect((await bench.host(targetOf(hopOf(jump), hopOf(sshd))).exec('echo through')).stdout).toBe(
      'through\n',
    );
    const atJump = await logOf(jump, () =>
      expect(
        bench.host(targetOf(hopOf(jump, { hostKeySha256: foreign }), hopOf(sshd))).exec('true'),
      ).rejects.toMatchObject({
        kind: 'untrusted',
        details: { port: jump.port, expected: foreign },
      }),
    );
    expect(atJump).not.toMatch(/userauth|Accepted|Failed/);
    const atTarget = await logOf(sshd, () =>
      expect(
        bench.host(targetOf(hopOf(jump), hopOf(sshd, { hostKeySha256: foreign }))).exec('true'),
      ).rejects.toMatchObject({ kind: 'untrusted', details: { port: sshd.port } }),
    );
    expect(atTarget).toMatch(/Connection from/);
    expect(atTarget).not.toMatch(/userauth|Accepted|Failed/);
    await expect(
      bench.host(targetOf(hopOf(jump), hopOf(sshd, { port: await freePort() }))).exec('true'),
    ).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('jump host') as string,
      details: { step: 'port' },
    });
  });

  test('identify reads the key without authenticating at the target', async () => {
    const edge = edgeWith();
    const log = await logOf(sshd, async () => {
      expect(await edge.identify(unpinned())).toMatchObject({
        kind: 'hostKey',
        fingerprint: sshd.hostKeySha256,
        trust: 'unknown',
        expected: null,
      });
      expect(await edge.identify(targetOf(hopOf(sshd)))).toMatchObject({ trust: 'trusted' });
      expect(await edge.identify(targetOf(hopOf(sshd, { hostKeySha256: foreign })))).toMatchObject({
        trust: 'changed',
        expected: foreign,
      });
    });
    expect(log).not.toMatch(/userauth|Accepted|Failed/);
  });

  test('a wrong key and a locked key are told apart', async () => {
    const wrong = { method: 'key' as const, privateKey: key('stranger_ed25519') };
    await expect(
      bench.host(targetOf(hopOf(sshd, { auth: wrong }))).exec('true'),
    ).rejects.toMatchObject({
      kind: 'authFailed',
      details: { step: 'authentication', method: 'key' },
      hint: expect.stringContaining('authorized_keys') as string,
    });
    const locked = { method: 'key' as const, privateKey: key('locked_ed25519') };
    await expect(
      bench.host(targetOf(hopOf(sshd, { auth: locked }))).exec('true'),
    ).rejects.toMatchObject({ kind: 'authFailed', hint: 'Enter the passphrase of the key.' });
    expect(
      (
        await bench
          .host(targetOf(hopOf(sshd, { auth: { ...locked, passphrase: 'lab passphrase' } })))
          .exec('echo ok')
      ).stdout,
    ).toBe('ok\n');
  });

  test('an agent signs, and a missing agent says so', async () => {
    const socket = join(sshd.home, 'agent');
    const agent = execFileSync('ssh-agent', ['-a', socket, '-s'], { encoding: 'utf8' });
    bench.later(() => {
      process.kill(Number(/SSH_AGENT_PID=(\d+)/.exec(agent)?.[1]));
    });
    await expect(
      bench.host(targetOf(hopOf(sshd, { auth: { method: 'agent', socket } }))).exec('true'),
    ).rejects.toMatchObject({ kind: 'authFailed', details: { method: 'agent' } });
    execFileSync('ssh-add', ['-q', sshd.privateKeyPath], {
      env: { ...process.env, SSH_AUTH_SOCK: socket },
      stdio: 'pipe',
    });
    expect(
      (
        await bench
          .host(targetOf(hopOf(sshd, { auth: { method: 'agent', socket } })))
          .exec('echo ok')
      ).stdout,
    ).toBe('ok\n');
    await expect(
      bench
        .host(targetOf(hopOf(sshd, { auth: { method: 'agent', socket: `${socket}.none` } })))
        .exec('true'),
    ).rejects.toMatchObject({
      kind: 'authFailed',
      hint: expect.stringContaining('ssh-add') as string,
    });
  });

  test('a password is accepted, a wrong one refused', async () => {
    const own = await bench.sshd({ name: 'password', passwordAuth: { password: 'right horse' } });
    const auth = (password: string): { method: 'password'; password: string } => ({
      method: 'password',
      password,
    });
    expect(
      (
        await bench.host(targetOf(hopOf(own, { auth: auth('right horse') }))).exec('id -un')
      ).stdout.trim(),
    ).toBe(own.user);
    await expect(
      bench.host(targetOf(hopOf(own, { auth: auth('wrong') }))).exec('true'),
    ).rejects.toMatchObject({ kind: 'authFailed', details: { method: 'password' } });
    const report = await edgeWith().test(targetOf(hopOf(own, { auth: auth('wrong') })));
    expect(report.ok).toBe(false);
    expect(report.steps.map((s) => [s.step, s.ok])).toEqual([
      ['name', true],
      ['port', true],
      ['tls', true],
      ['pin', true],
      ['authentication', false],
    ]);
    expect(JSON.stringify(report)).not.toContain('wrong"');
  });

  test('the connection test walks all steps and names the one that fails', async () => {
    const edge = edgeWith();
    const good = await edge.test(targetOf(hopOf(sshd)));
    expect(good.steps.map((s) => [s.step, s.ok])).toEqual([
      ['name', true],
      ['port', true],
      ['tls', true],
      ['pin', true],
      ['authentication', true],
      ['permission', true],
    ]);
    expect(good.ok).toBe(true);
    const last = async (
      change: Parameters<typeof hopOf>[1],
    ): Promise<[string | undefined, boolean]> => {
      const report = await edge.test(targetOf(hopOf(sshd, change)));
      expect(report.ok).toBe(false);
      expect(report.steps.at(-1)).toMatchObject({
        ok: false,
        fix: expect.stringMatching(/\w/) as string,
      });
      return [report.steps.at(-1)?.step, report.steps.slice(0, -1).every((s) => s.ok)];
    };
    expect(await last({ host: 'no-such-host.invalid' })).toEqual(['name', true]);
    expect(await last({ port: await freePort() })).toEqual(['port', true]);
    expect(await last({ hostKeySha256: foreign })).toEqual(['pin', true]);
    expect(await last({ auth: { method: 'key', privateKey: key('stranger_ed25519') } })).toEqual([
      'authentication',
      true,
    ]);
    const noSftp = await bench.sshd({ name: 'nosftp', sftp: false });
    const report = await edge.test(targetOf(hopOf(noSftp)));
    expect(report.steps.at(-1)).toMatchObject({
      step: 'permission',
      ok: false,
      fix: expect.stringContaining('Subsystem sftp') as string,
    });
  });
});
