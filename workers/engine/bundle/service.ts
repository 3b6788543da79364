import { readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import type { RunRecord } from '../../../src/core/run/run.ts';
import type { Emit, Handlers } from '../../../src/wire/contract.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';
import { importBundle, type IncomingScope } from './incoming.ts';
import { exportBundle, type OutgoingScope, previewBundle } from './outgoing.ts';
import { exportStory, previewStory } from './outgoingStory.ts';

type Methods = Pick<
  Handlers,
  'bundle.preview' | 'bundle.export' | 'bundle.import' | 'story.preview' | 'story.export'
>;

export interface BundleService {
  methods: Methods;
  /** Removes what an earlier engine left half done. */ recover(): void;
  close(): void;
}

/**
 * Bundles out and in. What is on its way lies in a folder of its own below the data folder, emptied
 * at start and end.
 */
export function createBundleService(options: {
  deps: Pick<Deps, 'dataDir' | 'ids' | 'clock' | 'version' | 'resourcesDir'>;
  db: Database;
  stored: (id: string) => RunRecord;
  emit: Emit;
}): BundleService {
  const { deps, db } = options;
  const dir = join(deps.dataDir, 'exchange');
  const outgoing: OutgoingScope = { ...options, dir, made: new Map() };
  const incoming: IncomingScope = { ...options, dir, uploads: new Map() };
  return {
    methods: {
      'bundle.preview': async (input) => previewBundle(outgoing, input),
      'bundle.export': (input, signal) => exportBundle(outgoing, input, signal),
      'story.preview': async (input) => previewStory(outgoing, input),
      'story.export': (input, signal) => exportStory(outgoing, input, signal),
      'bundle.import': (input, signal) => importBundle(incoming, input, signal),
    },
    recover() {
      removeOwn(dir);
      for (const { id, importedFrom } of db.runs.list()) {
        if (importedFrom !== undefined && db.runs.find(id)?.imported?.complete === false)
          db.runs.remove(id);
      }
    },
    close: () => {
      removeOwn(dir);
    },
  };
}

/** The names of what is on its way. */
const onItsWay = /^(?:bundle|upload)-[\w-]+$/;

/**
 * Empties the folder of what is on its way. By name: a folder of this name may have stood there
 * before Tilebench did.
 */
function removeOwn(dir: string): void {
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return;
  const names = readdirSync(dir);
  const own = names.filter((name) => onItsWay.test(name));
  for (const name of own) rmSync(join(dir, name), { force: true });
  if (own.length === names.length) rmdirSync(dir);
}
