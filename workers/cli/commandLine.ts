import { type Command, InvalidArgumentError, Option } from 'commander';

import { toAppError } from '../../src/core/base/errors.ts';
import { type ReportLength, reportLengthNames } from '../../src/core/history/exportForms.ts';
import { type ImportDecision, importDecision } from '../../src/core/planImport/schema.ts';
import { exitCodeHelp, exitCodes } from './exitCodes.ts';
import type { Consent } from './importFile.ts';
import type { Terminal } from './output.ts';
import { type Redacting, redacting } from './redaction.ts';
import { endings, reportFormatOf, type ReportOptions } from './report.ts';
import type { Interrupts } from './run.ts';
import { openSession, type Session } from './session.ts';

export interface CliOptions {
  rootDir: string;
  /** Whether the programs beside this one are bundles; default: their sources. */
  bundled?: boolean;
  version: string;
  terminal: Terminal;
  interrupts: Interrupts;
  /** Shows an address in the browser. */ openBrowser(url: string): void;
}

/** One command line that is run: what its commands share. `code` becomes its exit code. */
export interface CommandLine {
  readonly options: CliOptions;
  readonly terminal: Terminal;
  code: number;
}

/** Options that nearly every command has. */
export interface Common {
  data?: string;
  json?: boolean;
  demo?: boolean;
}
/** Options of commands that take a plan or study file in; see `consenting`. */
export interface Consenting {
  trust?: boolean;
  clash?: ImportDecision;
}
/** Options of commands that write a report on demand; see `reporting`. */
export interface Reporting extends Redacting, WithLength {
  report?: string;
}
/** Options of commands that write a report; see `withLength`. */
export interface WithLength {
  length?: ReportLength;
}

/**
 * Opens an engine, does a command's work with it, and closes it. What the work gives is the exit
 * code; nothing = passed. `resumeStudies`: a study that an earlier engine drove goes on.
 */
export async function withSession(
  line: CommandLine,
  common: Common,
  // eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- most commands give no code
  work: (session: Session) => Promise<number | void>,
  resumeStudies = false,
): Promise<void> {
  const session = await openSession({
    rootDir: line.options.rootDir,
    version: line.options.version,
    host: 'cli',
    resumeStudies,
    ...(common.data ? { dataDir: common.data } : {}),
    ...(common.demo ? { demo: true } : {}),
  });
  try {
    line.code = (await work(session)) ?? exitCodes.passed;
  } finally {
    await session.close();
  }
}

/** Adds a command on the run database of this machine. */
export const addCommand = (parent: Command, usage: string, text: string): Command =>
  parent
    .command(usage)
    .description(text)
    .option(
      '--data <dir>',
      'folder of the run database (default: TILEBENCH_DATA, or the one of the desktop application)',
    )
    .option('--json', 'one JSON object on stdout')
    .addHelpText('after', exitCodeHelp);

/** Adds a command that works in the simulated workspace as well. */
export const addEitherCommand = (parent: Command, usage: string, text: string): Command =>
  addCommand(parent, usage, text).option(
    '--demo',
    'in the simulated workspace, as fast as the machine goes',
  );

/** For commands that take a plan or study file in. */
export const consenting = (command: Command): Command =>
  command
    .option(
      '--trust',
      'agree to the hosts, secrets and commands of the file; without it, a file that ' +
        'nobody agreed to is shown and refused',
    )
    .addOption(
      new Option(
        '--clash <answer>',
        'where another connection, profile, testbed, plan or study of the same id is ' +
          'stored: keep it, give the one of the file a new id, or replace it',
      ).choices([...importDecision.options]),
    );
export const consentOf = (common: Common & Consenting): Consent => ({
  trust: common.trust === true,
  clash: common.clash ?? null,
  simulated: common.demo === true,
});

/** A parser of commander's: a path whose ending is the format of a report. */
export function reportPath(path: string): string {
  try {
    reportFormatOf(path);
  } catch (thrown) {
    throw new InvalidArgumentError(toAppError(thrown).message);
  }
  return path;
}
/** For commands that write a report. */
export const withLength = (command: Command): Command =>
  command.addOption(
    new Option('--length <length>', 'of a report: its two pages of summary, or all of it')
      .choices(reportLengthNames)
      .default('full'),
  );
/** The endings that a report may have, for help. */
export const reportEndings = `its ending is the format, ${endings}`;
/** For commands that print tables, or write a report in their place. */
export const reporting = (command: Command): Command =>
  redacting(
    withLength(
      command.option(
        '--report <file>',
        `write a report in place of the tables: ${reportEndings}`,
        reportPath,
      ),
    ),
  );
export const reportOptions = (
  path: string,
  common: Common & Redacting & WithLength,
): ReportOptions => ({
  path,
  length: common.length ?? 'full',
  redact: common.redact === true,
  ...(common.confirm === undefined ? {} : { confirm: common.confirm }),
  ...(common.keep === undefined ? {} : { keep: common.keep }),
  json: common.json === true,
});
