import { counted } from '../../../src/core/base/counted.ts';

const words = {
  tiles: (n: number) => counted(n, 'tile'),
  vms: (n: number) => counted(n, 'VM'),
  hosts: (n: number) => counted(n, 'host'),
  adapters: (n: number) => counted(n, 'adapter each', 'adapters each'),
  clients: (n: number) => counted(n, 'client machine'),
  arrays: (n: number) => counted(n, 'array'),
  luns: (n: number) => counted(n, 'LUN'),
  lunsAnArray: (n: number) => counted(n, 'LUN per array', 'LUNs per array'),
  coresPerSocket: (n: number) => counted(n, 'core per socket', 'cores per socket'),
  sockets: (n: number) => counted(n, 'socket'),
  hyperThreadGain: (n: number) => (n === 1 ? 'hyper-threading off' : `${n} × with both threads`),
  stars: (n: number) => counted(n, 'star'),
  threads: (n: number) => counted(n, 'thread'),
  users: (n: number) => counted(n, 'user'),
  mailboxes: (n: number) => counted(n, 'mailbox', 'mailboxes'),
  outstanding: (n: number) => `${n} I/Os outstanding`,
  blockSizeKb: (n: number) => `${n} KB`,
  readPct: (n: number) => `${n} % reads`,
  randomPct: (n: number) => `${n} % random`,
  sizeMb: (n: number) => `files of ${n / 1_024} GB`,
  stepS: (n: number) => `a step every ${n} s`,
  fullAtS: (n: number) => `all after ${counted(n, 'second')}`,
  leastFactor: (n: number) => `at least ${n * 100} %`,
  rampUpS: (n: number) => `${counted(n, 'second')} up`,
  staggerS: (n: number) => `${n} s between tiles`,
  steadyS: (n: number) => `${counted(n, 'second')} steady`,
  periods: (n: number) => counted(n, 'period'),
  rampDownS: (n: number) => `${n} s down`,
  workloadMs: (n: number) => `workloads every ${n / 1_000} s`,
  vcenterMs: (n: number) => `vCenter every ${n / 1_000} s`,
  limitMs: (n: number) => counted(n, 'ms', 'ms'),
  hours: (n: number) => counted(n, 'hour'),
  atS: (n: number) => `the act after ${counted(n, 'second')}`,
  detectS: (n: number) => `a failed host noticed after ${n} s`,
  restartS: (n: number) => `${n} s to start a VM`,
  startsAtOnce: (n: number) => `${n} at a time`,
} as const;

/** Figures that a study file may state, each with its unit in its name. */
export type StatedFigures = Readonly<Partial<Record<keyof typeof words, number>>>;

/** `3,600 seconds up, 60 s between tiles, 3 periods`. */
export const figureText = (figures: StatedFigures): string =>
  (Object.keys(words) as (keyof typeof words)[])
    .flatMap((key) => (figures[key] === undefined ? [] : [words[key](figures[key])]))
    .join(', ');
