import { Command, CommanderError, InvalidArgumentError } from 'commander';

import { toAppError } from '../../src/core/base/errors.ts';
import type { EarlyAbortRule } from '../../src/core/plan/earlyAbortRule.ts';
import type { Profile } from '../../src/core/profile/profile.ts';
import { serveConsole } from '../serve.ts';
import {
  addCommand,
  addEitherCommand,
  type CliOptions,
  type CommandLine,
  type Common,
  type Consenting,
  consenting,
  consentOf,
  withSession,
} from './commandLine.ts';
import { printContract } from './contract.ts';
import { earlyAbortOf } from './earlyAbortOption.ts';
import { exitCodeHelp, exitCodeOfError, exitCodes } from './exitCodes.ts';
import { addGuestCommands } from './guestCommands.ts';
import { printing } from './output.ts';
import { checkPlan, printReport, readPlanFile, runPlan } from './run.ts';
import { addReportCommand, addRunsCommands } from './runCommands.ts';
import { openFile } from './runs.ts';
import { scoreFile } from './score.ts';
import { addStudyCommands } from './studyCommands.ts';
import { addUpdateCommands } from './updateCommands.ts';

/**
 * Runs one command line (without the program's name) and gives its exit code. Nothing is thrown.
 */
export async function runCli(args: readonly string[], options: CliOptions): Promise<number> {
  const terminal = printing(options.terminal);
  const line: CommandLine = { options, terminal, code: exitCodes.passed };
  const program = createProgram(line);
  printTo(program, line);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return line.code;
  } catch (thrown) {
    if (thrown instanceof CommanderError)
      return thrown.exitCode === 0 ? exitCodes.passed : exitCodes.badInput;
    const error = toAppError(thrown);
    const technical = error.details?.['technical'] ?? null;
    terminal.err([error.message, error.hint, technical].filter(Boolean).join('\n'));
    if (args.includes('--json')) terminal.out(JSON.stringify({ error: error.toShape() }));
    return exitCodeOfError(error);
  }
}

/** All commands, for running one of them or for describing them all. */
export function createProgram(line: CommandLine): Command {
  const { options, terminal } = line;
  const program = new Command('tilebench')
    .description('Tile-based virtualisation benchmarks: check, run, compare.')
    .version(options.version)
    .addHelpText('after', exitCodeHelp);
  addCheck(line, program);
  addRun(line, program);
  addRunsCommands(line, program);
  addOpen(line, program);
  addReportCommand(line, program);
  addScore(line, program);
  addStudyCommands(line, program);
  addGuestCommands(line, program);
  program
    .command('contract')
    .description('what an engine can be asked and what it sends: methods, events, kinds of error')
    .option('--json', 'all of it as JSON Schema, one JSON object on stdout')
    .action((common: Common) => printContract(terminal, common.json === true));
  addServe(line, program);
  addUpdateCommands(line, program);
  return program;
}

/** Lets a command and those below it throw in place of ending the process, and print here. */
function printTo(command: Command, line: CommandLine): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => line.terminal.out(text.replace(/\n$/, '')),
    writeErr: (text) => line.terminal.err(text.replace(/\n$/, '')),
  });
  for (const one of command.commands) printTo(one, line);
}

function addCheck(line: CommandLine, program: Command): void {
  const { terminal } = line;
  consenting(
    addEitherCommand(
      program,
      'check <plan>',
      'check a plan file against its peers, without any load',
    ),
  ).action(async (path: string, common: Common & Consenting) => {
    const file = await readPlanFile(path);
    await withSession(line, common, async ({ client }) => {
      const report = await checkPlan(client, file, consentOf(common), terminal);
      printReport(terminal, report);
      if (common.json) terminal.out(JSON.stringify(report));
      return report.ready ? exitCodes.passed : exitCodes.preflight;
    });
  });
}

interface RunOptions extends Common, Consenting {
  name?: string;
  earlyAbort?: EarlyAbortRule | null;
}

function addRun(line: CommandLine, program: Command): void {
  consenting(
    addEitherCommand(
      program,
      'run <plan>',
      'check, launch and watch a run; Ctrl-C ends it gracefully, twice at once',
    ),
  )
    .option('--name <name>', 'name of the run')
    .option(
      '--early-abort <rule>',
      "in place of the plan's own rule: off, certain:N or forecast:N = end when a QoS limit " +
        'is missed in N periods in a row; ,S = after a warning of S seconds',
      earlyAbortOf,
    )
    .action(async (path: string, common: RunOptions) => {
      const own = await readPlanFile(path);
      const file =
        common.earlyAbort === undefined
          ? own
          : { ...own, plan: { ...own.plan, earlyAbort: common.earlyAbort } };
      const how = {
        json: common.json === true,
        consent: consentOf(common),
        ...(common.name ? { name: common.name } : {}),
      };
      await withSession(line, common, ({ client }) =>
        runPlan(client, file, how, line.terminal, line.options.interrupts),
      );
    });
}

function addOpen(line: CommandLine, program: Command): void {
  addEitherCommand(
    program,
    'open <file>',
    'open a bundle, or results of Iometer, esxtop, fio, DVD Store or sysbench: a run that ' +
      'can be shown, compared and exported, and is not changed',
  )
    .option(
      '--devices <names>',
      'esxtop: only devices whose name holds one of these, with commas between them',
    )
    .action((path: string, common: Common & { devices?: string }) => {
      const devices = (common.devices ?? '').split(',').filter((name) => name !== '');
      return withSession(line, common, ({ client }) =>
        openFile(client, path, devices, common.json === true, line.terminal),
      );
    });
}

function addScore(line: CommandLine, program: Command): void {
  addCommand(
    program,
    'score <file>',
    'score a results file: workload metrics, or published part scores; prints every step',
  )
    .option('--profile <file>', 'profile file in place of the one the results name')
    .action(async (path: string, common: Common & { profile?: string }) => {
      // The run database is opened only for a profile of the user's own: scoring works while the
      // application runs.
      const ownProfiles = async (): Promise<Profile[]> => {
        let own: Profile[] = [];
        await withSession(line, common, async ({ client }) => {
          own = await client.call('profile.list', {});
        });
        return own;
      };
      line.code = await scoreFile(
        path,
        {
          json: common.json === true,
          resourcesDir: `${line.options.rootDir}/resources`,
          ...(common.profile === undefined ? {} : { profilePath: common.profile }),
          ownProfiles,
        },
        line.terminal,
      );
    });
}

interface ServeOptions extends Common {
  port?: number;
  open?: boolean;
}

function addServe(line: CommandLine, program: Command): void {
  addCommand(program, 'serve', 'the console in a browser, on this machine only')
    .option('--port <port>', 'port to listen on (default: a free one)', portOf)
    .option('--open', 'open it in the browser')
    .action((common: ServeOptions) => serveUntilInterrupt(line, common));
}

async function serveUntilInterrupt(
  { options, terminal }: CommandLine,
  common: ServeOptions,
): Promise<void> {
  let end = (): void => undefined;
  const until = new Promise<void>((done) => {
    end = done;
  });
  const stop = options.interrupts.on(() => end());
  try {
    await serveConsole({
      rootDir: options.rootDir,
      bundled: options.bundled ?? false,
      version: options.version,
      until,
      say: (text) => terminal.err(text),
      onListening: ({ fileUrl, ...served }) => {
        terminal.out(
          common.json
            ? JSON.stringify(served)
            : `Tilebench: ${served.url}\nOnce, within ten minutes. At any time, in any ` +
                `browser of yours: ${served.file}`,
        );
        terminal.err('Ctrl-C ends it. A run that is going on is taken up again at the next start.');
        if (common.open) options.openBrowser(fileUrl);
      },
      ...(common.data ? { dataDir: common.data } : {}),
      ...(common.port === undefined ? {} : { port: common.port }),
    });
  } finally {
    stop();
  }
}

function portOf(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return port;
}
