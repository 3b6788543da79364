import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import * as z from 'zod';

import { fail } from '../src/core/base/errors.ts';
import type { Deps } from './engine/deps.ts';
import { createVirtualClock, type Pace, type VirtualClock } from './engine/simlab/clock.ts';
import { createSimLab } from './engine/simlab/index.ts';
import { createLabModel } from './engine/simlab/model/model.ts';
import type { CreateModel } from './engine/simlab/model/types.ts';
import { errorCode } from './errorCode.ts';
import { createLog, type LogLevel } from './log.ts';

export interface DemoDepsOptions {
  host: Deps['host'];
  /** Folder of the simulated workspace, e.g. `<data>/demo`. */
  dataDir: string;
  resourcesDir: string;
  version: string;
  pace?: Pace;
  stderrLevel?: LogLevel;
  /** Another way to make models of labs; default `createLabModel`. */
  createModel?: CreateModel;
}
export interface DemoDeps {
  deps: Deps;
  clock: VirtualClock;
  /** Keeps the virtual time for the next start. */ close(): void;
}

/**
 * A fresh simulated workspace begins on this morning: the same plan gives the same bytes wherever
 * it runs.
 */
const firstMs = Date.UTC(2026, 0, 5, 8);
const dayMs = 86_400_000;
const kept = z.object({ nowMs: z.number(), serial: z.number().int(), ended: z.boolean() });

/**
 * The simulated world behind the four edges, with a folder, a clock and ids of its own. Secrets are
 * any word.
 */
export function createDemoDeps(options: DemoDepsOptions): DemoDeps {
  const { dataDir } = options;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (thrown) {
    throw fail(
      'invalidInput',
      `The folder of the simulated workspace cannot be made: ${dataDir}: ${String(thrown)}`,
      'Name another with --data or TILEBENCH_DATA.',
    );
  }
  const before = readKept(join(dataDir, 'clock.json'));
  // Without an end in order time and ids may have gone on unseen: a day and a thousand later
  // nothing can overlap.
  const startMs = before === null ? firstMs : before.ended ? before.nowMs : before.nowMs + dayMs;
  const clock = createVirtualClock({ startMs, ...(options.pace ?? { speed: 60, paused: false }) });
  let serial = before === null ? 0 : before.serial + (before.ended ? 0 : 1_000);
  const log = createLog({
    dir: join(dataDir, 'logs'),
    level: 'info',
    stderrLevel: options.stderrLevel ?? 'error',
  });
  const lab = createSimLab({
    clock,
    createModel: options.createModel ?? createLabModel,
    dataDir,
  });
  let told = false;
  const keep = (ended: boolean): void => {
    const path = join(dataDir, 'clock.json');
    try {
      writeFileSync(
        `${path}.part`,
        JSON.stringify({ nowMs: clock.now(), serial, ended } satisfies z.infer<typeof kept>),
        { mode: 0o600 },
      );
      renameSync(`${path}.part`, path);
      told = false;
    } catch (thrown) {
      // A full disk must not stop the clock; the next start then begins a day after what was kept
      // last.
      if (!told) log.warn('The virtual time could not be kept', { path, thrown });
      told = true;
    }
  };
  keep(false);
  const stopKeeping = clock.onTick(() => keep(false));
  return {
    clock,
    deps: {
      ...lab.edges,
      lab: lab.control,
      clock,
      log,
      dataDir,
      resourcesDir: options.resourcesDir,
      host: options.host,
      version: options.version,
      env: {},
      ids: {
        next: (prefix) => {
          serial += 1;
          return `${prefix}-sim-${String(serial).padStart(5, '0')}`;
        },
      },
      secrets: {
        kind: 'session',
        sourceOf: async (ref) => ref,
        get: async () => 'simulated',
        set: async () => undefined,
        remove: async () => undefined,
      },
      readTextFile: async () => 'simulated',
    },
    close() {
      stopKeeping();
      keep(true);
      clock.close();
    },
  };
}

function readKept(path: string): z.infer<typeof kept> | null {
  try {
    const parsed = kept.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return parsed.success ? parsed.data : null;
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT' || thrown instanceof SyntaxError) return null;
    throw thrown;
  }
}
