import { type ChildProcess, spawn } from 'node:child_process';

import type { AppErrorShape } from '../src/core/base/errors.ts';
import { keepTail } from '../src/wire/crashReport.ts';
import { changedBeforeStart, type PackagePart } from './packageParts.ts';

/** Which engine is run, by what, over which data. */
export interface EngineProgram {
  /** Folder of the project, or of what a package laid out. */
  rootDir: string;
  dataDir: string;
  /** Where the engine's code is kept compiled, which is a good part of its next start. */
  compiledDir: string;
  version: string;
  /** Node 24, which runs the engine, and in what environment. */
  nodePath: string;
  engineEnv: Readonly<Record<string, string | undefined>>;
  /** What the package brought, to be held against what is there; empty = this is no package. */
  parts: readonly PackagePart[];
}

/** A started engine. */
export interface EngineChild {
  process: ChildProcess;
  /** UTC. */ startedMs: number;
  /** The end of what it wrote to its standard error output, which is passed on to ours. */
  lastWords(): string;
}

/** An engine, or why it is not started. */
export type EngineStart = EngineChild | { refused: AppErrorShape };

/** Starts an engine from the parts of the package, unless one of them is another. */
export function startEngineChild(program: EngineProgram): EngineStart {
  const refused = changedBeforeStart(program.rootDir, program.parts);
  return refused === null ? spawnEngine(program) : { refused };
}

/**
 * Starts an engine; nothing of what it says is lost before somebody listens to its pipe. That it
 * cannot be started is told by its missing `pid`.
 *
 * Messages take a pipe and not Node's IPC: in Electron 22 an IPC message of more than some
 * kilobytes corrupts the heap of the main process.
 */
function spawnEngine(program: EngineProgram): EngineChild {
  const { rootDir, dataDir, compiledDir, version, nodePath, engineEnv } = program;
  const child = spawn(nodePath, [`${rootDir}/dist/workers/engineProcess.cjs`], {
    stdio: ['ignore', 'inherit', 'pipe', 'pipe'],
    env: {
      ...engineEnv,
      NODE_COMPILE_CACHE: compiledDir,
      TILEBENCH_HOST: 'electron',
      TILEBENCH_DATA: dataDir,
      TILEBENCH_RESOURCES: `${rootDir}/resources`,
      TILEBENCH_VERSION: version,
      TILEBENCH_DEMO_THREAD: `${rootDir}/dist/workers/demoThread.cjs`,
    },
  });
  // Without a listener the fault would end this process; who takes the child over sees it has ended.
  child.on('error', () => undefined);
  const tail = keepTail();
  child.stderr?.on('data', (piece: Buffer) => {
    tail.add(piece.toString());
    process.stderr.write(piece);
  });
  return { process: child, startedMs: Date.now(), lastWords: () => tail.text() };
}
