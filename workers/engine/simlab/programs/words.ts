/**
 * Splits a simple command line into words as /bin/sh does: blanks, single and double quotes,
 * backslashes.
 */
export function words(command: string): string[] {
  const found: string[] = [];
  let word: string | null = null;
  for (let at = 0; at < command.length; at += 1) {
    const char = command[at]!;
    if (char === ' ' || char === '\t' || char === '\n') {
      if (word !== null) found.push(word);
      word = null;
    } else if (char === "'" || char === '"') {
      const end = command.indexOf(char, at + 1);
      const stop = end < 0 ? command.length : end;
      word = (word ?? '') + command.slice(at + 1, stop);
      at = stop;
    } else if (char === '\\' && at + 1 < command.length) {
      at += 1;
      word = (word ?? '') + command[at]!;
    } else {
      word = (word ?? '') + char;
    }
  }
  if (word !== null) found.push(word);
  return found;
}

/**
 * `--name=value` and `--name value` options, and the plain words, of what follows a program's name.
 */
export function readOptions(
  list: readonly string[],
  withValue: readonly string[] = [],
): { options: Map<string, string>; plain: string[] } {
  const options = new Map<string, string>();
  const plain: string[] = [];
  for (let at = 0; at < list.length; at += 1) {
    const word = list[at]!;
    const match = /^-{1,2}([A-Za-z_][A-Za-z0-9_-]*)(?:=(.*))?$/s.exec(word);
    if (!match) plain.push(word);
    else if (match[2] !== undefined) options.set(match[1]!, match[2]);
    else if (withValue.includes(match[1]!)) options.set(match[1]!, list[(at += 1)] ?? '');
    else options.set(match[1]!, '');
  }
  return { options, plain };
}
