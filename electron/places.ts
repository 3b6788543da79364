import { dirname, join } from 'node:path';

import { partsFile } from './packageParts.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Where the parts of the application lie. */
export interface Places {
  /** Holds `dist/ui`, `dist/workers`, `resources` and `node_modules`. */
  rootDir: string;
  /** Node 24, which runs the engine. */
  nodePath: string;
  /** The list of what the package brought; null = this is the folder of the project. */
  partsPath: string | null;
  /** Environment of the engine. */
  engineEnv: Env;
}

/** What would make the engine's Node read or run something that no package brought. */
const foreign = ['NODE_OPTIONS', 'NODE_PATH', 'NODE_EXTRA_CA_CERTS', 'NODE_REPL_EXTERNAL_MODULE'];

/**
 * A packaged application runs what its package holds, whatever the environment says; the folder of
 * the project can be told another Node and another place. `bundleDir` is the folder of the window
 * process's own bundle.
 */
export function placesOf(at: {
  packaged: boolean;
  resourcesPath: string;
  bundleDir: string;
  env: Env;
  platform: NodeJS.Platform;
}): Places {
  const exe = at.platform === 'win32' ? 'node.exe' : 'node';
  if (at.packaged) {
    const rootDir = join(at.resourcesPath, 'console');
    const kept = Object.entries(at.env).filter(([name]) => !foreign.includes(name));
    return {
      rootDir,
      nodePath: join(rootDir, 'bin', exe),
      partsPath: join(at.bundleDir, partsFile),
      engineEnv: Object.fromEntries(kept),
    };
  }
  const rootDir = at.env['TILEBENCH_ROOT_DIR'] ?? dirname(dirname(at.bundleDir));
  return {
    rootDir,
    nodePath: at.env['TILEBENCH_NODE'] ?? join(rootDir, 'node_modules', 'node', 'bin', exe),
    partsPath: null,
    engineEnv: at.env,
  };
}
