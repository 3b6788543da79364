import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ThrowAwayUser {
  name: string;
  home: string;
  remove(): void;
}

/**
 * A user with a password, for tests of password logins: sshd without PAM reads /etc/shadow, so
 * there is no other honest way. Root only; throws where useradd fails. `remove` takes the user and
 * its home away.
 */
export function createThrowAwayUser(password: string): ThrowAwayUser {
  if (process.getuid?.() !== 0)
    throw new Error(
      'A lab client with password login needs root, because it adds a user for the time it runs.',
    );
  const name = `tblab${process.pid}x${Math.floor(Math.random() * 10_000)}`;
  const hash = execFileSync('openssl', ['passwd', '-6', '-stdin'], {
    input: password,
    encoding: 'utf8',
  }).trim();
  const home = mkdtempSync(join(tmpdir(), 'tblab-home-'));
  execFileSync(
    'useradd',
    ['--no-create-home', '--home-dir', home, '--shell', '/bin/sh', '--password', hash, name],
    { stdio: 'pipe' },
  );
  const id = (flag: string): number =>
    Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  chownSync(home, id('-u'), id('-g'));
  chmodSync(home, 0o755);
  return {
    name,
    home,
    remove() {
      execFileSync('userdel', ['--force', name], { stdio: 'pipe' });
      rmSync(home, { recursive: true, force: true });
    },
  };
}
