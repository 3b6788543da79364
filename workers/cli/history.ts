import type { Command } from 'commander';

import { fail } from '../../src/core/base/errors.ts';
import type { HistoryItem, HistoryOutcome } from '../../src/core/history/history.ts';
import type { Client } from '../../src/wire/contract.ts';
import { addEitherCommand, type CommandLine, type Common, withSession } from './commandLine.ts';
import { exitCodes } from './exitCodes.ts';
import { readTextArgument } from './readFile.ts';

/** Adds what changes what is put beside runs and studies: tags, notes, archive, Deleted. */
export function addHistoryCommands(line: CommandLine, runs: Command): void {
  addTag(line, runs);
  addNote(line, runs);
  addArchive(line, runs);
  addDelete(line, runs);
  addRestore(line, runs);
  addPurge(line, runs);
  addRaw(line, runs);
}

/** Runs a command that changes items, and prints how many are `done` and which were refused. */
const changing = (
  line: CommandLine,
  options: Common,
  done: string,
  change: (client: Client) => Promise<HistoryOutcome>,
): Promise<void> =>
  withSession(line, options, async ({ client }) => told(line, await change(client), done, options));

/** 4 where anything was refused. */
function told(
  { terminal }: CommandLine,
  outcome: HistoryOutcome,
  done: string,
  { json }: Common,
): number {
  if (json) terminal.out(JSON.stringify(outcome));
  else terminal.out(`${outcome.done.length} ${done}.`);
  for (const { name, reason } of outcome.refused) terminal.err(`${name}: ${reason}`);
  return outcome.refused.length === 0 ? exitCodes.passed : exitCodes.failed;
}

/** `study:<id>` names a study, anything else a run. */
const itemOf = (id: string): HistoryItem =>
  id.startsWith('study:') ? { kind: 'study', id: id.slice('study:'.length) } : { kind: 'run', id };

interface TagOptions extends Common {
  add: string[];
  remove: string[];
  folder?: string;
  favourite?: boolean;
}

function addTag(line: CommandLine, runs: Command): void {
  const several = (value: string, before: string[]): string[] => [...before, value];
  addEitherCommand(
    runs,
    'tag <ids...>',
    'add and remove tags, move to a folder, mark as favourite; a study is named study:<id>',
  )
    .option('--add <tag>', 'tag to add; may be given several times', several, [])
    .option('--remove <tag>', 'tag to remove; may be given several times', several, [])
    .option('--folder <path>', "folder, A/B; '' = none")
    .option('--favourite', 'keep as favourite')
    .option('--no-favourite', 'no favourite any more')
    .action((ids: string[], options: TagOptions) =>
      changing(line, options, 'changed', (client) => annotate(client, ids, options)),
    );
}

function annotate(
  client: Client,
  ids: readonly string[],
  { add, remove, folder, favourite }: TagOptions,
): Promise<HistoryOutcome> {
  if (add.length === 0 && remove.length === 0 && folder === undefined && favourite === undefined)
    throw fail(
      'invalidInput',
      'Nothing is to be changed.',
      'Give --add, --remove, --folder, --favourite or --no-favourite.',
    );
  return client.call('history.annotate', {
    items: ids.map(itemOf),
    patch: {
      addTags: add,
      removeTags: remove,
      ...(folder === undefined ? {} : { folder }),
      ...(favourite === undefined ? {} : { favourite }),
    },
  });
}

interface NoteOptions extends Common {
  file?: string;
  clear?: boolean;
}

function addNote(line: CommandLine, runs: Command): void {
  addEitherCommand(runs, 'note <id> [text]', 'show the notes of a run, or replace them (Markdown)')
    .option('--file <file>', 'take them from a file')
    .option('--clear', 'remove them')
    .action((id: string, text: string | undefined, options: NoteOptions) =>
      withSession(line, options, async ({ client }) => {
        const notes = await notesGiven(text, options);
        if (notes !== undefined)
          return told(
            line,
            await client.call('history.annotate', { items: [itemOf(id)], patch: { notes } }),
            'changed',
            options,
          );
        const stored = await client.call('history.notes', itemOf(id));
        line.terminal.out(options.json ? JSON.stringify(stored) : stored.markdown);
      }),
    );
}

/** What the notes become; undefined = they are only shown. */
async function notesGiven(
  text: string | undefined,
  { file, clear }: NoteOptions,
): Promise<string | undefined> {
  if (clear) return '';
  return file === undefined ? text : readTextArgument(file);
}

function addArchive(line: CommandLine, runs: Command): void {
  addEitherCommand(runs, 'archive <ids...>', 'put aside: not listed unless asked for')
    .option('--undo', 'back from the archive')
    .action((ids: string[], options: Common & { undo?: boolean }) =>
      changing(line, options, options.undo ? 'taken from the archive' : 'archived', (client) =>
        client.call('history.archive', {
          items: ids.map(itemOf),
          archived: options.undo !== true,
        }),
      ),
    );
}

function addDelete(line: CommandLine, runs: Command): void {
  addEitherCommand(
    runs,
    'delete <ids...>',
    'put into Deleted, from where `runs restore` takes it back',
  ).action((ids: string[], options: Common) =>
    changing(line, options, 'deleted', (client) =>
      client.call('history.delete', { items: ids.map(itemOf) }),
    ),
  );
}

function addRestore(line: CommandLine, runs: Command): void {
  addEitherCommand(runs, 'restore <ids...>', 'take out of Deleted; a study brings its runs').action(
    (ids: string[], options: Common) =>
      changing(line, options, 'restored', (client) =>
        client.call('history.restore', { items: ids.map(itemOf) }),
      ),
  );
}

function addPurge(line: CommandLine, runs: Command): void {
  addEitherCommand(runs, 'purge [ids...]', 'remove for ever what lies in Deleted')
    .option('--all', 'all of Deleted')
    .requiredOption('--yes', 'it cannot be undone')
    .action((ids: string[], options: Common & { all?: boolean }) =>
      changing(line, options, 'purged', async (client) => {
        const items = options.all ? await allDeleted(client) : ids.map(itemOf);
        if (items.length === 0 && !options.all)
          throw fail('invalidInput', 'Nothing is named.', 'Give ids, or --all.');
        return items.length === 0
          ? { done: [], refused: [] }
          : client.call('history.purge', { items });
      }),
    );
}

async function allDeleted(client: Client): Promise<HistoryItem[]> {
  const { entries } = await client.call('history.list', { deleted: true, limit: 5_000 });
  return entries.map(({ kind, id }) => ({ kind, id }));
}

function addRaw(line: CommandLine, runs: Command): void {
  addEitherCommand(
    runs,
    'raw <id>',
    'print the record of a run, or of study:<id>, as it is stored: also one that cannot be read',
  ).action((id: string, options: Common) =>
    withSession(line, options, async ({ client }) => {
      const { text } = await client.call('history.raw', itemOf(id));
      line.terminal.out(options.json ? JSON.stringify({ text }) : text);
    }),
  );
}
