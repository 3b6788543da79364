import { type Command, InvalidArgumentError, Option } from 'commander';

import { historySort } from '../../src/core/history/history.ts';
import { runStateWord } from '../../src/core/run/runWords.ts';
import { runStates } from '../../src/core/run/states.ts';
import { studyStates } from '../../src/core/study/study.ts';
import type { Client, Input } from '../../src/wire/contract.ts';
import { addEitherCommand, type CommandLine, type Common, withSession } from './commandLine.ts';
import { figure, table, type Terminal, timeText } from './output.ts';

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

/** Adds `runs list`. */
export function addListCommand(line: CommandLine, runs: Command): void {
  addEitherCommand(runs, 'list', 'all runs, or those a text, tag, folder or state names')
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
      withSession(line, options, ({ client }) => listHistory(client, options, line.terminal)),
    );
}

function countOf(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 10_000)
    throw new InvalidArgumentError('It is a number from 1 to 10000.');
  return count;
}

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
          run ? runStateWord(run.state, run.compliant).toLowerCase() : entry.state,
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
