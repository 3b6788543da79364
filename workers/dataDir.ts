import { homedir } from 'node:os';
import { join } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** TILEBENCH_DATA, or the platform's folder for application data. */
export function defaultDataDir(env: Env, platform: NodeJS.Platform): string {
  if (env['TILEBENCH_DATA']) return env['TILEBENCH_DATA'];
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Tilebench');
  if (platform === 'win32')
    return join(env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), 'Tilebench');
  return join(env['XDG_DATA_HOME'] || join(homedir(), '.local', 'share'), 'tilebench');
}
