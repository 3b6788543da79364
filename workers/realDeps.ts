import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir, uptime } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { fail } from '../src/core/base/errors.ts';
import { defaultDataDir } from './dataDir.ts';
import { createSteadyClock } from './engine/clock/steadyClock.ts';
import type { Clock, Deps, Ids } from './engine/deps.ts';
import { findKit } from './engine/kit/findKit.ts';
import { createPowerEdge } from './engine/power/edge.ts';
import { createSshEdge } from './engine/ssh/edge.ts';
import { createVCenterEdge } from './engine/vcenter/edge.ts';
import { errorCode } from './errorCode.ts';
import { createLog, type LogLevel, logLevels } from './log.ts';
import { createPracticeLabEdge } from './practiceLab.ts';
import { createSecrets, type Vault } from './secrets.ts';
import { readSmallFile } from './smallFile.ts';
import { createTrustFile } from './trustFile.ts';
import { createUpdateEdge, settingsFile } from './updates.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface RealDepsOptions {
  host: Deps['host'];
  /** Default: `defaultDataDir`. */
  dataDir?: string;
  resourcesDir: string;
  version: string;
  vault: Vault;
  env?: Env;
  /** Least level that goes to stderr too; default TILEBENCH_LOG or `warn`. */
  stderrLevel?: LogLevel;
}

/** The real world behind the four edges. */
export function createRealDeps(options: RealDepsOptions): Deps {
  const env = options.env ?? process.env;
  const dataDir = options.dataDir ?? defaultDataDir(env, process.platform);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (thrown) {
    throw fail(
      'invalidInput',
      `The data folder cannot be made: ${dataDir}: ${String(thrown)}`,
      'Name another with --data or TILEBENCH_DATA.',
    );
  }
  const clock = realClock;
  const log = createLog({
    dir: join(dataDir, 'logs'),
    level: 'debug',
    stderrLevel: options.stderrLevel ?? levelFrom(env['TILEBENCH_LOG']),
  });
  return {
    clock,
    log,
    ids: randomIds,
    dataDir,
    env,
    resourcesDir: options.resourcesDir,
    host: options.host,
    version: options.version,
    secrets: createSecrets(options.vault, env),
    vcenter: createVCenterEdge({ clock, log }),
    ssh: createSshEdge({
      clock,
      log,
      trust: createTrustFile(join(dataDir, 'trust.json')),
      readKnownHosts: () => readIfThere(join(homedir(), '.ssh', 'known_hosts')),
      findKit: (platform) =>
        findKit(
          {
            sourceDir: join(options.resourcesDir, '..', 'kit'),
            cacheDir: join(options.resourcesDir, '..', '.cache'),
            carriedDir: join(options.resourcesDir, 'kit'),
          },
          platform,
        ),
    }),
    power: createPowerEdge({ clock, log }),
    updates: createUpdateEdge(settingsFile(env, process.platform)),
    lab: null,
    practiceLab: createPracticeLabEdge(env),
    readTextFile: (path) => readTextFile(expandHome(path)),
  };
}

export const realClock: Clock = createSteadyClock({
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  uptimeMs: () => uptime() * 1_000,
  async delay(ms, signal) {
    try {
      await delay(ms, undefined, signal ? { signal } : {});
    } catch (thrown) {
      if (signal?.aborted) throw fail('aborted', 'The operation was cancelled.');
      throw thrown;
    }
  },
});

/** `r-20261121-4f9a2c`: sorts roughly by age, safe in file names and shell words. */
const randomIds: Ids = {
  next: (prefix) =>
    `${prefix}-${new Date().toISOString().slice(0, 10).replaceAll('-', '')}-${randomBytes(5).toString('hex')}`,
};

function levelFrom(text: string | undefined): LogLevel {
  return logLevels.find((level) => level === text) ?? 'warn';
}

function expandHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
}

/** No key is larger; a plan file may name anything. */
const maxKeyBytes = 256 * 1024;

async function readTextFile(path: string): Promise<string> {
  const refuse = (why: string): never => {
    throw fail('notFound', `The file ${path} ${why}.`, 'Check its path and permissions.');
  };
  const read = await readSmallFile(path, maxKeyBytes).catch((thrown: unknown) =>
    refuse(`cannot be read (${errorCode(thrown) ?? String(thrown)})`),
  );
  return 'refused' in read ? refuse(read.refused) : read.bytes.toString('utf8');
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT') return '';
    throw thrown;
  }
}
