import { readFileSync } from 'node:fs';

import type { Command } from 'commander';

import { fail } from '../../src/core/base/errors.ts';
import type { Feed } from '../engine/deps/updates.ts';
import { isNewer } from '../engine/updates/feed.ts';
import { fetchFeed, holdFile, readSettings, settingsFile, updateKey } from '../updates.ts';
import type { CommandLine } from './commandLine.ts';

interface UpdateOptions {
  feed?: string;
  key?: string;
  json?: boolean;
}

/** Throws where no feed is set, or what is set cannot be used. */
async function feedOf({ feed, key }: UpdateOptions): Promise<Feed> {
  const path = settingsFile(process.env, process.platform);
  const set = readSettings(path);
  const location = feed ?? set?.feed;
  const keyFile = key ?? set?.key;
  if (location === undefined || keyFile === undefined)
    throw fail(
      'invalidInput',
      'No feed of updates is set, and nothing is looked for.',
      `Give --feed and --key, or have the administrator write both into ${path}.`,
    );
  return fetchFeed(location, updateKey(readFileSync(keyFile, 'utf8')));
}

const common = (command: Command): Command =>
  command
    .option('--feed <place>', 'folder or https: address of the feed')
    .option('--key <file>', 'public Ed25519 key of the feed, in PEM')
    .option('--json', 'one JSON object on stdout');

/** `update check` and `update verify`; neither installs anything. */
export function addUpdateCommands(line: CommandLine, program: Command): void {
  const { terminal, options } = line;
  const update = program.command('update').description('newer versions, from a signed feed');
  common(update.command('check').description('whether the feed offers a newer version')).action(
    async (given: UpdateOptions) => {
      const feed = await feedOf(given);
      const newer = isNewer(feed.version, options.version);
      if (given.json) {
        terminal.out(JSON.stringify({ installed: options.version, newer, ...feed }));
        return;
      }
      terminal.out(
        newer
          ? `Tilebench ${feed.version} is there, of ${feed.publishedAt.slice(0, 10)}; this ` +
              `is ${options.version}.\n\n${feed.notes}`
          : `Tilebench ${options.version} is the newest.`,
      );
    },
  );
  common(
    update
      .command('verify <file>')
      .description('hold a package that was carried here against the signed feed'),
  ).action(async (path: string, given: UpdateOptions) => {
    const feed = await feedOf(given);
    await holdFile(feed, path);
    const newer = isNewer(feed.version, options.version);
    if (given.json) terminal.out(JSON.stringify({ verified: true, version: feed.version, newer }));
    else
      terminal.out(
        `${path} is what was published as ${feed.version}. ` +
          (newer
            ? 'Install it as docs/admin.md says.'
            : `It is not newer than ${options.version}.`),
      );
  });
}
