import * as z from 'zod';

import { field } from '../base/field.ts';

/** Longest file that is read, in characters, and most hosts it may name. */
const longest = 1_000_000;
const mostHosts = 400;

/** One host of an OpenSSH client configuration, as `ssh ALIAS` would go to it. */
const sshHostSchema = z.object({
  alias: field.name('client'),
  host: field.address('address'),
  port: z.number().int(),
  /** null = the file names none. */ user: field.address('person').nullable(),
  identityFile: field.address('path').nullable(),
  /** First hop first; aliases of the file, or `user@host:port`. */ jumps: field.list(
    field.address('address'),
  ),
});
export type SshHost = z.infer<typeof sshHostSchema>;
export type SshConfig = { hosts: SshHost[]; notes: string[] } | { problem: string };

const keywords = ['hostname', 'user', 'port', 'identityfile', 'proxyjump'] as const;
type Keyword = (typeof keywords)[number];
interface Block {
  /** Patterns of its `Host`; null = a `Match`, which is not evaluated. */
  patterns: readonly string[] | null;
  values: Partial<Record<Keyword, string>>;
}

/**
 * The hosts of an ssh_config file: names without wildcards, with the first value of each keyword
 * among the blocks that match, as ssh reads it. Nothing of the file is run: `Match` and `Include`
 * are left out, and noted.
 */
export function readSshConfig(text: string): SshConfig {
  if (text.length > longest) return { problem: 'The file is longer than a million characters.' };
  if (text.includes('\0')) return { problem: 'This is no text file.' };
  const notes = new Set<string>();
  const blocks = blocksOf(text, notes);
  const aliases = [
    ...new Set(
      blocks.flatMap(({ patterns }) => patterns ?? []).filter((one) => !/[*?!]/.test(one)),
    ),
  ];
  if (aliases.length === 0)
    return { problem: 'The file names no host: it has no line “Host NAME” without a wildcard.' };
  if (aliases.length > mostHosts)
    return { problem: `The file names more than ${mostHosts} hosts.` };
  const hosts = aliases.flatMap((alias) => {
    const made = hostOf(alias, blocks);
    if (typeof made === 'string') notes.add(`${alias} is left out: ${made}.`);
    return typeof made === 'string' ? [] : [made];
  });
  return hosts.length === 0
    ? { problem: `No host of the file can be used. ${[...notes].slice(0, 3).join(' ')}` }
    : { hosts, notes: [...notes] };
}

function blocksOf(text: string, notes: Set<string>): Block[] {
  // What stands before the first Host is for every host.
  const blocks: Block[] = [{ patterns: ['*'], values: {} }];
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const found = /^\s*([A-Za-z]+)(?:\s*=\s*|\s+)(.*?)\s*$/.exec(line);
    if (found === null || line.trimStart().startsWith('#')) continue;
    const keyword = found[1]!.toLowerCase();
    const words = wordsOf(found[2]!);
    if (keyword === 'host') blocks.push({ patterns: words, values: {} });
    else if (keyword === 'match') {
      blocks.push({ patterns: null, values: {} });
      notes.add('Match blocks are not read: what they set is missing here.');
    } else if (keyword === 'include')
      notes.add('Include is not followed: choose that file itself.');
    else if (isKeyword(keyword) && words[0] !== undefined)
      blocks.at(-1)!.values[keyword] ??= words[0];
  }
  return blocks;
}

const isKeyword = (word: string): word is Keyword => (keywords as readonly string[]).includes(word);

/** Words between blanks; quotes hold one together, `#` begins a comment. */
const wordsOf = (rest: string): string[] =>
  [...rest.matchAll(/"([^"]*)"|(#.*)|([^\s"]+)/g)].flatMap(([, quoted, comment, plain]) =>
    comment === undefined ? [quoted ?? plain ?? ''] : [],
  );

/** One host, or why it cannot be used. */
function hostOf(alias: string, blocks: readonly Block[]): SshHost | string {
  const value = (keyword: Keyword): string | undefined =>
    blocks.find(({ patterns, values }) => values[keyword] !== undefined && matches(patterns, alias))
      ?.values[keyword];
  const host = (value('hostname') ?? alias).replaceAll('%h', alias).replaceAll('%%', '%');
  const port = Number(value('port') ?? 22);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    return `its port “${value('port')}” is none`;
  const identityFile = value('identityfile')?.replace(/^%d(?=\/)/, '~') ?? null;
  const jump = value('proxyjump');
  const parsed = sshHostSchema.safeParse({
    alias,
    host,
    port,
    user: value('user') ?? null,
    identityFile: identityFile?.toLowerCase() === 'none' ? null : identityFile,
    jumps: jump === undefined || jump.toLowerCase() === 'none' ? [] : jump.split(','),
  });
  if (!parsed.success) return parsed.error.issues[0]!.message;
  const { data } = parsed;
  if (/%/.test(host + (data.identityFile ?? '') + data.jumps.join('')))
    return 'it has a placeholder (%) that is not known here';
  if (/^-|\s/.test(host)) return 'its address is none';
  return data;
}

/** Whether a host is meant: one pattern fits, and none of those with `!`. */
function matches(patterns: readonly string[] | null, alias: string): boolean {
  if (patterns === null) return false;
  const fits = (pattern: string): boolean =>
    wildcardFits(pattern.toLowerCase(), alias.toLowerCase());
  return (
    patterns.some((one) => !one.startsWith('!') && fits(one)) &&
    !patterns.some((one) => one.startsWith('!') && fits(one.slice(1)))
  );
}

/** `*` is any text, `?` any character; in time of pattern × text, whatever the file holds. */
function wildcardFits(pattern: string, text: string): boolean {
  let [at, from, star, mark] = [0, 0, -1, 0];
  while (from < text.length) {
    if (pattern[at] === '*') [star, mark, at] = [at, from, at + 1];
    else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === text[from])) {
      at += 1;
      from += 1;
    } else if (star >= 0) [at, mark, from] = [star + 1, mark + 1, mark + 1];
    else return false;
  }
  return /^\**$/.test(pattern.slice(at));
}
