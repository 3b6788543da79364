import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Command, InvalidArgumentError } from 'commander';

import {
  announcePracticeLab,
  practiceLabPath,
  styleTilePath,
  withdrawPracticeLab,
} from '../../workers/practiceLab.ts';
import { type Lab, startLab } from './lab.ts';
import { installCommand, installPackages, missingForTile, missingPackages } from './packages.ts';
import { tileRefused } from './tile.ts';
import type { VcsimFault } from './vcsim.ts';

interface Options {
  install?: boolean;
  json?: boolean;
  clients: number;
  tiles: number;
  taskDelay: number;
  fault: VcsimFault[];
}

const count = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new InvalidArgumentError('A whole number.');
  return value;
};

/** `QueryPerf:noPermission:3` = method, kind, how often. */
function faultOf(text: string, before: VcsimFault[]): VcsimFault[] {
  const [method, type, times] = text.split(':');
  return [
    ...before,
    {
      ...(method ? { method } : {}),
      ...(type ? { type: type as NonNullable<VcsimFault['type']> } : {}),
      ...(times ? { count: Number(times) } : {}),
    },
  ];
}

const { install, json, clients, tiles, taskDelay, fault } = new Command('npm run lab --')
  .description(
    'A practice lab on this machine: a vCenter simulator, clients to log in to, a power ' +
      'meter and a database, on loopback and free ports. Ctrl-C ends it and leaves nothing.',
  )
  .option('--install', 'install missing Debian packages first (root)')
  .option('--json', 'one JSON object on stdout when it is ready')
  .option('--clients <n>', 'number of clients', count, 2)
  .option('--tiles <n>', 'tiles of the plan', count, 2)
  .option('--task-delay <ms>', 'every vCenter task takes this long', count, 0)
  .option(
    '--fault <method:type:count>',
    'inject a vCenter fault; may be given several times',
    faultOf,
    [],
  )
  .parse()
  .opts<Options>();

const tileLines = ({ servers, planPath }: NonNullable<Lab['styleTile']>): string[] => [
  '',
  '  VMmark 2 style tile: a scaling study of about six minutes, no VMmark result',
  `  mail      IMAP 127.0.0.1:${servers.mail.dovecot.imapPort}   SMTP ` +
    `127.0.0.1:${servers.mail.postfix.smtpPort}   mailboxes user1 to ` +
    `user${servers.mail.mailboxes}`,
  `  web       ${servers.web.url}/home`,
  `  shop      127.0.0.1:${servers.shop.port}   user ${servers.shop.user}   database ${servers.shop.database}`,
  `  plan      ${planPath}`,
];

/** Why there is no tile in the style of VMmark 2, a line for each reason; empty = there is one. */
function withoutTile(): string[] {
  const missing = missingForTile();
  const refused = tileRefused();
  const reasons = missing.map(
    ({ debian, load }) => `its ${load} needs ${debian}: sudo ${installCommand([debian])}`,
  );
  return [...reasons, ...(refused === null ? [] : [refused])].map(
    (reason) => `Without the VMmark 2 style tile: ${reason}`,
  );
}

/** Where everything is, for a program that starts the lab. */
const placesOf = ({ planPath, styleTile, vcenter, clients, nut }: Lab, dir: string) => ({
  planPath,
  styleTilePlanPath: styleTile?.planPath ?? null,
  dir,
  vcenter: {
    host: vcenter.host,
    port: vcenter.port,
    user: vcenter.user,
    fingerprint256: vcenter.fingerprint256,
  },
  clients: clients.map(({ name, host, port, user, privateKeyPath, hostKeySha256 }) => ({
    name,
    host,
    port,
    user,
    privateKeyPath,
    hostKeySha256,
  })),
  nut: { host: nut.host, port: nut.port, ups: nut.ups },
});

function say(lab: Lab): void {
  const { vcenter, nut, mariadb, planPath, styleTile } = lab;
  process.stdout.write(
    [
      'The practice lab is ready.',
      '',
      `  vCenter   ${vcenter.host}:${vcenter.port}   user ${vcenter.user}   password ${vcenter.password}`,
      `            certificate SHA-256 ${vcenter.fingerprint256}`,
      ...lab.clients.map(
        (c) =>
          `  ${c.name.padEnd(9)} ${c.host}:${c.port}   user ${c.user}   key ` +
          `${c.privateKeyPath}\n            host key ${c.hostKeySha256}`,
      ),
      `  power     NUT ${nut.host}:${nut.port}   ups ${nut.ups}   variable ups.realpower`,
      `  database  ${mariadb.host}:${mariadb.port}   user ${mariadb.user}   databases ${mariadb.databases.join(', ')}`,
      '',
      `  plan      ${planPath}`,
      ...(styleTile === null ? [] : tileLines(styleTile)),
      '',
      'A console that nothing is connected to offers it on Home: Use the practice lab.',
      'In another: File, Import plan file, and choose the plan. Or in another terminal:',
      `  npx tilebench check ${planPath} --trust`,
      `  npx tilebench run ${planPath}`,
      '--trust agrees to the addresses, secrets and commands of the plan; without it they are shown first.',
      'After an earlier lab, add --clash replace: its connections had other ports.',
      '',
      'Ctrl-C ends the lab.',
      '',
    ].join('\n'),
  );
}

async function main(): Promise<number> {
  const missing = missingPackages();
  if (missing.length > 0 && !install) {
    process.stderr.write(
      `The lab lacks programs: sudo ${installCommand(missing)}\nor, as root: npm run lab -- --install\n`,
    );
    return 2;
  }
  installPackages([...missing, ...(install ? missingForTile().map(({ debian }) => debian) : [])]);
  const without = withoutTile();
  for (const line of without) process.stderr.write(`${line}\n`);
  const dir = mkdtempSync(join(tmpdir(), 'tblab-'));
  const ending = Promise.race([
    once(process, 'SIGINT'),
    once(process, 'SIGTERM'),
    once(process, 'SIGHUP'),
  ]);
  try {
    process.stderr.write(
      'Starting the lab (the first time, the vCenter simulator is built: about a minute) …\n',
    );
    const lab = await startLab({
      dir,
      clients,
      tiles,
      taskDelayMs: taskDelay,
      faults: fault,
      ...(without.length === 0 ? { styleTile: {} } : {}),
    });
    const told = practiceLabPath(process.env);
    const plan = readFileSync(lab.planPath, 'utf8');
    announcePracticeLab(told, plan);
    const tile = lab.styleTile === null ? null : readFileSync(lab.styleTile.planPath, 'utf8');
    if (tile !== null) announcePracticeLab(styleTilePath(told), tile);
    if (json) process.stdout.write(`${JSON.stringify(placesOf(lab, dir))}\n`);
    else say(lab);
    await ending;
    process.stderr.write('Ending the lab …\n');
    withdrawPracticeLab(told, plan);
    if (tile !== null) withdrawPracticeLab(styleTilePath(told), tile);
    await lab.stop();
    return 0;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

// Handles of what has ended (pipes of the lab's programs) must not keep this program.
main().then(
  (code) => process.exit(code),
  (thrown: unknown) => {
    process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    process.exit(1);
  },
);
