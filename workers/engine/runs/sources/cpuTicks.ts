import type { SshHost } from '../../deps/ssh.ts';

/** First line of /proc/stat: ticks of all processors together since the machine started. */
const clientCpuCommand = 'head -n 1 /proc/stat';

/** Ticks of a machine's processors: in all, and of those idle. */
export interface CpuTicks {
  total: number;
  idle: number;
}

/**
 * Decodes the line `cpu user nice system idle iowait irq softirq steal guest guest_nice` (proc(5));
 * null where it is something else. Guest time is in user time already. Waiting for I/O is idle;
 * time stolen by a hypervisor is not.
 */
export function cpuTicks(text: string): CpuTicks | null {
  const [word, ...fields] = (text.split('\n')[0] ?? '').trim().split(/\s+/);
  const ticks = fields.slice(0, 8).map(Number);
  if (
    word !== 'cpu' ||
    ticks.length < 5 ||
    !ticks.every((value) => Number.isFinite(value) && value >= 0)
  )
    return null;
  return { total: ticks.reduce((sum, value) => sum + value, 0), idle: ticks[3]! + ticks[4]! };
}

/**
 * Busy share of all processors between two readings, in percent; null where no tick has passed or
 * the machine was started anew.
 */
export function busyPct(before: CpuTicks, after: CpuTicks): number | null {
  const total = after.total - before.total,
    idle = after.idle - before.idle;
  return total <= 0 || idle < 0 ? null : Math.min(100, Math.max(0, 100 * (1 - idle / total)));
}

/** Reads one client's ticks. Throws as `exec` does; null where the client has no /proc/stat. */
export async function readCpuTicks(host: SshHost, signal: AbortSignal): Promise<CpuTicks | null> {
  const { code, stdout } = await host.exec(clientCpuCommand, {
    signal,
    timeoutMs: 10_000,
    maxBytes: 4_096,
  });
  return code === 0 ? cpuTicks(stdout) : null;
}
