import type { SshHost } from '../../deps/ssh.ts';

/** What a client machine says about itself. What it does not say is null. */
export interface ClientFacts {
  kernel: string | null;
  cpus: number | null;
  hostname: string | null;
  /**
   * New at every boot of the kernel: with the host name it tells two machines apart, cloned or not.
   */
  bootId: string | null;
  /** Its own addresses. */
  addresses: string[];
  /**
   * Share of CPU time in use over one second, work of other guests on its host (steal) included;
   * null = not readable.
   */
  busyPct: number | null;
  stealPct: number | null;
  load1: number | null;
}

/**
 * One round trip for all of it; the second between the two readings of /proc/stat is the sample.
 */
export const factsCommand = [
  'echo "kernel=$(uname -sr)"; echo "cpus=$(nproc)"; echo "hostname=$(hostname 2>/dev/null ' +
    '|| cat /proc/sys/kernel/hostname)"',
  'echo "boot=$(cat /proc/sys/kernel/random/boot_id 2>/dev/null)"; echo "addresses=$(hostname -I 2>/dev/null)"',
  'echo "load=$(cut -d" " -f1 /proc/loadavg 2>/dev/null)"; echo "stat=$(cat /proc/stat ' +
    '2>/dev/null | head -1)"; sleep 1; echo "stat=$(cat /proc/stat 2>/dev/null | head -1)"',
].join('; ');

/** Output of `factsCommand`, decoded. */
export function parseFacts(stdout: string): ClientFacts {
  const values = new Map<string, string[]>();
  for (const line of stdout.split('\n')) {
    const match = /^([a-z]+)=(.*)$/.exec(line);
    if (match) values.set(match[1]!, [...(values.get(match[1]!) ?? []), match[2]!.trim()]);
  }
  const text = (key: string): string | null => values.get(key)?.[0] || null;
  const number = (key: string): number | null => {
    const value = text(key);
    return value === null || !Number.isFinite(Number(value)) ? null : Number(value);
  };
  const [before, after] = values.get('stat') ?? [];
  return {
    kernel: text('kernel'),
    cpus: number('cpus'),
    hostname: text('hostname'),
    bootId: text('boot'),
    addresses: text('addresses')?.split(/\s+/) ?? [],
    load1: number('load'),
    ...cpuShare(before, after),
  };
}

/**
 * Of two `cpu …` lines of /proc/stat (proc(5): user nice system idle iowait irq softirq steal, in
 * ticks since boot).
 */
export function cpuShare(
  before: string | undefined,
  after: string | undefined,
): Pick<ClientFacts, 'busyPct' | 'stealPct'> {
  const ticks = (line: string | undefined): number[] | null => {
    const words = /^cpu\s+(.+)$/
      .exec(line ?? '')?.[1]
      ?.split(/\s+/)
      .map(Number)
      .slice(0, 8);
    return words && words.length >= 5 && words.every(Number.isFinite) ? words : null;
  };
  const first = ticks(before);
  const second = ticks(after);
  if (!first || !second) return { busyPct: null, stealPct: null };
  const spent = second.map((value, i) => value - (first[i] ?? 0));
  const total = spent.reduce((sum, value) => sum + value, 0);
  if (total <= 0) return { busyPct: null, stealPct: null };
  const idle = spent[3]! + spent[4]!;
  return { busyPct: (100 * (total - idle)) / total, stealPct: (100 * (spent[7] ?? 0)) / total };
}

export async function readFacts(host: SshHost, signal: AbortSignal): Promise<ClientFacts> {
  return parseFacts((await host.exec(factsCommand, { signal, timeoutMs: 20_000 })).stdout);
}
