import { type Command, InvalidArgumentError } from 'commander';

import { fail } from '../../src/core/base/errors.ts';
import type { RetentionRule } from '../../src/core/history/history.ts';
import type { Client } from '../../src/wire/contract.ts';
import { addEitherCommand, type CommandLine, type Common, withSession } from './commandLine.ts';
import { table, type Terminal } from './output.ts';

/** Adds `runs storage` and `runs retention`. */
export function addStorageCommands(line: CommandLine, runs: Command): void {
  const { terminal } = line;
  addEitherCommand(runs, 'storage', 'what the database holds, and what takes most').action(
    (options: Common) =>
      withSession(line, options, ({ client }) =>
        showStorage(client, options.json === true, terminal),
      ),
  );
  addEitherCommand(
    runs,
    'retention',
    'what is removed by itself; without an option: show it, and what it would remove now',
  )
    .option('--on', 'switch it on')
    .option('--off', 'switch it off')
    .option('--deleted-days <days>', 'purge what lies in Deleted this long; never', daysOf)
    .option('--sample-days <days>', 'thin samples of runs this old to one in 20 s; never', daysOf)
    .action((options: RetentionOptions) =>
      withSession(line, options, ({ client }) => retention(client, options, terminal)),
    );
}

const megabytes = (bytes: number | null): string | null =>
  bytes === null ? null : `${(bytes / 1e6).toFixed(1)} MB`;

async function showStorage(client: Client, json: boolean, terminal: Terminal): Promise<void> {
  const storage = await client.call('history.storage', {});
  if (json) {
    terminal.out(JSON.stringify(storage));
    return;
  }
  terminal.out(
    `database ${megabytes(storage.databaseBytes)}, of which ${megabytes(storage.freeBytes)} are free for the next runs`,
  );
  terminal.out(
    table(
      ['kind', 'entries', 'content'],
      storage.perKind.map((one) => [one.kind, one.entries, megabytes(one.bytes)]),
    ),
  );
  if (storage.biggest.length > 0)
    terminal.out(
      table(
        ['biggest', 'id', 'content'],
        storage.biggest.map((one) => [one.name, one.id, megabytes(one.bytes)]),
      ),
    );
  if (storage.unmeasured > 0) terminal.err(`${storage.unmeasured} are not measured yet.`);
}

type Days = number | 'never';
interface RetentionOptions extends Common {
  on?: boolean;
  off?: boolean;
  deletedDays?: Days;
  sampleDays?: Days;
}
async function retention(
  client: Client,
  options: RetentionOptions,
  terminal: Terminal,
): Promise<void> {
  if (options.on && options.off) throw fail('invalidInput', '--on and --off exclude each other.');
  const before = await client.call('history.retention.get', {});
  const rule: RetentionRule = {
    ...before,
    ...(options.on || options.off ? { enabled: options.on === true } : {}),
    ...(options.deletedDays === undefined ? {} : { deletedDays: dayCount(options.deletedDays) }),
    ...(options.sampleDays === undefined ? {} : { sampleDays: dayCount(options.sampleDays) }),
  };
  const preview = await client.call('history.retention.preview', { rule });
  if (JSON.stringify(rule) !== JSON.stringify(before))
    await client.call('history.retention.set', rule);
  if (options.json) {
    terminal.out(JSON.stringify({ rule, preview }));
    return;
  }
  const days = (count: number | null): string => (count === null ? 'never' : `after ${count} days`);
  terminal.out(
    `retention is ${rule.enabled ? 'on' : 'off'}: Deleted is purged ` +
      `${days(rule.deletedDays)}; samples are thinned to one in 20 s ${days(rule.sampleDays)}; ` +
      'favourites and opened files stay',
  );
  terminal.out(
    `${rule.enabled ? 'due now' : 'would be due now'}: ${preview.purge.length} to purge, ` +
      `${preview.thin.length} to thin, about ${megabytes(preview.bytes)}`,
  );
}

/** A parser of commander's must not give null: it would become ''. */
function daysOf(text: string): Days {
  if (text === 'never') return 'never';
  const days = Number(text);
  if (!Number.isInteger(days) || days < 1 || days > 3_650)
    throw new InvalidArgumentError('Days are a number from 1 to 3650, or never.');
  return days;
}
const dayCount = (days: Days): number | null => (days === 'never' ? null : days);
