import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

import { startChild } from './child.ts';
import { poll } from './poll.ts';
import { freePort } from './ports.ts';
import { codeOf } from './processes.ts';

export interface LabDovecot {
  readonly host: '127.0.0.1';
  readonly imapPort: number;
  readonly lmtpPort: number;
  /** The folder of a user's mail: `Maildir` below it. */
  home: (user: string) => string;
  /** Ends the IMAP sessions that are open; gives how many there were. */
  cut: () => number;
  /** Ends it and leaves the mail; `start` begins again at the same ports. */
  halt(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface LabPostfix {
  readonly host: '127.0.0.1';
  readonly smtpPort: number;
  /** Messages in the queue, by the server's own list. */
  queued: () => number;
  /** Lines of its own log between two Unix times, by the seconds that stand in them. */
  log: (fromMs: number, toMs: number) => string[];
  /** Tries what waits in the queue at once. */
  flush: () => void;
  stop(): Promise<void>;
}

/** Debian's user nobody: Dovecot is met as a plain user. */
const nobody = 65_534;
const domain = 'example.org';

/** What a server says first, or null where nothing answers. */
function greeting(port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (text: string | null): void => {
      socket.destroy();
      resolve(text);
    };
    socket.setTimeout(5_000, () => {
      end(null);
    });
    socket.on('error', () => {
      end(null);
    });
    socket.on('close', () => {
      end(null);
    });
    socket.once('data', (text) => {
      end(text.toString());
    });
  });
}

/** As kit.md has it: blocks must not be on one line; without `%Ln` LMTP knows no user. */
function dovecotConf(o: {
  home: string;
  user: string;
  group: string;
  uid: number;
  gid: number;
  imapPort: number;
  lmtpPort: number;
}): string {
  return `base_dir = ${o.home}/run
state_dir = ${o.home}/run
log_path = ${o.home}/dovecot.log
default_internal_user = ${o.user}
default_internal_group = ${o.group}
default_login_user = ${o.user}
auth_username_format = %Ln
auth_failure_delay = 0
ssl = no
disable_plaintext_auth = no
listen = 127.0.0.1
protocols = imap lmtp
mail_location = maildir:%h/Maildir
mail_uid = ${o.uid}
mail_gid = ${o.gid}
mail_fsync = never
first_valid_uid = ${o.uid}
first_valid_gid = ${o.gid}
mail_max_userip_connections = 1000
passdb {
  driver = passwd-file
  args = scheme=PLAIN username_format=%u ${o.home}/users
}
userdb {
  driver = static
  args = uid=${o.uid} gid=${o.gid} home=${o.home}/mail/%n
}
namespace inbox {
  inbox = yes
}
service anvil {
  chroot =
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service stats {
  chroot =
}
service imap-login {
  chroot =
  service_count = 0
  client_limit = 1000
  inet_listener imap {
    port = ${o.imapPort}
  }
  inet_listener imaps {
    port = 0
  }
}
service imap {
  process_limit = 2000
}
service lmtp {
  inet_listener lmtp {
    address = 127.0.0.1
    port = ${o.lmtpPort}
  }
}
`;
}

/**
 * A private Dovecot on loopback, as a plain user, with so many users `user1` … of one password.
 * Debian packages dovecot-imapd and dovecot-lmtpd.
 */
export async function startDovecot({
  users,
  password,
}: {
  users: number;
  password: string;
}): Promise<LabDovecot> {
  // A folder of its own: the server's user may not read one of ours; its sockets need a short path.
  const home = mkdtempSync(join(tmpdir(), 'tb-imap-'));
  chmodSync(home, 0o755);
  const asRoot = process.getuid?.() === 0;
  const own = userInfo();
  const [uid, gid] = asRoot ? [nobody, nobody] : [own.uid, own.gid];
  const user = asRoot ? 'nobody' : own.username;
  const group = execFileSync('id', ['-gn', user], { encoding: 'utf8' }).trim();
  const [imapPort, lmtpPort] = [await freePort(), await freePort()];
  mkdirSync(join(home, 'run'));
  mkdirSync(join(home, 'mail'));
  const conf = join(home, 'dovecot.conf');
  writeFileSync(conf, dovecotConf({ home, user, group, uid, gid, imapPort, lmtpPort }));
  const list = Array.from({ length: users }, (_, i) => `user${i + 1}:${password}\n`);
  writeFileSync(join(home, 'users'), list.join(''), { mode: 0o600 });
  if (asRoot)
    for (const name of ['', 'run', 'mail', 'users']) chownSync(join(home, name), uid, gid);
  let server: ReturnType<typeof startChild> | null = null;
  const start = async (): Promise<void> => {
    if (server) return;
    const [command = '', ...args] = [
      ...(asRoot ? ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'] : ['env']),
      ...['dovecot', '-F', '-c', conf],
    ];
    const child = startChild(command, args, join(home, 'out.log'));
    server = child;
    await poll(`Dovecot (${home}/dovecot.log)`, async () => {
      if (child.ended()) throw new Error(`Dovecot ended: ${child.log().slice(-400)}`);
      return (
        (await greeting(imapPort))?.startsWith('* OK') === true &&
        (await greeting(lmtpPort))?.startsWith('220') === true
      );
    });
  };
  const halt = async (): Promise<void> => {
    await server?.stop(20_000);
    server = null;
  };
  await start();
  return {
    host: '127.0.0.1',
    imapPort,
    lmtpPort,
    home: (name) => join(home, 'mail', name),
    cut() {
      const sessions = (): string[] =>
        spawnSync('doveadm', ['-c', conf, '-f', 'flow', 'who', '-1'], { encoding: 'utf8' })
          .stdout.split('\n')
          .filter((line) => line.includes('proto=imap'));
      const found = sessions().length;
      execFileSync('doveadm', ['-c', conf, 'kick', '*'], { stdio: 'ignore' });
      return found;
    },
    halt,
    start,
    async stop() {
      await halt();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

const services = `smtp unix - - n - - smtp
relay unix - - n - - smtp
lmtp unix - - n - - lmtp
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
proxywrite unix - - n - 1 proxymap
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
local unix - n n - - local
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`;

/**
 * A private Postfix on loopback that hands mail for example.org to a server's LMTP. Debian package
 * postfix; root only.
 */
export async function startPostfix({ lmtpPort }: { lmtpPort: number }): Promise<LabPostfix> {
  const home = mkdtempSync(join(tmpdir(), 'tb-smtp-'));
  chmodSync(home, 0o755);
  const smtpPort = await freePort();
  for (const name of ['etc', 'spool', 'data']) mkdirSync(join(home, name));
  const id = Number(execFileSync('id', ['-u', 'postfix'], { encoding: 'utf8' }));
  chownSync(join(home, 'data'), id, 0);
  const etc = join(home, 'etc');
  writeFileSync(
    join(etc, 'main.cf'),
    `compatibility_level = 3.6
queue_directory = ${home}/spool
data_directory = ${home}/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
meta_directory = /etc/postfix
mail_owner = postfix
setgid_group = postdrop
myhostname = tile.invalid
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
smtpd_relay_restrictions = permit_mynetworks, reject
virtual_mailbox_domains = ${domain}
virtual_transport = lmtp:inet:127.0.0.1:${lmtpPort}
alias_maps =
alias_database =
local_recipient_maps =
maillog_file = ${home}/mail.log
maillog_file_prefixes = ${tmpdir()}
smtpd_client_connection_count_limit = 0
smtpd_client_connection_rate_limit = 0
smtpd_client_message_rate_limit = 0
smtpd_peername_lookup = no
in_flow_delay = 0
smtp_dns_support_level = disabled
lmtp_destination_concurrency_limit = 20
`,
  );
  writeFileSync(
    join(etc, 'master.cf'),
    `127.0.0.1:${smtpPort} inet n - n - 200 smtpd\n${services}`,
  );
  const run = (...args: string[]): string =>
    execFileSync('postfix', ['-c', etc, ...args], { encoding: 'utf8', stdio: 'pipe' });
  run('start');
  await poll(
    `Postfix (${home}/mail.log)`,
    async () => (await greeting(smtpPort))?.startsWith('220') === true,
  );
  return {
    host: '127.0.0.1',
    smtpPort,
    queued: () =>
      execFileSync('postqueue', ['-c', etc, '-j'], { encoding: 'utf8' })
        .split('\n')
        .filter((line) => line.startsWith('{')).length,
    log: (fromMs, toMs) =>
      readFileSync(join(home, 'mail.log'), 'utf8')
        .split('\n')
        .filter((line) => secondOf(line) > fromMs - 1_000 && secondOf(line) <= toMs),
    flush() {
      execFileSync('postqueue', ['-c', etc, '-f']);
    },
    stop() {
      try {
        run('stop');
      } finally {
        rmSync(home, { recursive: true, force: true });
      }
      return Promise.resolve();
    },
  };
}

/** `Nov 24 03:50:12 …` of this year, as Postfix writes without a syslog; NaN for another line. */
const secondOf = (line: string): number =>
  new Date(`${line.slice(0, 6)} ${new Date().getFullYear()} ${line.slice(7, 15)}`).getTime();

/** null where the server gave the file another name meanwhile. */
function contents(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return null;
    throw thrown;
  }
}

/** Every message of a user, of all folders, as the files of its Maildir have it. */
export function messagesOf(home: string): { folder: string; text: string }[] {
  const top = join(home, 'Maildir');
  if (!existsSync(top)) return [];
  const inFolder = (folder: string, path: string): { folder: string; text: string }[] =>
    ['new', 'cur']
      .map((one) => join(path, one))
      .filter((one) => existsSync(one))
      .flatMap((one) =>
        readdirSync(one).flatMap((name) => {
          const text = contents(join(one, name));
          return text === null ? [] : [{ folder, text }];
        }),
      );
  return [
    ...inFolder('INBOX', top),
    ...readdirSync(top)
      .filter((name) => name.startsWith('.'))
      .flatMap((name) => inFolder(name.slice(1), join(top, name))),
  ];
}
