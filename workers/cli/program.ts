import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';

import { toAppError } from '../../src/core/base/errors.ts';
import type { EarlyAbortRule } from '../../src/core/plan/earlyAbortRule.ts';
import { type ImportDecision, importDecision } from '../../src/core/planImport/schema.ts';
import type { Profile } from '../../src/core/profile/profile.ts';
import { serveConsole } from '../serve.ts';
import { compareRuns, compareStudyCurves } from './compare.ts';
import { printContract } from './contract.ts';
import { diagnoseRuns, diagnoseStudy } from './diagnosis.ts';
import { earlyAbortOf } from './earlyAbortOption.ts';
import { exitCodeHelp, exitCodeOfError, exitCodes } from './exitCodes.ts';
import { type CliFormat, cliFormats, exportRun } from './exportRun.ts';
import { addHistoryCommands } from './history.ts';
import type { Consent } from './importFile.ts';
import { printing, type Terminal } from './output.ts';
import { type Redacting, redacting } from './redaction.ts';
import { reportFormatOf, writeReport } from './report.ts';
import { checkPlan, type Interrupts, printReport, readPlanFile, runPlan } from './run.ts';
import { openFile, showRun, tidyRun } from './runs.ts';
import { scoreFile } from './score.ts';
import { openSession, type Session } from './session.ts';
import { listStudies, runStudy, showStudy } from './study.ts';

export interface CliOptions {
  rootDir: string;
  version: string;
  terminal: Terminal;
  interrupts: Interrupts;
  /** Shows an address in the browser. */ openBrowser(url: string): void;
}
interface Common {
  data?: string;
  json?: boolean;
  demo?: boolean;
}
interface Consenting {
  trust?: boolean;
  clash?: ImportDecision;
}
interface ToReport extends Redacting {
  report?: string;
}

/**
 * Runs one command line (without the program's name) and gives its exit code. Nothing is thrown.
 */
export async function runCli(args: readonly string[], options: CliOptions): Promise<number> {
  const { rootDir } = options;
  const terminal = printing(options.terminal);
  let code: number = exitCodes.passed;
  const within = async (
    common: Common,
    work: (session: Session) => Promise<number | void>,
    resumeStudies = false,
  ): Promise<void> => {
    const session = await openSession({
      rootDir: options.rootDir,
      version: options.version,
      host: 'cli',
      resumeStudies,
      ...(common.data ? { dataDir: common.data } : {}),
      ...(common.demo ? { demo: true } : {}),
    });
    try {
      code = (await work(session)) ?? exitCodes.passed;
    } finally {
      await session.close();
    }
  };
  const command = (parent: Command, usage: string, text: string): Command =>
    parent
      .command(usage)
      .description(text)
      .option(
        '--data <dir>',
        'folder of the run database (default: TILEBENCH_DATA, or the one of the desktop application)',
      )
      .option('--json', 'one JSON object on stdout')
      .addHelpText('after', exitCodeHelp);
  /** For commands that take a plan or study file in. */
  const consenting = (one: Command): Command =>
    onEither(one)
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
  const consentOf = (common: Common & Consenting): Consent => ({
    trust: common.trust === true,
    clash: common.clash ?? null,
    simulated: common.demo === true,
  });
  const onEither = (one: Command): Command =>
    one.option('--demo', 'in the simulated workspace, as fast as the machine goes');

  const reportPath = (path: string): string => {
    try {
      reportFormatOf(path);
    } catch (thrown) {
      throw new InvalidArgumentError(toAppError(thrown).message);
    }
    return path;
  };
  const withReport = (one: Command): Command =>
    redacting(
      one.option(
        '--report <file>',
        'write a report in place of the tables: its ending is the format, .html, .pdf or .md',
        reportPath,
      ),
    );
  const reportOptions = (path: string, common: Common & Redacting) => ({
    path,
    redact: common.redact === true,
    ...(common.confirm === undefined ? {} : { confirm: common.confirm }),
    ...(common.keep === undefined ? {} : { keep: common.keep }),
    json: common.json === true,
  });

  const program = new Command('tilebench')
    .description('Tile-based virtualisation benchmarks: check, run, compare.')
    .version(options.version)
    .addHelpText('after', exitCodeHelp);
  consenting(
    command(program, 'check <plan>', 'check a plan file against its peers, without any load'),
  ).action(async (path: string, common: Common & Consenting) => {
    const file = await readPlanFile(path);
    await within(common, async ({ client }) => {
      const report = await checkPlan(client, file, consentOf(common), terminal);
      printReport(terminal, report);
      if (common.json) terminal.out(JSON.stringify(report));
      return report.ready ? exitCodes.passed : exitCodes.preflight;
    });
  });
  consenting(
    command(
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
    .action(
      async (
        path: string,
        common: Common & Consenting & { name?: string; earlyAbort?: EarlyAbortRule | null },
      ) => {
        const own = await readPlanFile(path);
        const file =
          common.earlyAbort === undefined
            ? own
            : { ...own, plan: { ...own.plan, earlyAbort: common.earlyAbort } };
        await within(common, ({ client }) =>
          runPlan(
            client,
            file,
            {
              json: common.json === true,
              consent: consentOf(common),
              ...(common.name ? { name: common.name } : {}),
            },
            terminal,
            options.interrupts,
          ),
        );
      },
    );
  const runs = program
    .command('runs')
    .description('the run database')
    .addHelpText('after', exitCodeHelp);
  addHistoryCommands({
    runs,
    terminal,
    command: (parent, usage, text) => onEither(command(parent, usage, text)),
    within: (common, work) => within(common, ({ client }) => work(client)),
  });
  command(runs, 'tidy <id>', 'try once more to put back what an ended run left in the lab').action(
    (id: string, common: Common) =>
      within(common, ({ client }) => tidyRun(client, id, common.json === true, terminal)),
  );
  onEither(command(runs, 'show <id>', 'one run')).action((id: string, common: Common) =>
    within(common, ({ client }) => showRun(client, id, common.json === true, terminal)),
  );
  redacting(onEither(command(runs, 'export <id>', 'write a run to a file; Ctrl-C leaves none')))
    .addOption(
      new Option('--format <format>', 'what to write').choices([...cliFormats]).default('csv'),
    )
    .option('-o, --output <file>', 'file to write; - for stdout')
    .action((id: string, common: Common & Redacting & { format: CliFormat; output?: string }) =>
      within(common, ({ client }) => exportRun(client, id, common, terminal, options.interrupts)),
    );
  withReport(
    onEither(
      command(runs, 'compare <baseline> <ids...>', 'compare up to eight runs with the first'),
    ),
  ).action((baseline: string, ids: string[], common: Common & ToReport) =>
    within(common, ({ client }) =>
      common.report === undefined
        ? compareRuns(client, [baseline, ...ids], common.json === true, terminal)
        : writeReport(
            client,
            { kind: 'runs', baselineId: baseline, ids },
            reportOptions(common.report, common),
            terminal,
          ),
    ),
  );
  onEither(
    command(
      runs,
      'diagnose <failed> [passed]',
      'why a run fell short of one that passed; without one, of its own ramp-up',
    ),
  ).action((failed: string, passed: string | undefined, common: Common) =>
    within(common, ({ client }) =>
      diagnoseRuns(client, failed, passed ?? null, common.json === true, terminal),
    ),
  );
  onEither(
    command(
      program,
      'open <file>',
      'open a bundle, or results of Iometer, esxtop, fio, DVD Store or sysbench: a run that ' +
        'can be shown, compared and exported, and is not changed',
    ),
  )
    .option(
      '--devices <names>',
      'esxtop: only devices whose name holds one of these, with commas between them',
    )
    .action((path: string, common: Common & { devices?: string }) =>
      within(common, ({ client }) =>
        openFile(
          client,
          path,
          (common.devices ?? '').split(',').filter((name) => name !== ''),
          common.json === true,
          terminal,
        ),
      ),
    );
  redacting(onEither(command(program, 'report <id>', 'write the report of a run')))
    .addOption(
      new Option('--format <format>', 'what to write')
        .choices(['html', 'pdf', 'markdown'])
        .default('html'),
    )
    .option('-o, --output <file>', 'file to write; - for stdout')
    .action((id: string, common: Common & Redacting & { format: CliFormat; output?: string }) =>
      within(common, ({ client }) => exportRun(client, id, common, terminal, options.interrupts)),
    );
  command(
    program,
    'score <file>',
    'score a results file: workload metrics, or published part scores; prints every step',
  )
    .option('--profile <file>', 'profile file in place of the one the results name')
    .action(async (path: string, common: Common & { profile?: string }) => {
      const options = {
        json: common.json === true,
        resourcesDir: `${rootDir}/resources`,
        ...(common.profile === undefined ? {} : { profilePath: common.profile }),
      };
      // The run database is opened only for a profile of the user's own: scoring works while the
      // application runs.
      const ownProfiles = async (): Promise<Profile[]> => {
        let own: Profile[] = [];
        await within(common, async ({ client }) => {
          own = await client.call('profile.list', {});
        });
        return own;
      };
      code = await scoreFile(path, { ...options, ownProfiles }, terminal);
    });
  const study = program
    .command('study')
    .description('sweeps and searches for a limit')
    .addHelpText('after', exitCodeHelp);
  consenting(
    command(
      study,
      'run <file-or-id>',
      'run a study file, a stored study from where it stopped, or with --demo a ready-made ' +
        'one (E01 …); Ctrl-C pauses it, twice ends its run',
    ),
  ).action((fileOrId: string, common: Common & Consenting) =>
    within(
      common,
      ({ client }) =>
        runStudy(
          client,
          fileOrId,
          { json: common.json === true, consent: consentOf(common) },
          terminal,
          options.interrupts,
        ),
      true,
    ),
  );
  onEither(command(study, 'list', 'all studies')).action((common: Common) =>
    within(common, ({ client }) => listStudies(client, common.json === true, terminal)),
  );
  onEither(command(study, 'show <id>', 'one study with its points')).action(
    (id: string, common: Common) =>
      within(common, ({ client }) => showStudy(client, id, common.json === true, terminal)),
  );
  withReport(
    onEither(
      command(
        study,
        'compare <ids...>',
        'curves of one or several studies over each other, with the gap at each value both measured',
      ),
    ).option('--curve <key>', 'the curve that is the baseline; absent: the first'),
  ).action((ids: string[], common: Common & ToReport & { curve?: string }) =>
    within(common, ({ client }) =>
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
  redacting(
    onEither(
      command(
        study,
        'report <id>',
        'write the report of a study: curves, knees, points, diagnosis, and how to make it again',
      ),
    ),
  )
    .requiredOption(
      '--out <file>',
      'file to write: its ending is the format, .html, .pdf or .md',
      reportPath,
    )
    .action((id: string, common: Common & Redacting & { out: string }) =>
      within(common, ({ client }) =>
        writeReport(client, { kind: 'study', id }, reportOptions(common.out, common), terminal),
      ),
    );
  onEither(
    command(
      study,
      'diagnose <id>',
      'why it stopped scaling: hypotheses with counters, thresholds and sources',
    ),
  )
    .option('--curve <key>', 'the curve to explain, where the study has several')
    .action((id: string, common: Common & { curve?: string }) =>
      within(common, ({ client }) =>
        diagnoseStudy(client, id, { json: common.json === true, curve: common.curve }, terminal),
      ),
    );
  program
    .command('contract')
    .description('what an engine can be asked and what it sends: methods, events, kinds of error')
    .option('--json', 'all of it as JSON Schema, one JSON object on stdout')
    .action((common: Common) => printContract(terminal, common.json === true));
  command(program, 'serve', 'the console in a browser, on this machine only')
    .option('--port <port>', 'port to listen on (default: a free one)', portOf)
    .option('--open', 'open it in the browser')
    .action(async (common: Common & { port?: number; open?: boolean }) => {
      let end = (): void => undefined;
      const until = new Promise<void>((done) => {
        end = done;
      });
      const stop = options.interrupts.on(() => end());
      try {
        await serveConsole({
          rootDir,
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
            terminal.err(
              'Ctrl-C ends it. A run that is going on is taken up again at the next start.',
            );
            if (common.open) options.openBrowser(fileUrl);
          },
          ...(common.data ? { dataDir: common.data } : {}),
          ...(common.port === undefined ? {} : { port: common.port }),
        });
      } finally {
        stop();
      }
    });

  const quiet = (one: Command): void => {
    one.exitOverride().configureOutput({
      writeOut: (text) => terminal.out(text.replace(/\n$/, '')),
      writeErr: (text) => terminal.err(text.replace(/\n$/, '')),
    });
    one.commands.forEach(quiet);
  };
  quiet(program);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (thrown) {
    if (thrown instanceof CommanderError)
      return thrown.exitCode === 0 ? exitCodes.passed : exitCodes.badInput;
    const error = toAppError(thrown);
    terminal.err([error.message, error.hint].filter(Boolean).join('\n'));
    if (args.includes('--json')) terminal.out(JSON.stringify({ error: error.toShape() }));
    return exitCodeOfError(error);
  }
}

function portOf(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return port;
}
