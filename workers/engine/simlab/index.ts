import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { labSpecSchema } from '../../../src/core/lab/lab.ts';
import type { Deps, LabControl } from '../deps.ts';
import type { VirtualClock } from './clock.ts';
import { createLabControl } from './control.ts';
import { createSimPower } from './edges/power.ts';
import { createSimSsh } from './edges/ssh.ts';
import { createSimVCenter } from './edges/vcenter.ts';
import { createHostedLab, type HostedLab } from './lab.ts';
import type { CreateModel } from './model/types.ts';

export interface SimLab {
  edges: Pick<Deps, 'vcenter' | 'ssh' | 'power'>;
  control: LabControl;
}
export interface SimLabOptions {
  clock: VirtualClock;
  /** What makes a model of a lab and the time it is up since. */
  createModel: CreateModel;
  /** Where loaded labs are kept for the next start; absent = forgotten with the process. */
  dataDir?: string;
}

/**
 * The simulated world behind three of the four edges; the clock is the fourth. Labs kept in
 * `dataDir` are there again.
 */
export function createSimLab({ clock, createModel, dataDir }: SimLabOptions): SimLab {
  const labs = new Map<string, HostedLab>();
  const folder = dataDir === undefined ? null : join(dataDir, 'labs');
  if (folder !== null) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .sort()) {
      // A lab of an older version that is not valid any more is left out: installing its study
      // writes it anew.
      const parsed = labSpecSchema.safeParse(readJson(join(folder, name)));
      if (parsed.success)
        labs.set(parsed.data.id, createHostedLab(parsed.data, clock, createModel));
    }
  }
  const keep = (lab: HostedLab): void => {
    if (folder === null) return;
    const path = join(folder, `${lab.id}.json`);
    writeFileSync(`${path}.part`, JSON.stringify(lab.given), { mode: 0o600 });
    renameSync(`${path}.part`, path);
  };
  const forget = (labId: string): void => {
    if (folder !== null) rmSync(join(folder, `${labId}.json`), { force: true });
  };
  return {
    edges: {
      vcenter: createSimVCenter(labs, clock),
      ssh: createSimSsh(labs, clock),
      power: createSimPower(labs, clock),
    },
    control: createLabControl({ labs, clock, createModel, keep, forget }),
  };
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return null;
    throw thrown;
  }
}
