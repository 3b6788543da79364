import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type LabDovecot, messagesOf, startDovecot } from '../e2e/lab/mail.ts';
import { findKit } from '../workers/engine/kit/findKit.ts';
import type { BenchResult } from './row.ts';

const places = { sourceDir: 'kit', cacheDir: '.cache', carriedDir: 'resources/kit' };
const mailboxes = 40;
const messages = 100;
/** VMware VROOM 2008-02, 16,000 Exchange Mailboxes, 1 Server; messages per mailbox are ours. */
const fullMailboxes = 16_000;
/** Turn by turn, so that a busy machine slows both. */
const rounds = 3;

interface Summary {
  messages: number;
  bytes: number;
  written: number;
  kept: number;
  seconds: number;
}
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const userNames = Array.from({ length: mailboxes }, (_, i) => `user${i + 1}`);

function ask(kit: string, command: 'load' | 'unload', job: unknown): Summary {
  const { status, stdout, stderr } = spawnSync(kit, [command, '--job', '-'], {
    input: JSON.stringify(job),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`tilekit ${command}: ${stderr.slice(-400)}`);
  return JSON.parse(stdout.trim().split('\n').at(-1)!) as Summary;
}

/** Seconds that the same messages take as files, without a server: what no loader can go below. */
function writeBare(server: LabDovecot, dir: string): number {
  const texts = userNames.map((name) => messagesOf(server.home(name)).map(({ text }) => text));
  const into = mkdtempSync(join(dir, 'bare-'));
  const began = performance.now();
  for (const [i, own] of texts.entries()) {
    const folder = join(into, String(i));
    mkdirSync(folder);
    for (const [j, text] of own.entries()) writeFileSync(join(folder, String(j)), text, 'latin1');
  }
  // Counted as well, as tilekit does.
  for (const i of texts.keys())
    for (const name of readdirSync(join(into, String(i))))
      readFileSync(join(into, String(i), name), 'latin1');
  const seconds = (performance.now() - began) / 1_000;
  rmSync(into, { recursive: true, force: true });
  return seconds;
}

/** What filling mailboxes costs, and what it would come to for the 16,000 of E12. */
export async function run(): Promise<BenchResult[]> {
  const dir = mkdtempSync(join(tmpdir(), 'tb-mail-bench-'));
  const password = 'bench';
  const passwordFile = join(dir, 'secret');
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  const server = await startDovecot({ users: mailboxes, password });
  try {
    const { path } = await findKit(places);
    const mail = {
      ...{ host: '127.0.0.1', imapPort: server.imapPort, passwordFile },
      ...{ mailboxes, messages },
    };
    const fills: Summary[] = [];
    const again: Summary[] = [];
    const bare: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      fills.push(ask(path, 'load', { schema: 1, mail }));
      again.push(ask(path, 'load', { schema: 1, mail }));
      bare.push(writeBare(server, dir));
      ask(path, 'unload', { schema: 1, mail });
    }
    const all = mailboxes * messages;
    const wrong = [...fills, ...again].filter(({ messages: there }) => there !== all);
    if (wrong.length > 0) throw new Error(`The server counts ${wrong[0]!.messages} of ${all}.`);
    const fillS = median(fills.map(({ seconds }) => seconds));
    const againS = median(again.map(({ seconds }) => seconds));
    const bareS = median(bare);
    const times = fullMailboxes / mailboxes;
    return [
      {
        name: `Mailboxes filled: ${mailboxes} of ${messages} messages in the sizes of MMB, Dovecot`,
        rows: [
          {
            label: 'bare files, written and read (anchor)',
            value: all / bareS,
            unit: 'messages/s',
          },
          {
            label: 'tilekit load: appended, and counted at the server',
            value: all / fillS,
            unit: 'messages/s',
            ratio: fillS / bareS,
            budget: 8,
          },
          {
            label: 'tilekit load again: all is there, and counted',
            value: all / againS,
            unit: 'messages/s',
            ratio: againS / fillS,
            budget: 1,
          },
          {
            label: `${fullMailboxes} such mailboxes, by arithmetic: ${fullMailboxes * messages} messages`,
            value: (fills[0]!.bytes * times) / 1e9,
            unit: 'GB',
          },
          {
            label: `the same at this machine's speed, by arithmetic, never run`,
            value: (fillS * times) / 60,
            unit: 'min',
          },
        ],
      },
    ];
  } finally {
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}
