import { aptFaults, dnfFaults, type Fault } from './packageFaults.ts';
import { families, type Family } from './systems.ts';

export type { Fault };

/** What a machine said of one step. */
export interface StepAnswer {
  state: 'done' | 'already' | 'failed';
  /** What was done, as the machine said it. */
  note: string;
  /** Null unless it failed. */
  fault: Fault | null;
  /** The machine's own addresses, where the step looked. */
  addresses: readonly string[];
  /** The kind of its system, where the step looked and roles know it. */
  family: Family | null;
  /** Its clock, in epoch milliseconds, where the step looked. */
  clockMs: number | null;
  /** It goes on once the bundle of packages is there. */
  wantsBundle: boolean;
}
/** As much of a machine's words as fits in a line of a table. */
const longestNote = 400;

/** Reads the lines `TB1 …` of a step; other lines are noise of a login shell. The first fault counts. */
export function readAnswer(said: {
  code: number | null;
  stdout: string;
  stderr: string;
}): StepAnswer {
  const found = new Map<string, string>();
  for (const line of said.stdout.split('\n')) {
    const [, word, rest = ''] = /^TB1 (\w+) ?(.*)$/.exec(line) ?? [];
    if (word !== undefined && !found.has(word)) found.set(word, rest.trim());
  }
  const addresses = (found.get('addresses') ?? '').split(/\s+/).filter(Boolean).slice(0, 64);
  const note = (found.get('done') ?? found.get('already') ?? '').slice(0, longestNote);
  const family = families.find((one) => one === found.get('family')) ?? null;
  const clockMs = /^\d{1,12}$/.test(found.get('clock') ?? '')
    ? Number(found.get('clock')) * 1_000
    : null;
  const looked = { note, addresses, family, clockMs };
  const wantsBundle = found.get('want') === 'bundle';
  const failed = found.get('fault');
  if (failed !== undefined) {
    const [, kind = '', detail = ''] = /^(\S*) ?(.*)$/.exec(failed) ?? [];
    return {
      state: 'failed',
      ...looked,
      wantsBundle: false,
      fault: faultOf(kind, detail, said.stderr),
    };
  }
  if (said.code !== 0 || (!found.has('done') && !found.has('already') && !wantsBundle))
    return { state: 'failed', ...looked, wantsBundle, fault: unexplained(said) };
  return {
    state: found.has('done') ? 'done' : 'already',
    ...looked,
    wantsBundle,
    fault: null,
  };
}

const lastWords = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .slice(-3)
    .join(' · ')
    .slice(-longestNote);

const unexplained = ({ code, stderr }: { code: number | null; stderr: string }): Fault =>
  code === 124 || code === 137
    ? {
        message: 'The step took longer than 20 minutes and was ended.',
        hint:
          'See what keeps the machine busy, or whether its mirror is slow, and retry: what ' +
          'is done is not done again.',
      }
    : code === 75
      ? {
          message: 'Another preparation holds this machine.',
          hint: 'Wait for its end, and retry.',
        }
      : {
          message: `The step ended with code ${code ?? 'none'}. ${lastWords(stderr)}`.trim(),
          hint: 'Log in to the machine, look at /var/lib/tilebench/roles, and retry.',
        };

/** Why APT failed, by what it printed. @param doing what it was told to do */
export const aptFault = (evidence: string, doing: string): Fault =>
  aptFaults.find(([pattern]) => pattern.test(evidence))?.[1] ?? {
    message: `The package manager failed (${doing}). ${lastWords(evidence)}`,
    hint: 'Log in to the machine, run apt-get -f install, and retry.',
  };

/** The same for dnf and rpm. */
const dnfFault = (evidence: string, doing: string): Fault =>
  dnfFaults.find(([pattern]) => pattern.test(evidence))?.[1] ?? {
    message: `The package manager failed (${doing}). ${lastWords(evidence)}`,
    hint: 'Log in to the machine, run dnf check, and retry.',
  };

/** Why a step failed, in words. @param evidence what its programs printed last */
function faultOf(kind: string, detail: string, evidence: string): Fault {
  switch (kind) {
    case 'sudo':
      return {
        message: 'This user may not become root without a password.',
        hint:
          'Log in as root, or allow sudo without a password for the time of the preparation ' +
          '(NOPASSWD in /etc/sudoers.d).',
      };
    case 'system':
      return {
        message: `Roles know Debian, Ubuntu, and Red Hat, Rocky and Alma 8 and 9; the machine says it is ${detail}.`,
        hint: 'Use a machine with one of these, or prepare this one by hand.',
      };
    case 'init':
      return {
        message: 'systemd does not run on the machine.',
        hint: 'Services of this role are started by systemd: use a machine that was started with it.',
      };
    case 'space': {
      const [free = '0', need = '0'] = detail.split(' ').map(megabytes);
      return {
        message: `Too little room on /var: ${free} MB are free, ${need} MB are needed.`,
        hint: 'Make room, or give the VM a larger disk, and retry.',
      };
    }
    case 'disk':
      return {
        message: `The machine cannot be written: ${detail}. ${lastWords(evidence)}`.trim(),
        hint: 'See whether its disk is full or mounted read-only, and retry.',
      };
    case 'apt':
      return aptFault(evidence, detail);
    case 'dnf':
      return dnfFault(evidence, detail);
    case 'source':
      return {
        message: `The ${detail} is in the form of APT; this machine takes packages by dnf.`,
        hint: 'Set repositories of the lab in /etc/yum.repos.d of the machine, and prepare it without one.',
      };
    case 'release': {
      const [, is = '', wanted = ''] = /^(.*?) for (.*)$/.exec(detail) ?? [];
      return {
        message: `The bundle is for ${wanted}; the machine is ${is}.`,
        hint: 'Make a bundle for this release and architecture, and choose it.',
      };
    }
    case 'bundle':
      return {
        message: `The bundle did not arrive as it was sent: ${detail}.`,
        hint: 'Retry; where it happens again, look at the disk and the network of the machine.',
      };
    case 'unit':
      return {
        message: `The service ${detail} does not start. ${lastWords(evidence)}`.trim(),
        hint: `Look at journalctl -u ${detail} on the machine, and retry.`,
      };
    case 'port':
      return {
        message: `Nothing answers on port ${detail} of the machine.`,
        hint: 'Look at the journal of its services on the machine, and retry.',
      };
    case 'needed':
      return {
        message: `Packages stay, because others came to need them since: ${detail.trim()}.`,
        hint: 'Remove these first, or keep the role.',
      };
    default:
      return {
        message: `It does not work: ${detail}. ${lastWords(evidence)}`.trim(),
        hint: 'Log in to the machine, see why, and retry.',
      };
  }
}

const megabytes = (kib: string): string =>
  String(Math.round(Number.isFinite(Number(kib)) ? Number(kib) / 1_024 : 0));
