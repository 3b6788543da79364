import { type Command, InvalidArgumentError, Option } from 'commander';

import { fail } from '../../src/core/base/errors.ts';
import {
  type HistoryItem,
  type HistoryOutcome,
  historySort,
  type RetentionRule,
} from '../../src/core/history/history.ts';
import { runStates } from '../../src/core/run/run.ts';
import { studyStates } from '../../src/core/study/study.ts';
import type { Client, Input } from '../../src/wire/contract.ts';
import { exitCodes } from './exitCodes.ts';
import { figure, table, type Terminal, timeText } from './output.ts';
import { readTextArgument } from './readFile.ts';

interface Common {
  data?: string;
  json?: boolean;
  demo?: boolean;
}
interface ListOptions extends Common {
  text?: string;
  tag?: string;
  folder?: string;
  state?: string;
  favourites?: boolean;
  archived: 'no' | 'yes' | 'both';
  deleted?: boolean;
  studies?: boolean;
  sort: NonNullable<Input<'history.list'>['sort']>;
  ascending?: boolean;
  limit: number;
}

/** What `runs` commands are made with, and run in. */
export interface HistoryCommands {
  runs: Command;
  terminal: Terminal;
  /** Adds a command with the common options. */
  command: (parent: Command, usage: string, text: string) => Command;
  /** Runs its work with an engine; its number is the exit code. */
  within: (common: Common, work: (client: Client) => Promise<number | void>) => Promise<void>;
}

/**
 * `runs list` and all that is put beside runs and studies: tags, notes, folders, archive, Deleted, storage and retention.
 */
export function addHistoryCommands({ runs, terminal, command, within }: HistoryCommands): void {
  const several = (value: string, before: string[]): string[] => [...before, value];
  command(runs, 'list', 'all runs, or those a text, tag, folder or state names')
    .option(
      '--text <words>',
      'words in names, notes, tags, hosts, findings, testbed or profile; "quoted" words stand together',
    )
    .option('--tag <tag>', 'with this tag')
    .option('--folder <path>', "in this folder and those in it; '' = in none")
    .addOption(
      new Option('--state <state>', 'in this state').choices([
        ...new Set([...runStates, ...studyStates]),
      ]),
    )
    .option('--favourites', 'favourites only')
    .addOption(
      new Option('--archived <which>', 'archived ones')
        .choices(['no', 'yes', 'both'])
        .default('no'),
    )
    .option('--deleted', 'what lies in Deleted')
    .option('--studies', 'studies too')
    .addOption(
      new Option('--sort <by>', 'order').choices([...historySort.options]).default('started'),
    )
    .option('--ascending', 'the least first')
    .option('--limit <n>', 'at most so many', countOf, 10_000)
    .action((options: ListOptions) =>
      within(options, (client) => listHistory(client, options, terminal)),
    );
  command(
    runs,
    'tag <ids...>',
    'add and remove tags, move to a folder, mark as favourite; a study is named study:<id>',
  )
    .option('--add <tag>', 'tag to add; may be given several times', several, [])
    .option('--remove <tag>', 'tag to remove; may be given several times', several, [])
    .option('--folder <path>', "folder, A/B; '' = none")
    .option('--favourite', 'keep as favourite')
    .option('--no-favourite', 'no favourite any more')
    .action(
      (
        ids: string[],
        options: Common & { add: string[]; remove: string[]; folder?: string; favourite?: boolean },
      ) =>
        within(options, async (client) => {
          const { add, remove, folder, favourite } = options;
          if (
            add.length === 0 &&
            remove.length === 0 &&
            folder === undefined &&
            favourite === undefined
          )
            throw fail(
              'invalidInput',
              'Nothing is to be changed.',
              'Give --add, --remove, --folder, --favourite or --no-favourite.',
            );
          return told(
            await client.call('history.annotate', {
              items: ids.map(itemOf),
              patch: {
                addTags: add,
                removeTags: remove,
                ...(folder === undefined ? {} : { folder }),
                ...(favourite === undefined ? {} : { favourite }),
              },
            }),
            'changed',
            options,
            terminal,
          );
        }),
    );
  command(runs, 'note <id> [text]', 'show the notes of a run, or replace them (Markdown)')
    .option('--file <file>', 'take them from a file')
    .option('--clear', 'remove them')
    .action(
      (
        id: string,
        text: string | undefined,
        options: Common & { file?: string; clear?: boolean },
      ) =>
        within(options, async (client) => {
          const notes = options.clear
            ? ''
            : options.file === undefined
              ? text
              : await readTextArgument(options.file);
          if (notes !== undefined)
            return told(
              await client.call('history.annotate', { items: [itemOf(id)], patch: { notes } }),
              'changed',
              options,
              terminal,
            );
          const stored = await client.call('history.notes', itemOf(id));
          terminal.out(options.json ? JSON.stringify(stored) : stored.markdown);
        }),
    );
  command(runs, 'archive <ids...>', 'put aside: not listed unless asked for')
    .option('--undo', 'back from the archive')
    .action((ids: string[], options: Common & { undo?: boolean }) =>
      within(options, async (client) =>
        told(
          await client.call('history.archive', {
            items: ids.map(itemOf),
            archived: options.undo !== true,
          }),
          options.undo ? 'taken from the archive' : 'archived',
          options,
          terminal,
        ),
      ),
    );
  command(
    runs,
    'delete <ids...>',
    'put into Deleted, from where `runs restore` takes it back',
  ).action((ids: string[], options: Common) =>
    within(options, async (client) =>
      told(
        await client.call('history.delete', { items: ids.map(itemOf) }),
        'deleted',
        options,
        terminal,
      ),
    ),
  );
  command(runs, 'restore <ids...>', 'take out of Deleted; a study brings its runs').action(
    (ids: string[], options: Common) =>
      within(options, async (client) =>
        told(
          await client.call('history.restore', { items: ids.map(itemOf) }),
          'restored',
          options,
          terminal,
        ),
      ),
  );
  command(runs, 'purge [ids...]', 'remove for ever what lies in Deleted')
    .option('--all', 'all of Deleted')
    .requiredOption('--yes', 'it cannot be undone')
    .action((ids: string[], options: Common & { all?: boolean }) =>
      within(options, async (client) => {
        const items = options.all
          ? (await client.call('history.list', { deleted: true, limit: 5_000 })).entries.map(
              ({ kind, id }): HistoryItem => ({ kind, id }),
            )
          : ids.map(itemOf);
        if (items.length === 0 && !options.all)
          throw fail('invalidInput', 'Nothing is named.', 'Give ids, or --all.');
        return told(
          items.length === 0
            ? { done: [], refused: [] }
            : await client.call('history.purge', { items }),
          'purged',
          options,
          terminal,
        );
      }),
    );
  command(
    runs,
    'raw <id>',
    'print the record of a run, or of study:<id>, as it is stored: also one that cannot be read',
  ).action((id: string, options: Common) =>
    within(options, async (client) => {
      const { text } = await client.call('history.raw', itemOf(id));
      terminal.out(options.json ? JSON.stringify({ text }) : text);
    }),
  );
  command(runs, 'storage', 'what the database holds, and what takes most').action(
    (options: Common) =>
      within(options, (client) => showStorage(client, options.json === true, terminal)),
  );
  command(
    runs,
    'retention',
    'what is removed by itself; without an option: show it, and what it would remove now',
  )
    .option('--on', 'switch it on')
    .option('--off', 'switch it off')
    .option('--deleted-days <days>', 'purge what lies in Deleted this long; never', daysOf)
    .option('--sample-days <days>', 'thin samples of runs this old to one in 20 s; never', daysOf)
    .action((options: RetentionOptions) =>
      within(options, (client) => retention(client, options, terminal)),
    );
}

/** `study:<id>` names a study, anything else a run. */
const itemOf = (id: string): HistoryItem =>
  id.startsWith('study:') ? { kind: 'study', id: id.slice('study:'.length) } : { kind: 'run', id };

async function listHistory(
  client: Client,
  {
    text,
    tag,
    folder,
    state,
    favourites,
    archived,
    deleted,
    studies,
    sort,
    ascending,
    limit,
    json,
  }: ListOptions,
  terminal: Terminal,
): Promise<void> {
  const { entries, total, matched } = await client.call('history.list', {
    archived,
    deleted: deleted === true,
    sort,
    descending: ascending !== true,
    limit,
    ...(studies ? {} : { kind: 'run' as const }),
    ...(text === undefined ? {} : { text }),
    ...(tag === undefined ? {} : { tag }),
    ...(folder === undefined ? {} : { folder }),
    ...(state === undefined ? {} : { state }),
    ...(favourites ? { favourite: true } : {}),
  });
  await tellUnreadable(client, terminal);
  if (json) {
    terminal.out(JSON.stringify(entries));
    return;
  }
  const fields = new Map(
    matched.map((match) => [
      `${match.kind} ${match.id}`,
      match.hits.map((hit) => hit.field).join(', '),
    ]),
  );
  terminal.out(
    table(
      [
        'id',
        'name',
        'started',
        'state',
        'tiles',
        'score',
        'compliant',
        'profile',
        'tags',
        ...(text === undefined ? [] : ['found in']),
      ],
      entries.map((entry) => {
        const run = entry.kind === 'run' ? entry : null;
        return [
          run ? entry.id : `study:${entry.id}`,
          entry.name,
          timeText(entry.startedAtMs),
          entry.state,
          run?.tiles ?? null,
          figure(run?.score ?? null),
          run?.compliant == null ? null : run.compliant ? 'yes' : 'no',
          run?.profileName ?? null,
          entry.tags.join(', '),
          ...(text === undefined ? [] : [fields.get(`${entry.kind} ${entry.id}`) ?? '']),
        ];
      }),
    ),
  );
  if (total > entries.length)
    terminal.err(`${entries.length} of ${total} are shown: raise --limit for more.`);
}

/** Names what is on no list because it cannot be read, on stderr: it changes no exit code. */
async function tellUnreadable(client: Client, terminal: Terminal): Promise<void> {
  const { file, items } = await client.call('history.unreadable', {});
  for (const { kind, id, issue, deletedAtMs } of items) {
    const name = kind === 'study' ? `study:${id}` : id;
    const away =
      deletedAtMs === null ? `tilebench runs delete ${name}` : `tilebench runs purge ${name} --yes`;
    terminal.err(
      `The stored ${kind} ${id} in ${file} cannot be read and is left out: ${issue}. ` +
        `"tilebench runs raw ${name}" prints it as it is stored, "${away}" removes it.`,
    );
  }
}

/** 4 where anything was refused. */
function told(outcome: HistoryOutcome, done: string, { json }: Common, terminal: Terminal): number {
  if (json) terminal.out(JSON.stringify(outcome));
  else terminal.out(`${outcome.done.length} ${done}.`);
  for (const { name, reason } of outcome.refused) terminal.err(`${name}: ${reason}`);
  return outcome.refused.length === 0 ? exitCodes.passed : exitCodes.failed;
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
function countOf(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 10_000)
    throw new InvalidArgumentError('It is a number from 1 to 10000.');
  return count;
}
