import type { Command } from 'commander';

import { roles } from '../../src/core/roles/roles.ts';
import {
  addCommand,
  type CommandLine,
  type Common,
  type Consenting,
  consenting,
  consentOf,
  withSession,
} from './commandLine.ts';
import { exitCodeHelp } from './exitCodes.ts';
import { type GuestOptions, planGuests, printCloudInit, showGuests, workGuests } from './guests.ts';

interface Choosing extends Common, Consenting {
  machine?: string[];
  mirror?: string;
}

const collect = (text: string, before: readonly string[] = []): string[] => [...before, text];
const roleNames = roles.map(({ id }) => id).join(', ');

const choosing = (command: Command): Command =>
  consenting(command).option(
    '--machine <machine[=role][@login]>',
    'only this one, by its key (0/database) or the name of its VM, with another role ' +
      `(${roleNames}) or another login; may be given several times`,
    collect,
  );
const withMirror = (command: Command): Command =>
  command.option(
    '--mirror <address>',
    'APT mirror that machines take packages from; absent: the sources each machine has',
  );

const optionsOf = (purpose: GuestOptions['purpose'], common: Choosing): GuestOptions => ({
  purpose,
  machines: common.machine ?? [],
  mirror: common.mirror ?? '',
  json: common.json === true,
  consent: consentOf(common),
});

/** Adds `guests` with its commands. */
export function addGuestCommands(line: CommandLine, program: Command): void {
  const { terminal } = line;
  const guests = program
    .command('guests')
    .description('machines under load: prepared for their workloads, and put back')
    .addHelpText('after', exitCodeHelp);
  withMirror(
    choosing(
      addCommand(
        guests,
        'plan <plan-or-testbed>',
        'what would be done to which machine; none of them is reached',
      ),
    ),
  ).action((what: string, common: Choosing) =>
    withSession(line, common, ({ client }) =>
      planGuests(client, what, optionsOf('prepare', common), terminal),
    ),
  );
  addWork(line, guests, 'prepare');
  addCommand(guests, 'status <plan-or-testbed>', 'how far the last preparation came').action(
    (what: string, common: Common) =>
      withSession(line, common, ({ client }) =>
        showGuests(client, what, common.json === true, terminal),
      ),
  );
  addWork(line, guests, 'undo');
  withMirror(
    guests
      .command('cloud-init <role>')
      .description(`a role as user-data for a template that is cloned: ${roleNames}`)
      .option('--json', 'one JSON object on stdout'),
  ).action((role: string, common: { json?: boolean; mirror?: string }) =>
    printCloudInit(role, common.mirror ?? '', common.json === true, terminal),
  );
}

function addWork(line: CommandLine, guests: Command, purpose: GuestOptions['purpose']): void {
  const command = choosing(
    addCommand(
      guests,
      `${purpose} <plan-or-testbed>`,
      purpose === 'prepare'
        ? 'install and set up what their workloads need, over SSH; Ctrl-C lets each step under way end'
        : 'take back what was done to them; Ctrl-C lets each step under way end',
    ),
  );
  (purpose === 'prepare' ? withMirror(command) : command).action((what: string, common: Choosing) =>
    withSession(line, common, ({ client }) =>
      workGuests(client, what, optionsOf(purpose, common), line.terminal, line.options.interrupts),
    ),
  );
}
