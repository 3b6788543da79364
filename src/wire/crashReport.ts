import { byNaturalOrder } from '../core/base/naturalOrder.ts';

/*
 * What is kept of a process that ended by itself: a text file beside the logs, on this machine only.
 * The hosts of the engine (the desktop, `tilebench serve`) write it.
 */

/** A process that ended, or a fault that would have ended one. */
export interface Crash {
  process: 'engine' | 'window' | 'page' | 'helper';
  /** In words: `exit code 134`, `signal SIGSEGV`, `crashed`, or what was thrown with its stack. */
  how: string;
  /** UTC. */ atMs: number;
  /** How long the process had been running; null = not known. */ ranMs: number | null;
  /** The last lines it wrote to its standard error output. */ lastWords: string;
}
/** Versions and machine, one line each: `Tilebench: 0.1.0`. */
export type CrashPlace = Readonly<Record<string, string>>;

const named: Record<Crash['process'], string> = {
  engine: 'The engine (it runs benchmarks and keeps the data)',
  window: 'The process of the windows',
  page: 'The page of a window',
  helper: 'A helper process of the windows',
};

/** How many reports are kept. */
const kept = 20;
const reportName = /^crash-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-[a-z]+\.txt$/;

/** Name and text of a report's file. */
export function crashFile(crash: Crash, place: CrashPlace): { name: string; text: string } {
  const at = new Date(crash.atMs).toISOString();
  const rows = [
    ['Process', named[crash.process]],
    [
      'Ended',
      `${at}${crash.ranMs === null ? '' : `, after ${(crash.ranMs / 1_000).toFixed(1)} s`}`,
    ],
    ['How', crash.how],
    ...Object.entries(place),
  ];
  return {
    name: `crash-${at.replaceAll(/[:.]/g, '-')}-${crash.process}.txt`,
    text:
      'Tilebench crash report. It stays on this machine until somebody passes it on.\n\n' +
      `${rows.map(([label, value]) => `${label}: ${value}`).join('\n')}\n\n` +
      `Last words:\n${crash.lastWords.trim() || '(none)'}\n`,
  };
}

/** What is needed of Node's file system: what lies here runs without Node. */
export interface ReportFiles {
  mkdirSync(path: string, options: { recursive: true; mode: number }): unknown;
  writeFileSync(path: string, text: string, options: { mode: number }): void;
  readdirSync(path: string): string[];
  rmSync(path: string): void;
}

/**
 * Writes a report to `folder` for its owner only, and drops the oldest; gives its path. Throws the
 * system's error where it cannot be written.
 */
export function keepReport(
  files: ReportFiles,
  folder: string,
  { name, text }: { name: string; text: string },
): string {
  const path = `${folder}/${name}`;
  files.mkdirSync(folder, { recursive: true, mode: 0o700 });
  files.writeFileSync(path, text, { mode: 0o600 });
  for (const old of surplusReports(files.readdirSync(folder))) files.rmSync(`${folder}/${old}`);
  return path;
}

/** Of the files of a folder: reports beyond the newest, to be removed. */
export const surplusReports = (names: readonly string[]): string[] =>
  names
    .filter((name) => reportName.test(name))
    .sort(byNaturalOrder)
    .slice(0, -kept);

/** How a process ended, as its exit event tells it. */
export const howItEnded = (code: number | null, signal: string | null): string =>
  signal === null ? `exit code ${code ?? 'unknown'}` : `signal ${signal}`;

/** Keeps the end of what is written, at most `maxChars` of it, from a whole line on. */
export function keepTail(maxChars = 8_192): { add: (text: string) => void; text: () => string } {
  let tail = '';
  let cut = false;
  return {
    add(text) {
      tail += text;
      if (tail.length <= maxChars) return;
      tail = tail.slice(-maxChars);
      cut = true;
    },
    text: () => (cut ? tail.slice(tail.indexOf('\n') + 1) : tail),
  };
}
