import { type Command, Option } from 'commander';

import { bundleReleases } from '../../src/core/roles/bundle.ts';
import { roles } from '../../src/core/roles/roles.ts';
import { families, type Family } from '../../src/core/roles/systems.ts';
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
import { bundleRoles } from './guestBundle.ts';
import { type GuestOptions, planGuests, printCloudInit, showGuests, workGuests } from './guests.ts';

interface Choosing extends Common, Consenting {
  machine?: string[];
  mirror?: string;
  bundle?: string;
}
interface Bundling {
  out: string;
  for?: string;
  architecture?: string;
  mirror?: string;
  json?: boolean;
}

const collect = (text: string, before: readonly string[] = []): string[] => [...before, text];
const roleNames = roles.map(({ id }) => id).join(', ');

const choosing = (command: Command): Command =>
  consenting(command).option(
    '--machine <machine[=role][@login]>',
    'only this one, by tile and workload (1/database) or the name of its VM, with another role ' +
      `(${roleNames}) or another login; may be given several times`,
    collect,
  );
/** For commands that install: where packages come from. */
const withSource = (command: Command): Command =>
  withMirror(command).option(
    '--bundle <file>',
    'packages come from this file, made by `guests bundle`: for machines without a mirror',
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
  bundle: common.bundle ?? null,
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
  withSource(
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
  addBundle(line, guests);
  withMirror(
    guests
      .command('cloud-init <role>')
      .description(`a role as user-data for a template that is cloned: ${roleNames}`)
      .addOption(
        new Option('--system <family>', 'of the template; redhat was not yet run on such a machine')
          .choices([...families])
          .default('debian'),
      )
      .option('--json', 'one JSON object on stdout'),
  ).action((role: string, common: { json?: boolean; mirror?: string; system: Family }) =>
    printCloudInit(
      role,
      { mirror: common.mirror ?? '', family: common.system, json: common.json === true },
      terminal,
    ),
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
  (purpose === 'prepare' ? withSource(command) : command).action((what: string, common: Choosing) =>
    withSession(line, common, ({ client }) =>
      workGuests(client, what, optionsOf(purpose, common), line.terminal, line.options.interrupts),
    ),
  );
}

function addBundle({ terminal, options }: CommandLine, guests: Command): void {
  withMirror(
    guests
      .command('bundle <roles...>')
      .description(
        'packages of roles with all that they need as one file, for machines without a mirror; ' +
          `made on Debian or Ubuntu that reaches one: ${roleNames}`,
      )
      .requiredOption('--out <file>', 'file to write')
      .addOption(
        new Option(
          '--for <release>',
          'release of the machines; absent: the one of this computer',
        ).choices(bundleReleases.map(({ id }) => id)),
      )
      .option('--architecture <name>', 'of the machines, amd64 or arm64; absent: as this computer')
      .option('--json', 'one JSON object on stdout')
      .addHelpText('after', exitCodeHelp),
  ).action((ids: string[], common: Bundling) =>
    bundleRoles(ids, common, terminal, options.interrupts),
  );
}
