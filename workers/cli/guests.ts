import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { counted } from '../../src/core/base/counted.ts';
import { fail, toAppError } from '../../src/core/base/errors.ts';
import { visibleText } from '../../src/core/base/visibleText.ts';
import { type GuestBundle } from '../../src/core/roles/bundle.ts';
import { cloudInit } from '../../src/core/roles/cloudInit.ts';
import { type GuestJob, type GuestSettings, guestSettings } from '../../src/core/roles/job.ts';
import { roleOf, roles } from '../../src/core/roles/roles.ts';
import type { Family } from '../../src/core/roles/systems.ts';
import type { Role } from '../../src/core/roles/types.ts';
import {
  bundleText,
  bundleWarning,
  jobSentence,
  placeText,
  roleTitle,
  roleWork,
} from '../../src/core/roles/words.ts';
import type { Connection } from '../../src/core/testbed/connection.ts';
import type { Testbed } from '../../src/core/testbed/testbed.ts';
import type { Client } from '../../src/wire/contract.ts';
import { sourceOf } from '../../src/wire/importOwn.ts';
import { exitCodes } from './exitCodes.ts';
import { followGuests } from './followGuests.ts';
import { type GuestSelection, machineName, machineWish, selectGuests } from './guestChoices.ts';
import { type Consent, importWithConsent } from './importFile.ts';
import type { Terminal } from './output.ts';
import { type Interrupts, readPlanFile } from './run.ts';

export interface GuestOptions {
  purpose: 'prepare' | 'undo';
  /** `MACHINE[=ROLE][@LOGIN]`; none = every machine that can be. */
  machines: readonly string[];
  mirror: string;
  /** File of a bundle that packages are taken from; null = none. */
  bundle: string | null;
  json: boolean;
  consent: Consent;
}

/** What a command would do, and to whom. */
interface Intent extends GuestSelection {
  testbed: Testbed;
  purpose: GuestOptions['purpose'];
  settings: GuestSettings;
  /** What `settings.bundle` is. */
  bundle: GuestBundle | null;
  logins: readonly Connection[];
}

/** Shows what would be done to which machine. No machine is reached; of vCenter, addresses are read. */
export async function planGuests(
  client: Client,
  fileOrTestbed: string,
  options: GuestOptions,
  terminal: Terminal,
): Promise<number> {
  const intent = await intentOf(client, fileOrTestbed, options, terminal);
  const { testbed, chosen, left, settings } = intent;
  if (options.json)
    terminal.out(
      JSON.stringify({
        testbedId: testbed.id,
        settings,
        machines: chosen.map(({ item, choice }) => ({ ...item, ...choice })),
        left: left.map(({ item, why }) => ({ ...item, why })),
      }),
    );
  else for (const text of intentLines(intent)) terminal.out(text);
  return left.some(({ item }) => item.roleId !== null) ? exitCodes.preflight : exitCodes.passed;
}

/**
 * Prepares the machines of a testbed, or takes it back, once that was shown and agreed to. The first
 * interrupt lets the step under way on each machine end, the second leaves it to them.
 */
export async function workGuests(
  client: Client,
  fileOrTestbed: string,
  options: GuestOptions,
  terminal: Terminal,
  interrupts: Interrupts,
): Promise<number> {
  const looking = new AbortController();
  const stopLooking = interrupts.on(() => looking.abort());
  const intent = await intentOf(client, fileOrTestbed, options, terminal, looking.signal).finally(
    stopLooking,
  );
  const { testbed, chosen, purpose, settings } = intent;
  for (const text of intentLines(intent)) terminal.err(text);
  if (chosen.length === 0)
    throw fail(
      'invalidInput',
      `There is nothing to do on the machines of ${visibleText(testbed.name)}.`,
      purpose === 'prepare'
        ? 'A machine needs a role and a login: see above.'
        : 'What another data folder prepared is put back by --machine MACHINE=ROLE@LOGIN.',
    );
  if (!options.consent.trust)
    throw fail(
      'invalidInput',
      `Nothing was sent to the machines of ${visibleText(testbed.name)}.`,
      'If all of the above is right, run the command again with --trust.',
    );
  const job = await followGuests(client, testbed.id, terminal, interrupts, () =>
    client.call('guest.start', {
      testbedId: testbed.id,
      purpose,
      settings,
      choices: chosen.map(({ choice }) => choice),
    }),
  );
  if (options.json) terminal.out(JSON.stringify({ outcome: job.state, job }));
  else printJob(job, terminal);
  return exitCodeOfJob(job);
}

/** The last job of a testbed. A plan file only names its testbed: nothing of it is taken in. */
export async function showGuests(
  client: Client,
  fileOrTestbed: string,
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  const testbed = isFile(fileOrTestbed)
    ? (await readPlanFile(fileOrTestbed)).testbed
    : await testbedOf(client, fileOrTestbed);
  const job = await client.call('guest.status', { testbedId: testbed.id });
  if (json) terminal.out(JSON.stringify(job));
  else if (job) printJob(job, terminal);
  else terminal.out(`No guest of ${visibleText(testbed.name)} was prepared.`);
}

/** Prints a role as user-data. Throws invalidInput where there is no such role. */
export function printCloudInit(
  roleId: string,
  { mirror, family, json }: { mirror: string; family: Family; json: boolean },
  terminal: Terminal,
): void {
  const role = roleNamed(roleId);
  if (family !== 'debian' && mirror !== '')
    throw fail('invalidInput', 'A mirror is one of APT.', 'Leave --mirror out for this system.');
  const userData = cloudInit(role, settingsOf(mirror), family);
  terminal.out(json ? JSON.stringify({ roleId, userData }) : userData.replace(/\n$/, ''));
}

/** Throws invalidInput, with the roles there are. */
export function roleNamed(roleId: string): Role {
  const role = roleOf(roleId);
  if (role) return role;
  throw fail(
    'invalidInput',
    `There is no role ${roleId}.`,
    `Name one of ${roles.map(({ id }) => id).join(', ')}.`,
  );
}

function exitCodeOfJob({ state }: Pick<GuestJob, 'state'>): number {
  if (state === 'done') return exitCodes.passed;
  return state === 'failed' ? exitCodes.failed : exitCodes.aborted;
}

const isFile = (fileOrTestbed: string): boolean =>
  existsSync(fileOrTestbed) || fileOrTestbed.endsWith('.json');

/** Throws invalidInput for what is no address of a mirror. */
export function settingsOf(mirror: string): GuestSettings {
  const parsed = guestSettings.safeParse({ mirror });
  if (parsed.success) return parsed.data;
  throw fail(
    'invalidInput',
    `"${mirror}" is no address of a mirror.`,
    'Give an address that begins with http://, https:// or file:/.',
  );
}

/** The testbed of a plan file, taken in on consent, or one that is stored, by id or name. */
async function testbedOf(client: Client, idOrName: string): Promise<Testbed> {
  const all = await client.call('testbed.list', {});
  const found =
    all.find(({ id }) => id === idOrName) ?? all.find(({ name }) => name === idOrName) ?? null;
  if (found) return found;
  throw fail(
    'notFound',
    `There is no testbed ${idOrName}.`,
    all.length === 0
      ? 'Name a plan file.'
      : `Name a plan file, or one of ${all.map(({ id }) => id).join(', ')}.`,
  );
}

async function intentOf(
  client: Client,
  fileOrTestbed: string,
  { purpose, machines, mirror, bundle: bundlePath, consent }: GuestOptions,
  terminal: Terminal,
  signal?: AbortSignal,
): Promise<Intent> {
  const settings = settingsOf(mirror);
  const wishes = machines.map(machineWish);
  let testbedId = fileOrTestbed;
  if (isFile(fileOrTestbed)) {
    const source = sourceOf(await readPlanFile(fileOrTestbed));
    testbedId = (await importWithConsent(client, source, consent, terminal, signal)).plan.testbedId;
  }
  const testbed = await testbedOf(client, testbedId);
  const bundle =
    bundlePath === null
      ? null
      : await client.call('guest.takeBundle', { path: resolve(bundlePath) }, signal);
  if (purpose === 'prepare') await readAddresses(client, testbed, terminal, signal);
  const plan = await client.call('guest.plan', { testbedId: testbed.id }, signal);
  const logins = await client.call('connection.list', {}, signal);
  return {
    ...selectGuests(plan, purpose, wishes),
    testbed,
    purpose,
    settings: { ...settings, bundle: bundle?.sha256 ?? '' },
    bundle,
    logins,
  };
}

/** Addresses of VMs as vCenter has them now; where it cannot be asked, they stay as last known. */
async function readAddresses(
  client: Client,
  { vcenterId }: Testbed,
  terminal: Terminal,
  signal?: AbortSignal,
): Promise<void> {
  if (vcenterId === null) return;
  try {
    await client.call('inventory.discover', { vcenterId }, signal);
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.kind === 'aborted') throw error;
    terminal.err(`Addresses of VMs are as last known: ${error.message}`);
  }
}

const undoWork = 'removes what the preparation installed, with its data';

/** Machine by machine: who, by which login, what is done; then what is left, and what to know. */
function intentLines({
  testbed,
  purpose,
  chosen,
  left,
  settings,
  bundle,
  logins,
}: Intent): readonly string[] {
  const does = purpose === 'prepare' ? 'Prepares' : 'Puts back';
  const used = roles.filter(({ id }) => chosen.some(({ choice }) => choice.roleId === id));
  const warnings = [...new Set(used.flatMap((role) => role.warnings))];
  return [
    `${does} ${counted(chosen.length, 'machine')} of testbed ${testbed.name}`,
    ...chosen.flatMap(({ item, choice }) => [
      `  ${machineName(item)}  ${item.vm ?? 'no VM'}, ${item.address ?? 'address not known'}: ` +
        `${roleTitle(choice.roleId)}, by ${loginText(logins, choice.connectionId)}`,
      `      ${purpose === 'prepare' ? roleWork(choice.roleId) : undoWork}`,
    ]),
    ...(left.length > 0 ? [`Left alone: ${counted(left.length, 'machine')}`] : []),
    ...left.map(({ item, why }) => `  ${machineName(item)}  ${item.vm ?? 'no VM'}: ${why}`),
    ...(purpose === 'prepare' && chosen.length > 0
      ? [
          `Packages: from ${packageSource(settings, bundle)}`,
          ...(bundle ? [`To know: ${bundleWarning}`] : []),
          ...warnings.map((text) => `To know: ${text}`),
        ]
      : []),
  ].map(visibleText);
}

const packageSource = ({ mirror }: GuestSettings, bundle: GuestBundle | null): string =>
  bundle
    ? `${bundleText(bundle)}, SHA-256 ${bundle.sha256}`
    : mirror === ''
      ? 'the sources that each machine has'
      : mirror;

function loginText(logins: readonly Connection[], id: string): string {
  const login = logins.find((one) => one.id === id);
  return login?.kind === 'client' ? `${id} (${login.user}@${login.host}:${login.port})` : id;
}

function printJob(job: GuestJob, terminal: Terminal): void {
  terminal.out(jobSentence(job));
  for (const { vm, error, ...item } of job.items)
    if (error) terminal.out(`${vm ?? placeText(item)}: ${error.message} ${error.hint}`);
}
