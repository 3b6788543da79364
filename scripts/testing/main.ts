import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { buildVcsim } from '../../e2e/lab/vcsim.ts';
import { findKit } from '../../workers/engine/kit/findKit.ts';
import { changedPaths, narrowed, narrowedNames, present, usualNames } from './changed.ts';
import { installMissing } from './packages.ts';
import { endAll, runProgram } from './program.ts';
import { lookAgain, type Looked } from './secondLook.ts';
import { keepSeconds } from './seconds.ts';
import {
  type Need,
  type SecondLook,
  type Stage,
  type StageName,
  stageNames,
  stages,
  type Step,
  type Tools,
} from './stages.ts';

/** What the starter brings: scripts that any Node can run. */
export interface Starter {
  root: string;
  node: string;
  build: () => Promise<boolean>;
  /** Fetches the Electron of the tests where it is missing; gives its folder. */
  electron22: () => string;
}
interface StageResult extends Looked {
  seconds: number;
  cpuSeconds: number | null;
}

/**
 * Runs the asked stages, or all; gives the exit code. The last line printed is the total. With
 * `--changed` lint, types, unit, engine and screen tests, or the stages named, only of what a change
 * can reach. With `--strict` a test that fails beside others is not run again alone.
 */
export async function testAll(args: readonly string[], starter: Starter): Promise<number> {
  const changed = args.includes('--changed');
  const strict = args.includes('--strict');
  const asked = args.filter((arg) => arg !== '--changed' && arg !== '--strict');
  const known: readonly string[] = changed ? narrowedNames : stageNames;
  const unknown = asked.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    process.stderr.write(
      `No such stage${changed ? ' with --changed' : ''}: ${unknown.join(', ')}. Stages: ${known.join(', ')}.\n`,
    );
    return 2;
  }
  const usual: readonly string[] = changed ? usualNames : stageNames;
  const chosen = stageNames.filter((name) => (asked.length === 0 ? usual : asked).includes(name));
  const stepsOf = changed ? stepsOfChanged(starter.root) : stepsOfStage;
  const wanted = chosen.map((name): Stage => stages[name]);
  const packages = Object.fromEntries(wanted.flatMap((stage) => Object.entries(stage.packages)));
  if (!installMissing(packages)) return 2;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      endAll('SIGTERM');
      setTimeout(() => {
        endAll('SIGKILL');
        process.exit(130);
      }, 2_000);
    });
  const startedMs = Date.now();
  const provide = createNeeds(starter);
  const ended = await runLanes(chosen, starter, stepsOf, provide);
  const results = strict ? ended : await lookAtFailed(ended, starter, provide);
  const seconds = secondsSince(startedMs);
  if (!changed) keepSeconds(starter.root, results, seconds);
  return report(results, seconds);
}

type StepsOf = (name: StageName, tools: Tools) => readonly Step[];
const stepsOfStage: StepsOf = (name, tools) => stages[name].steps(tools);

/** The steps that are left of a stage for what differs from `main`. */
function stepsOfChanged(root: string): StepsOf {
  const paths = present(root, changedPaths(root));
  process.stdout.write(`${paths.length} changed files\n`);
  return (name, tools) =>
    name in narrowed ? narrowed[name as keyof typeof narrowed](tools, paths) : [];
}

const secondsSince = (ms: number): number => Math.round((Date.now() - ms) / 1_000);

/**
 * Lanes beside each other, the stages of a lane one after the other; results in the order of
 * `chosen`.
 */
async function runLanes(
  chosen: readonly StageName[],
  starter: Starter,
  stepsOf: StepsOf,
  provide: Provide,
): Promise<StageResult[]> {
  const width = chosen.length > 1 ? Math.max(...chosen.map((name) => name.length)) : 0;
  const lanes = new Set(chosen.map((name) => stages[name].lane));
  const results = new Map<StageName, StageResult>();
  await Promise.all(
    [...lanes].map(async (lane) => {
      for (const name of chosen.filter((one) => stages[one].lane === lane))
        results.set(name, await runStage(name, starter, provide, stepsOf, width));
    }),
  );
  return chosen.flatMap((name) => results.get(name) ?? []);
}

type Provide = (need: Need) => Promise<string>;
/** What several stages need is made once, by whoever needs it first. */
function createNeeds(starter: Starter): Provide {
  const makers: Record<Need, () => Promise<string>> = {
    vcsim: () =>
      buildVcsim(join(starter.root, '.cache'), join(starter.root, 'e2e', 'lab', 'vcsim')),
    kit: async () => {
      const { path } = await findKit({
        sourceDir: join(starter.root, 'kit'),
        cacheDir: join(starter.root, '.cache'),
        carriedDir: join(starter.root, 'resources', 'kit'),
      });
      return path;
    },
    bundles: async () => {
      await starter.build();
      return join(starter.root, 'dist');
    },
    electron: async () => process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? starter.electron22(),
  };
  const made = new Map<Need, Promise<string>>();
  return (need) => {
    const found = made.get(need) ?? makers[need]();
    made.set(need, found);
    return found;
  };
}

/** What failed beside others, alone: a race shows itself as one, a defect stays. */
function lookAtFailed(
  results: readonly StageResult[],
  starter: Starter,
  provide: Provide,
): Promise<StageResult[]> {
  const secondLook = (name: StageName): SecondLook | undefined => (stages[name] as Stage).again;
  return lookAgain(
    results,
    (name) => secondLook(name)?.failedFiles,
    (name, file) => {
      process.stdout.write(`\n${file} failed beside others: once more, alone\n`);
      const stepsOf: StepsOf = (_name, tools) => {
        const step = secondLook(name)?.step(tools, file);
        return step === undefined ? [] : [step];
      };
      return runStage(name, starter, provide, stepsOf, 0);
    },
  );
}

async function runStage(
  name: StageName,
  { root, node }: Starter,
  provide: Provide,
  stepsOf: StepsOf,
  width: number,
): Promise<StageResult> {
  const stage: Stage = stages[name];
  // Stages that run beside each other are told apart by their lines.
  const lead = width === 0 ? '' : `${name.padEnd(width)} │ `;
  const print = (text: string): void => {
    process.stdout.write(`${lead}${text}`);
  };
  print('started\n');
  const result: StageResult = {
    name,
    passed: 0,
    failed: 0,
    unsteady: [],
    seconds: 0,
    cpuSeconds: 0,
    text: '',
  };
  const cacheDir = join(root, '.cache');
  mkdirSync(cacheDir, { recursive: true });
  const startedMs = Date.now();
  try {
    const paths = new Map<Need, string>();
    for (const need of stage.needs) paths.set(need, await provide(need));
    const tools: Tools = { node, cacheDir, electronDist: paths.get('electron') ?? '' };
    for (const step of stepsOf(name, tools)) {
      const ended = await runProgram({
        ...step,
        name,
        cwd: root,
        silentMs: stage.silentMinutes * 60_000,
        print,
      });
      const { passed, failed } = step.count(ended.text, ended.code);
      result.passed += passed;
      result.failed += failed;
      result.text += `${ended.text}\n`;
      result.cpuSeconds =
        result.cpuSeconds === null || ended.cpuSeconds === null
          ? null
          : result.cpuSeconds + ended.cpuSeconds;
    }
  } catch (thrown) {
    const text = `${name}: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`;
    print(text);
    result.failed += 1;
    result.text += text;
  }
  result.seconds = secondsSince(startedMs);
  print(`${lineOf(result)}\n`);
  return result;
}

function lineOf({ name, passed, failed, unsteady, seconds, cpuSeconds }: StageResult): string {
  const files = unsteady.length === 0 ? '' : `, test files unsteady: ${unsteady.length}`;
  const processor = cpuSeconds === null ? '' : `, ${Math.round(cpuSeconds)} s of processor`;
  return `${name}: ${passed} passed, ${failed} failed${files} (${seconds} s${processor})`;
}

/** What failed is shown once more, whole: beside other stages its lines lay scattered. */
function report(results: readonly StageResult[], seconds: number): number {
  const failing = results.filter((result) => result.failed > 0);
  const unsteady = results.filter((result) => result.unsteady.length > 0);
  if (results.length > 1)
    for (const { name, text } of [...unsteady, ...failing])
      process.stdout.write(`\n── ${name}, where tests failed ──\n${text}`);
  for (const { name, unsteady: files } of unsteady)
    for (const file of files)
      process.stdout.write(
        `\nUnsteady, a defect: ${file} (${name}) failed beside others and passed alone. Why stands above.`,
      );
  const sum = (of: 'passed' | 'failed'): number =>
    results.reduce((total, result) => total + result[of], 0);
  process.stdout.write(
    `\n${results.map(lineOf).join('\n')}\n${seconds} s in all\n${sum('passed')} passed, ${sum('failed')} failed\n`,
  );
  return failing.length === 0 ? 0 : 1;
}
