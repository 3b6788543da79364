import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

import { freePort } from '../../e2e/lab/ports.ts';

const rootDir = resolve(import.meta.dirname, '../..');

export interface ServedConsole {
  /** Lets one browser in. */
  url: string;
  port: number;
  /** The page that leads in at any time. */
  file: string;
  /** The supervisor. */
  pid: number;
  /** The engine's process as it is now; null while there is none. */
  enginePid(): number | null;
  stop(): Promise<void>;
  /** SIGKILL to the supervisor. */
  kill(): Promise<void>;
}

/**
 * `tilebench serve` in processes of its own, on a given port, or one that no outgoing connection
 * can take while it is away. `env` is set beside this process's own environment.
 */
export async function startServe(
  dataDir: string,
  given?: number,
  env: Readonly<Record<string, string>> = {},
): Promise<ServedConsole> {
  const port = given ?? (await freePort());
  const child = spawn(
    process.execPath,
    [join(rootDir, 'workers', 'cli.ts'), 'serve', '--json', '--data', dataDir, '--port', `${port}`],
    { cwd: rootDir, stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } },
  );
  const exited = once(child, 'exit');
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line') as Promise<[string]>,
    exited.then(() => {
      throw new Error('The Node host ended before it listened.');
    }),
  ]);
  const served = JSON.parse(line) as Pick<ServedConsole, 'url' | 'port' | 'file' | 'pid'>;
  return {
    ...served,
    enginePid() {
      const children = readFileSync(`/proc/${served.pid}/task/${served.pid}/children`, 'utf8');
      const first = children.trim().split(' ')[0] ?? '';
      return first === '' ? null : Number(first);
    },
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** The cookie for who opens the page that leads in. */
export async function enterBy(file: string): Promise<string> {
  const address = /url=([^"]+)"/.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
  const { headers } = await fetch(address);
  return headers.get('set-cookie')?.split(';', 1)[0] ?? '';
}
