import * as z from 'zod';

import type { SshHost } from '../deps/ssh.ts';
import type { Driver, DriverCheck } from './driver.ts';
import { noTarget, targetParam, withGuest } from './guestTarget.ts';
import { imaptestFinal, imaptestParser } from './imaptestFormat.ts';
import { quote } from './shell.ts';
import { checkProgram } from './tools.ts';

const pathOf = (what: string, otherwise: string) =>
  z
    .string()
    .regex(/^\/[^\0\n]*$/, 'a path on the client that begins with /')
    .max(4_096)
    .default(otherwise)
    .describe(what);

const params = z.object({
  target: targetParam('Address of the IMAP server'),
  port: z.number().int().min(1).max(65_535).default(143).describe('Port of the IMAP server'),
  userFile: pathOf(
    'File on the client, mode 600, with a line user:password for each; what is in their INBOX is changed and deleted',
    '/opt/tilebench/imap-users',
  ),
  mailFile: pathOf(
    'Mbox on the client with CRLF at its line ends; its messages are appended',
    '/opt/tilebench/mail.mbox',
  ),
  clients: z.number().int().min(1).max(10_000).default(10).describe('Sessions side by side'),
  messages: z
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(30)
    .describe('Messages that a mailbox is kept at'),
});
type Params = z.infer<typeof params>;

/** The user's name is asked for also where the file names all. */
const imaptest = (p: Params, seconds: number, clients: number): string =>
  `stdbuf -oL imaptest host=${quote(p.target)} port=${p.port} user=tilebench ` +
  `userfile=${quote(p.userFile)} mbox=${quote(p.mailFile)} clients=${clients} ` +
  `msgs=${p.messages} secs=${seconds}`;

/**
 * Puts the client's clock before each row, and how many errors came since the one before: to a
 * server that is gone imaptest connects, and prints that it cannot, as fast as it goes.
 */
const counted =
  'e=0; while IFS= read -r l; do case $l in *Error:*) [ "$e" -gt 0 ] || printf "%s\\n" "$l"; e=$((e+1));; ' +
  '*[0-9]/*[0-9]*) printf "t %s %s %s\\n" "$(date +%s%3N)" "$e" "$l"; e=0;; ' +
  '*) printf "%s\\n" "$l";; esac; done';

/** What a refusal means, by imaptest's own words, and the parameter it is about. */
const refusals: readonly {
  says: RegExp;
  problem: (p: Params, said: string) => string;
  blames: keyof Params;
  fix: string;
}[] = [
  {
    says: /net_gethostbyname.*/,
    problem: ({ target }) => `the name ${target} is not known to the client`,
    blames: 'target',
    fix: 'Give an address, or a name that the client resolves.',
  },
  {
    says: /connect\(\) failed: (.*)/,
    problem: ({ target, port }, said) => `${target} port ${port}: ${said}`,
    blames: 'port',
    fix: 'Start the IMAP server, or correct its address and port.',
  },
  {
    says: /LOGIN failed: (.*)/,
    problem: ({ target }, said) => `the IMAP server ${target} lets a user not in: ${said}`,
    blames: 'userFile',
    fix: 'Correct the names and passwords in the file.',
  },
  {
    says: /Fatal: (.*)/,
    problem: (_p, said) => `imaptest refuses: ${said}`,
    blames: 'userFile',
    fix: 'Give a file with a line user:password for each, and an mbox with messages.',
  },
];

async function refusalOf(
  host: SshHost,
  p: Params,
  signal?: AbortSignal,
): Promise<Pick<DriverCheck<Params>, 'problem' | 'blames' | 'fix'> | null> {
  const options = { timeoutMs: 30_000, ...(signal ? { signal } : {}) };
  for (const blames of ['userFile', 'mailFile'] as const)
    if ((await host.exec(`test -r ${quote(p[blames])}`, options)).code !== 0)
      return {
        problem: `${p[blames]} cannot be read on the client`,
        blames,
        fix: 'Copy the file to the client, or correct its path.',
      };
  // A session that logs in, opens its INBOX and leaves it as it is.
  const { stdout } = await host.exec(
    `timeout 12 ${imaptest(p, 2, 1)} - 2>&1 | head -c 20000`,
    options,
  );
  for (const { says, problem, blames, fix } of refusals) {
    const said = says.exec(stdout);
    if (said) return { problem: problem(p, said[1] ?? ''), blames, fix };
  }
  return stdout.includes('Totals:')
    ? null
    : {
        problem: `${p.target} port ${p.port} did not answer as an IMAP server within 12 s`,
        blames: 'target',
        fix: 'Look whether the VM is on, and whether a firewall lets the port through.',
      };
}

/** imaptest: the mail role, with the tool of Dovecot's authors. */
export const imaptestDriver: Driver<Params> = {
  id: 'imaptest',
  title: 'imaptest',
  role: 'mail server',
  params,
  target: ({ target }) => target,
  withTarget: withGuest,
  series: () => [
    { metric: 'throughput', unit: 'commands/s', decimals: 3 },
    { metric: 'errorRate', unit: 'errors/s', decimals: 3 },
  ],
  async check(host, p, signal) {
    const found: DriverCheck<Params> = await checkProgram(
      host,
      'imaptest',
      'echo imaptest',
      'imaptest',
      signal,
    );
    if (!found.ok)
      return {
        ok: false,
        version: null,
        problem: 'imaptest is not on the path of the client',
        fix: 'Build imaptest on the client by its own instructions; Tilebench brings none.',
      };
    if (p.target === '') return { ...found, ...noTarget };
    const refusal = await refusalOf(host, p, signal);
    return refusal
      ? { ...found, ok: false, ...refusal }
      : {
          ...found,
          warning:
            `imaptest appends to and deletes from the INBOX of every user in ${p.userFile}, ` +
            'and tells no version: have the same one on every client',
        };
  },
  prepare: async () => undefined,
  command: (p, { durationS }) =>
    `rm -f code; echo "begin $(date +%s%3N)"; { ${imaptest(p, durationS, p.clients)} 2>&1; echo $? > code; } | ` +
    `{ ${counted}; }; echo "end $(date +%s%3N)"; c=$(cat code); rm -f code; exit "$c"`,
  parser: (_params, options) => imaptestParser(options),
  finalReport: (_params, stdout) => imaptestFinal(stdout),
  cleanup: async () => undefined,
};
