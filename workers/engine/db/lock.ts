import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { fail } from '../../../src/shared/errors.ts';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Linux tells a process's start time; with it, a reused pid is not taken for the engine that died. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

/** Takes the data folder for this process. Throws conflict naming the process that has it; a dead one's lock is taken over. */
export function lockFolder(dataDir: string): () => void {
  const path = join(dataDir, 'engine.lock');
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      const file = openSync(path, 'wx', 0o600);
      writeSync(file, `${process.pid} ${startOf(process.pid)}\n`);
      closeSync(file);
      return () => {
        rmSync(path, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
        throw fail(
          'internal',
          `The data folder ${dataDir} cannot be written: ${String(error)}`,
          'Check its permissions, or choose another with TILEBENCH_DATA.',
        );
      const [pidText = '', start = ''] = readFileSync(path, 'utf8').trim().split(' ');
      const pid = Number(pidText);
      if (pid > 0 && isAlive(pid) && startOf(pid) === start)
        throw fail(
          'conflict',
          `The data folder ${dataDir} is in use by process ${pid}.`,
          'Close the other Tilebench, or choose another folder with TILEBENCH_DATA or --data.',
        );
      rmSync(path, { force: true });
    }
  }
  throw fail(
    'conflict',
    `The data folder ${dataDir} could not be locked.`,
    'Close the other Tilebench and try again.',
  );
}
