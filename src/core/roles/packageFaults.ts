/** What went wrong on a machine, and what to do. */
export interface Fault {
  message: string;
  hint: string;
}
type Known = readonly (readonly [RegExp, Fault])[];

/** What APT and dpkg say (LC_ALL=C), and what is meant; the first that fits. */
export const aptFaults: Known = [
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

/** What dnf and rpm say (LC_ALL=C), as their sources have it, and what is meant. */
export const dnfFaults: Known = [
  [
    /No space left on device|more space needed on|needs [0-9]+[KMG]?B (more space )?on the/i,
    {
      message: 'The disk of the machine is full.',
      hint: 'Make room on the file system of /var, or give the VM a larger disk, and retry.',
    },
  ],
  [
    /certificate is not yet valid|certificate has expired|signature.* not yet valid/i,
    {
      message:
        'The clock of the machine is wrong: certificates of the mirror lie outside their time.',
      hint: 'Set the clock of the machine (time synchronisation of the host, or NTP), and retry.',
    },
  ],
  [
    /Could ?n[o']t resolve host|Name or service not known/i,
    {
      message: 'The machine cannot find the mirror: its name server (DNS) does not answer.',
      hint: 'Set a name server on the machine, or repositories of the lab in /etc/yum.repos.d, and retry.',
    },
  ],
  [
    /not registered|no enabled repo|There are no enabled repositories/i,
    {
      message: 'The machine has no repositories to take packages from.',
      hint: 'Register it, or set repositories of the lab in /etc/yum.repos.d, and retry.',
    },
  ],
  [
    /Failed to connect|Could ?n[o']t connect|Connection (timed out|refused)|Timeout was reached|Network is unreachable|No route to host/i,
    {
      message: 'The machine cannot reach its package mirror.',
      hint: 'Let it reach the mirror, or set repositories of the lab in /etc/yum.repos.d, and retry.',
    },
  ],
  [
    /GPG check FAILED|Public key for .* is not installed|is not signed/i,
    {
      message: 'A package of the mirror is not signed by a key that the machine has.',
      hint: 'Import the key of the repository on the machine, and retry.',
    },
  ],
  [
    /Unable to find a match|No match for argument/i,
    {
      message: 'The repositories do not have a package of this role.',
      hint: 'Switch the repositories BaseOS and AppStream on, and retry.',
    },
  ],
  [
    /Cannot download|All mirrors were (already )?tried|Status code: 404/i,
    {
      message: 'The mirror does not give what its own list names.',
      hint: 'The mirror may be in the middle of an update: wait and retry.',
    },
  ],
];
