import { heartbeatFormat } from './heartbeat.ts';
import { tools } from './tools.ts';
import type { Program, Surroundings } from './types.ts';
import { words } from './words.ts';

/** A shell's exit code for a program that it does not find. */
export const notFoundCode = 127;

/**
 * What a driver's command line does on this machine; a command nobody knows ends with 127, as a
 * shell would.
 */
export function recognise(command: string, at: Surroundings): Program {
  const beats = /^n=0; end=\$\(\( \$\(date \+%s\) \+ (\d+) \)\);.*sleep (\d+);/.exec(command);
  if (beats) {
    const target = /ping -c 1 -W 1 (\S+) /.exec(command)?.[1];
    return {
      kind: 'runs',
      durationMs: Number(beats[1]) * 1_000,
      intervalMs: Number(beats[2]) * 1_000,
      load: null,
      format: heartbeatFormat(target === undefined ? null : at.tripMs(words(target)[0] ?? '')),
    };
  }
  const [program = '', ...rest] = words(
    command.replace(/^mkdir -p .+? && /, '').replace(/^exec /, ''),
  );
  const tool = Object.hasOwn(tools, program) ? tools[program] : undefined;
  return (
    tool?.run(rest, at) ?? {
      kind: 'fails',
      exitCode: notFoundCode,
      stderr: `sh: 1: ${program}: not found
`,
    }
  );
}
