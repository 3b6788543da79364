import { spawn } from 'node:child_process';

export interface ToolRun {
  stdout: Buffer;
  stderr: string;
  code: number | null;
  startMs: number;
  endMs: number;
}

/** fio gives each of its jobs five seconds to start, which a busy machine may not have. */
const notStarted = /job.* failed to start/;

/**
 * Runs a load tool with this machine's /bin/sh to its end, again as long as it says that it did not
 * come to start.
 */
export async function runTool(command: string, cwd: string): Promise<ToolRun> {
  for (;;) {
    const ran = await runOnce(command, cwd);
    if (ran.code === 0 || !notStarted.test(ran.stderr)) return ran;
  }
}

function runOnce(command: string, cwd: string): Promise<ToolRun> {
  return new Promise((resolve) => {
    const startMs = Date.now();
    const child = spawn('/bin/sh', ['-c', command], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    const parts: Buffer[] = [];
    let stderr = '';
    child.stdout.on('data', (bytes: Buffer) => parts.push(bytes));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('close', (code) =>
      resolve({ stdout: Buffer.concat(parts), stderr, code, startMs, endMs: Date.now() }),
    );
  });
}
