/** What a machine said of one step. */
export interface StepAnswer {
  state: 'done' | 'already' | 'failed';
  /** What was done, as the machine said it. */
  note: string;
  /** Null unless it failed. */
  fault: Fault | null;
  /** The machine's own addresses, where the step looked. */
  addresses: readonly string[];
  /** It goes on once the bundle of packages is there. */
  wantsBundle: boolean;
}
export interface Fault {
  message: string;
  hint: string;
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
  const wantsBundle = found.get('want') === 'bundle';
  const failed = found.get('fault');
  if (failed !== undefined) {
    const [, kind = '', detail = ''] = /^(\S*) ?(.*)$/.exec(failed) ?? [];
    return {
      state: 'failed',
      note,
      addresses,
      wantsBundle: false,
      fault: faultOf(kind, detail, said.stderr),
    };
  }
  if (said.code !== 0 || (!found.has('done') && !found.has('already') && !wantsBundle))
    return { state: 'failed', note, addresses, wantsBundle, fault: unexplained(said) };
  return {
    state: found.has('done') ? 'done' : 'already',
    note,
    addresses,
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

/** What APT and dpkg say (LC_ALL=C), and what is meant; the first that fits. */
const aptFaults: readonly (readonly [RegExp, Fault])[] = [
  [
    /No space left on device|don't have enough free space/i,
    {
      message: 'The disk of the machine is full.',
      hint: 'Make room on the file system of /var, or give the VM a larger disk, and retry.',
    },
  ],
  [
    /Could not get lock|Unable to acquire the dpkg (frontend )?lock|is held by process/i,
    {
      message: 'Another program holds the package lock of the machine.',
      hint: 'Often these are automatic updates just after the start: wait some minutes and retry.',
    },
  ],
  [
    /is not valid yet|is expired|certificate is not yet valid|not yet activated/i,
    {
      message:
        'The clock of the machine is wrong: signatures of the mirror lie outside their time.',
      hint: 'Set the clock of the machine (time synchronisation of the host, or NTP), and retry.',
    },
  ],
  [
    /Temporary failure resolving|Could not resolve|Name or service not known/i,
    {
      message: 'The machine cannot find the mirror: its name server (DNS) does not answer.',
      hint: 'Set a name server on the machine, or give the address of a mirror in the lab, and retry.',
    },
  ],
  [
    /Could not connect|Connection refused|Connection timed out|Unable to connect|Network is unreachable|No route to host|connection failed/i,
    {
      message: 'The machine cannot reach its package mirror.',
      hint: 'Let it reach the mirror, or give the address of a mirror in the lab, and retry.',
    },
  ],
  [
    /NO_PUBKEY|is not signed|does not have a Release file|GPG error/i,
    {
      message: 'The mirror has nothing for this system, or nothing that is signed for it.',
      hint: 'Correct the address of the mirror: that of the folder which holds dists and pool.',
    },
  ],
  [
    /Unable to locate package|has no installation candidate/i,
    {
      message: 'The mirror does not have a package of this role.',
      hint: 'Switch the component main (Ubuntu: universe too) on in the sources of the machine, and retry.',
    },
  ],
  [
    /404 +Not Found|Failed to fetch/i,
    {
      message: 'The mirror does not give a package that its own list names.',
      hint: 'The mirror may be in the middle of an update: wait and retry.',
    },
  ],
];

/** Why APT failed, by what it printed. @param doing what it was told to do */
export const aptFault = (evidence: string, doing: string): Fault =>
  aptFaults.find(([pattern]) => pattern.test(evidence))?.[1] ?? {
    message: `The package manager failed (${doing}). ${lastWords(evidence)}`,
    hint: 'Log in to the machine, run apt-get -f install, and retry.',
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
        message: `This role knows Debian and Ubuntu; the machine says it is ${detail}.`,
        hint: 'Use a machine with Debian or Ubuntu, or prepare this one by hand.',
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
