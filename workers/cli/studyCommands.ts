import type { Command } from 'commander';

import {
  addEitherCommand,
  type CommandLine,
  type Common,
  type Consenting,
  consenting,
  consentOf,
  reportEndings,
  type Reporting,
  reporting,
  reportOptions,
  reportPath,
  type WithLength,
  withLength,
  withSession,
} from './commandLine.ts';
import { compareStudyCurves } from './compare.ts';
import { diagnoseStudy } from './diagnosis.ts';
import { exitCodeHelp } from './exitCodes.ts';
import { type Redacting, redacting } from './redaction.ts';
import { writeReport } from './report.ts';
import { listStudies, runStudy, showStudy } from './study.ts';

/** Adds `study` with its commands. */
export function addStudyCommands(line: CommandLine, program: Command): void {
  const study = program
    .command('study')
    .description('sweeps and searches for a limit')
    .addHelpText('after', exitCodeHelp);
  addRun(line, study);
  const { terminal } = line;
  addEitherCommand(study, 'list', 'all studies').action((common: Common) =>
    withSession(line, common, ({ client }) => listStudies(client, common.json === true, terminal)),
  );
  addEitherCommand(study, 'show <id>', 'one study with its points').action(
    (id: string, common: Common) =>
      withSession(line, common, ({ client }) =>
        showStudy(client, id, common.json === true, terminal),
      ),
  );
  addCompare(line, study);
  addReport(line, study);
  addDiagnose(line, study);
}

function addRun(line: CommandLine, study: Command): void {
  const { terminal, options } = line;
  consenting(
    addEitherCommand(
      study,
      'run <file-or-id>',
      'run a study file, a stored study from where it stopped, or with --demo a ready-made ' +
        'one (E01 …); Ctrl-C pauses it, twice ends its run',
    ),
  ).action((fileOrId: string, common: Common & Consenting) => {
    const how = { json: common.json === true, consent: consentOf(common) };
    return withSession(
      line,
      common,
      ({ client }) => runStudy(client, fileOrId, how, terminal, options.interrupts),
      true,
    );
  });
}

function addCompare(line: CommandLine, study: Command): void {
  const { terminal } = line;
  reporting(
    addEitherCommand(
      study,
      'compare <ids...>',
      'curves of one or several studies over each other, with the gap at each value both measured',
    ).option('--curve <key>', 'the curve that is the baseline; absent: the first'),
  ).action((ids: string[], common: Common & Reporting & { curve?: string }) =>
    withSession(line, common, ({ client }) =>
      common.report === undefined
        ? compareStudyCurves(client, ids, common.curve, common.json === true, terminal)
        : writeReport(
            client,
            { kind: 'studies', ids, baseline: common.curve },
            reportOptions(common.report, common),
            terminal,
          ),
    ),
  );
}

function addReport(line: CommandLine, study: Command): void {
  withLength(
    redacting(
      addEitherCommand(
        study,
        'report <id>',
        'write the report of a study: curves, knees, points, diagnosis, and how to make it again',
      ),
    ),
  )
    .requiredOption('--out <file>', `file to write: ${reportEndings}`, reportPath)
    .action((id: string, common: Common & Redacting & WithLength & { out: string }) =>
      withSession(line, common, ({ client }) =>
        writeReport(
          client,
          { kind: 'study', id },
          reportOptions(common.out, common),
          line.terminal,
        ),
      ),
    );
}

function addDiagnose(line: CommandLine, study: Command): void {
  addEitherCommand(
    study,
    'diagnose <id>',
    'why it stopped scaling: hypotheses with counters, thresholds and sources',
  )
    .option('--curve <key>', 'the curve to explain, where the study has several')
    .action((id: string, common: Common & { curve?: string }) => {
      const how = { json: common.json === true, curve: common.curve };
      return withSession(line, common, ({ client }) =>
        diagnoseStudy(client, id, how, line.terminal),
      );
    });
}
