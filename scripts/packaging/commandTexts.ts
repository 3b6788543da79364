import type { Command } from 'commander';

import { exitCodeHelp } from '../../workers/cli/exitCodes.ts';
import { createProgram } from '../../workers/cli/program.ts';

/** The command line as it is described: nothing of it is run. */
export function describedProgram(version: string): Command {
  return createProgram({
    options: {
      rootDir: '',
      version,
      interrupts: { on: () => () => undefined },
      openBrowser: () => undefined,
      terminal: { out: () => undefined, err: () => undefined, isTty: false },
    },
    terminal: { out: () => undefined, err: () => undefined, isTty: false },
    code: 0,
  });
}

/** Text for roff: a leading dot or an unescaped hyphen would mean something else. */
const roff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1');

const usageOf = (command: Command, above: string): string =>
  [
    above,
    command.name(),
    ...command.registeredArguments.map((one) =>
      one.required ? `<${one.name()}>` : `[${one.name()}]`,
    ),
  ].join(' ');

function manOf(command: Command, above: string): string[] {
  const name = `${above} ${command.name()}`;
  const below = command.commands.flatMap((one) => manOf(one, name));
  if (command.commands.length > 0) return below;
  return [
    '.TP',
    `.B ${roff(usageOf(command, above))}`,
    roff(command.description()),
    ...command.options.flatMap(({ flags, description }) => [
      '.RS',
      '.TP',
      `.I ${roff(flags)}`,
      roff(description),
      '.RE',
    ]),
  ];
}

/** The page of the manual, in section 1. `epochS`: the date it bears, in seconds since 1970. */
export function manualPage(program: Command, version: string, epochS: number): string {
  const date = new Date(epochS * 1_000).toISOString().slice(0, 10);
  return [
    `.TH TILEBENCH 1 "${date}" "Tilebench ${version}" "User Commands"`,
    '.SH NAME',
    'tilebench \\- tile\\-based virtualisation benchmarks',
    '.SH SYNOPSIS',
    '.B tilebench',
    '.I command',
    '[options]',
    '.br',
    '.B tilebench\\-console',
    '[bundle]',
    '.SH DESCRIPTION',
    roff(program.description()),
    'The first program is the command line, the second opens the console as a window.',
    '.SH COMMANDS',
    ...program.commands.flatMap((one) => manOf(one, 'tilebench')),
    '.SH EXIT STATUS',
    roff(exitCodeHelp.trim()),
    '.SH FILES',
    '.TP',
    '.I ~/.local/share/tilebench',
    'runs and settings of the command line and of the console in a browser',
    '.TP',
    '.I ~/.config/tilebench',
    'those of the window',
    '.SH SEE ALSO',
    '/usr/share/doc/tilebench',
    '',
  ].join('\n');
}

/** Completion for bash: commands, then their commands and options, then files. */
export function bashCompletion(program: Command): string {
  const cases: string[] = [];
  const visit = (command: Command, path: string): void => {
    const words = [
      ...command.commands.map((one) => one.name()),
      ...command.options.flatMap(({ long }) => (long ? [long] : [])),
    ];
    cases.push(`  '${path}') echo '${words.join(' ')}' ;;`);
    for (const one of command.commands) visit(one, `${path} ${one.name()}`.trim());
  };
  visit(program, '');
  return [
    '# Completion of tilebench for bash.',
    '_tilebench_words() {',
    '  case "$1" in',
    ...cases,
    '  *) return 1 ;;',
    '  esac',
    '}',
    '_tilebench() {',
    '  local path= word last="${COMP_WORDS[COMP_CWORD]}"',
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    '    if _tilebench_words "${path:+$path }$word" >/dev/null; then path="${path:+$path }$word"; fi',
    '  done',
    '  COMPREPLY=($(compgen -W "$(_tilebench_words "$path")" -- "$last"))',
    '  if [ ${#COMPREPLY[@]} = 0 ]; then COMPREPLY=($(compgen -f -- "$last")); fi',
    '}',
    'complete -o filenames -F _tilebench tilebench',
    '',
  ].join('\n');
}
