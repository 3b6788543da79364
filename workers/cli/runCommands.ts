import { type Command, Option } from 'commander';

import { reportFormats } from '../../src/core/history/exportForms.ts';
import {
  addCommand,
  addEitherCommand,
  type CommandLine,
  type Common,
  type Reporting,
  reporting,
  reportOptions,
  type WithLength,
  withLength,
  withSession,
} from './commandLine.ts';
import { compareRuns } from './compare.ts';
import { diagnoseRuns } from './diagnosis.ts';
import { exitCodeHelp } from './exitCodes.ts';
import { type CliFormat, cliFormats, exportRun } from './exportRun.ts';
import { addHistoryCommands } from './history.ts';
import { type Redacting, redacting } from './redaction.ts';
import { writeReport } from './report.ts';
import { showRun, tidyRun } from './runs.ts';
import { addListCommand } from './runsList.ts';
import { addStorageCommands } from './storage.ts';

/** Adds `runs` with its commands. */
export function addRunsCommands(line: CommandLine, program: Command): void {
  const { terminal } = line;
  const runs = program
    .command('runs')
    .description('the run database')
    .addHelpText('after', exitCodeHelp);
  addListCommand(line, runs);
  addHistoryCommands(line, runs);
  addStorageCommands(line, runs);
  addCommand(
    runs,
    'tidy <id>',
    'try once more to put back what an ended run left in the lab',
  ).action((id: string, common: Common) =>
    withSession(line, common, ({ client }) => tidyRun(client, id, common.json === true, terminal)),
  );
  addEitherCommand(runs, 'show <id>', 'one run').action((id: string, common: Common) =>
    withSession(line, common, ({ client }) => showRun(client, id, common.json === true, terminal)),
  );
  addExport(line, runs, {
    usage: 'export <id>',
    text: 'write a run to a file; Ctrl-C leaves none',
    formats: cliFormats,
    format: 'csv',
  });
  addCompare(line, runs);
  addDiagnose(line, runs);
}

/** Adds `report`, which is `runs export` to the formats that people read. */
export function addReportCommand(line: CommandLine, program: Command): void {
  addExport(line, program, {
    usage: 'report <id>',
    text: 'write the report of a run',
    formats: reportFormats,
    format: 'html',
  });
}

function addExport(
  line: CommandLine,
  parent: Command,
  {
    usage,
    text,
    formats,
    format,
  }: { usage: string; text: string; formats: readonly CliFormat[]; format: CliFormat },
): void {
  withLength(redacting(addEitherCommand(parent, usage, text)))
    .addOption(
      new Option('--format <format>', 'what to write').choices([...formats]).default(format),
    )
    .option('-o, --output <file>', 'file to write; - for stdout')
    .action(
      (
        id: string,
        common: Common & Redacting & WithLength & { format: CliFormat; output?: string },
      ) =>
        withSession(line, common, ({ client }) =>
          exportRun(client, id, common, line.terminal, line.options.interrupts),
        ),
    );
}

interface Scored {
  reference?: string;
}

const scoredAgainst = ({ reference }: Scored): { referenceId?: string } =>
  reference === undefined ? {} : { referenceId: reference };

function addCompare(line: CommandLine, runs: Command): void {
  const { terminal } = line;
  reporting(
    addEitherCommand(
      runs,
      'compare <baseline> <ids...>',
      'compare up to eight runs with the first',
    ).option('--reference <run>', 'score all of them against this run, for this comparison'),
  ).action((baseline: string, ids: string[], common: Common & Reporting & Scored) =>
    withSession(line, common, ({ client }) =>
      common.report === undefined
        ? compareRuns(
            client,
            { baselineId: baseline, ids, ...scoredAgainst(common) },
            common.json === true,
            terminal,
          )
        : writeReport(
            client,
            { kind: 'runs', baselineId: baseline, ids, ...scoredAgainst(common) },
            reportOptions(common.report, common),
            terminal,
          ),
    ),
  );
}

function addDiagnose(line: CommandLine, runs: Command): void {
  addEitherCommand(
    runs,
    'diagnose <failed> [passed]',
    'why a run fell short of one that passed; without one, of its own ramp-up',
  ).action((failed: string, passed: string | undefined, common: Common) =>
    withSession(line, common, ({ client }) =>
      diagnoseRuns(client, failed, passed ?? null, common.json === true, line.terminal),
    ),
  );
}
