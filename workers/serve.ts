import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { AppError } from '../src/core/base/errors.ts';
import { keepTail } from '../src/wire/crashReport.ts';
import type { EngineLife } from '../src/wire/engineLife.ts';
import { type EngineNotice, noticeForPage, noticeOf } from '../src/wire/engineNotice.ts';
import { answerSecret, memorySecrets } from '../src/wire/parentSecrets.ts';
import { engineFromChild, type PipedEngine } from '../src/wire/pipedEngine.ts';
import {
  superviseEngine,
  type Supervisor,
  type SupervisorOptions,
} from '../src/wire/supervisor.ts';
import { keepCrash } from './crashFiles.ts';
import { defaultDataDir } from './dataDir.ts';
import { removeEntryFile, writeEntryFile } from './entry.ts';
import { createLog } from './log.ts';
import { startServer } from './server.ts';
import { createSessions } from './sessions.ts';
import { hearUnheard } from './unheard.ts';

export interface ServeOptions {
  /** Folder of the project, or of what a package laid out. */
  rootDir: string;
  /** Whether the engine is started from its bundle; default: from its sources. */
  bundled?: boolean;
  version: string;
  /** Default: the one of the desktop application. */
  dataDir?: string;
  /** Absent = a free one. */
  port?: number;
  /** Words about the engine, a line each. */
  say: (text: string) => void;
  /** Called when the console can be opened. */
  onListening(served: Served): void;
  /** Settles when the console is to end. */
  until: Promise<void>;
}
export interface Served {
  /** Lets one browser in, within ten minutes. */
  url: string;
  port: number;
  /** Lets any browser of the owner in, at any time. Mode 600. */
  file: string;
  /** The same as an address for the system's browser. */
  fileUrl: string;
  pid: number;
}

/**
 * The entry file names a ticket until it was used, however long that takes: who can read it can
 * read the run database beside it.
 */
const entryTicketMs = 10 * 365 * 86_400_000;
const stopGraceMs = 15_000;

/**
 * The console in a browser: an engine in a process of its own, and here what must outlive it: port,
 * tickets, cookie and secrets of the session. Returns when `until` settles. Throws what the engine
 * says that keeps it from starting, and conflict for a port in use.
 */
export async function serveConsole(options: ServeOptions): Promise<void> {
  const dataDir = options.dataDir ?? defaultDataDir(process.env, process.platform);
  const log = createLog({
    dir: join(dataDir, 'logs'),
    name: 'serve',
    level: 'info',
    stderrLevel: 'error',
  });
  // Before anything begins: what fails while the engine starts must not end this process either.
  hearUnheard(process, (reason) => log.error('A promise failed and nobody listened', { reason }));
  const secrets = memorySecrets();
  const settled: { ready: () => void; failed: (error: AppError) => void } = {
    ready: () => undefined,
    failed: () => undefined,
  };
  const ready = new Promise<void>((resolve) => {
    settled.ready = resolve;
  });
  const failed = new Promise<never>((_, reject) => {
    settled.failed = reject;
  });
  // Raced below; it may fail while nobody waits for it.
  failed.catch(() => undefined);
  /** Open pages, which hear of the engine from here: it may be the engine that does not answer. */
  const pages = new Set<(notice: EngineNotice | null) => void>();
  const supervisor: Supervisor<PipedEngine> = superviseEngine({
    ...watchedLaunch(options, dataDir, log),
    onMessage(message, from) {
      if (message.k === 'secret') from.post(answerSecret(secrets, message));
    },
    onChange(life) {
      tell(life, options.say);
      for (const listener of pages) listener(noticeForPage(life));
      if (life.phase === 'running') settled.ready();
      if (life.phase === 'failed' && life.error !== null) settled.failed(new AppError(life.error));
    },
  });
  const ended = options.until.then(() => 'ended' as const);
  try {
    if ((await Promise.race([ready, failed, ended])) === 'ended') return;
    const file = join(dataDir, 'console.html');
    const server = await startServer({
      connect: (workspace) =>
        supervisor.life.phase === 'running' ? (supervisor.engine?.open(workspace) ?? null) : null,
      log,
      uiDir: join(options.rootDir, 'dist', 'ui'),
      ...(options.port === undefined ? {} : { port: options.port }),
      onEntered: () => renew(),
      sessions: createSessions({
        path: join(dataDir, 'sessions.json'),
        onFault: (thrown) =>
          log.warn('Browsers that were let in are not kept', { error: String(thrown) }),
      }),
      desk: {
        notice: () => noticeForPage(supervisor.life),
        onNotice(listener) {
          pages.add(listener);
          return () => {
            pages.delete(listener);
          };
        },
        act: () => supervisor.retry(),
      },
    });
    const renew = (): void => {
      try {
        writeEntryFile(file, server.invite(entryTicketMs));
      } catch (thrown) {
        // A full disk: the printed address still lets somebody in.
        options.say(`${file} cannot be written: ${String(thrown)}`);
      }
    };
    try {
      renew();
      options.onListening({
        url: server.invite(),
        port: server.port,
        file,
        fileUrl: pathToFileURL(file).href,
        pid: process.pid,
      });
      await Promise.race([failed, ended]);
    } finally {
      removeEntryFile(file);
      await server.close();
    }
  } finally {
    await supervisor.stop(stopGraceMs);
  }
}

/** Starts an engine, and keeps a report of one that ends by itself. */
function watchedLaunch(
  options: ServeOptions,
  dataDir: string,
  log: ReturnType<typeof createLog>,
): Pick<SupervisorOptions<PipedEngine>, 'launch' | 'onCrash'> {
  let words = keepTail();
  let startedMs = Date.now();
  return {
    launch() {
      words = keepTail();
      startedMs = Date.now();
      const { add } = words;
      return launchEngine(options, dataDir, add);
    },
    onCrash(how) {
      const atMs = Date.now();
      const ranMs = atMs - startedMs;
      const crash = { process: 'engine', how, atMs, ranMs, lastWords: words.text() } as const;
      try {
        options.say(`A report is in ${keepCrash(join(dataDir, 'logs'), crash, options.version)}.`);
      } catch (thrown) {
        log.warn('A crash report is not kept', { error: String(thrown) });
      }
    },
  };
}

function launchEngine(
  { rootDir, bundled = false, version }: ServeOptions,
  dataDir: string,
  onWords: (text: string) => void,
): PipedEngine {
  const program = (name: string): string =>
    bundled
      ? join(rootDir, 'dist', 'workers', `${name}.cjs`)
      : join(rootDir, 'workers', `${name}.ts`);
  const child = spawn(process.execPath, [...process.execArgv, program('engineProcess')], {
    // What the engine prints is never taken for what this program prints.
    stdio: ['ignore', 2, 'pipe', 'pipe'],
    env: {
      ...process.env,
      TILEBENCH_HOST: 'browser',
      TILEBENCH_FRAMES: '1',
      TILEBENCH_DATA: dataDir,
      TILEBENCH_RESOURCES: join(rootDir, 'resources'),
      TILEBENCH_VERSION: version,
      TILEBENCH_DEMO_THREAD: program('demoThread'),
    },
  });
  child.stderr?.on('data', (piece: Buffer) => {
    onWords(piece.toString());
    process.stderr.write(piece);
  });
  return engineFromChild(child, (thrown) => {
    process.stderr.write(`The engine's pipe is broken: ${String(thrown)}\n`);
  });
}

function tell(life: EngineLife, say: (text: string) => void): void {
  if (life.phase === 'failed') return;
  const notice = noticeOf(life);
  if (notice !== null) say(`${notice.message}. ${notice.detail}`);
  else if (life.phase === 'pausing')
    say('The engine ended. It is started again; open pages connect by themselves.');
  else if (life.phase === 'running' && life.crashes > 0) say('The engine is back.');
}
