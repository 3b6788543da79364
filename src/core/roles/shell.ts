import { fail } from '../base/errors.ts';
import type { Family } from './systems.ts';

/** One word of a POSIX shell that stands for exactly this text. Throws invalidInput on a NUL byte. */
export function shellWord(text: string): string {
  if (text.includes('\0')) throw fail('invalidInput', 'A text for a shell holds a NUL byte.');
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** As words of a command line. */
export const shellWords = (texts: readonly string[]): string => texts.map(shellWord).join(' ');

/** Names of installed packages, one a line. */
const listInstalled: Readonly<Record<Family, string>> = {
  debian: `dpkg-query -W -f '\${db:Status-Abbrev} \${Package}\\n' 2>/dev/null | sed -n 's/^ii  *//p'`,
  redhat: `rpm -qa --qf '%{NAME}\\n' 2>/dev/null | grep -vx gpg-pubkey`,
};

/**
 * What every step begins with. A step runs as root, is safe to run again, says `TB1 done|already
 * WORDS` or `TB1 fault KIND WORDS`, and puts what its programs print into `$LOG`.
 *
 * `$KEEP` is what this app did to the machine for one role, so that undo takes back exactly that:
 * `packages`, `accounts`, `paths` (lines that were not there before), `file.N` (path), `before.N`
 * (what stood there), `sum.N` (what was put), `unit.NAME` (its state before), `data` (KIND NAME).
 * `label TYPE PATH` is for SELinux, where it is on: without it a service may not read what is not where
 * its package would put it. HUP and PIPE are ignored: a connection that is lost must not break off a package half-way.
 */
export const prelude = (roleId: string, family: Family): string => `set -u
trap '' HUP PIPE
LC_ALL=C DEBIAN_FRONTEND=noninteractive
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export LC_ALL DEBIAN_FRONTEND PATH
umask 022
cd /
ROLE=${shellWord(roleId)}
KEEP=/var/lib/tilebench/roles/$ROLE
LOG=$KEEP/log
TAIL=''
exec 3>&1
say() { printf 'TB1 %s\\n' "$*" >&3; }
fault() {
  say "fault $*"
  [ -z "$TAIL" ] || { tail -n 25 "$TAIL" >&2; }
  exit 1
}
begin() { mkdir -p "$KEEP" || fault disk 'cannot write below /var/lib'; : >"$LOG" || fault disk 'cannot write below /var/lib'; TAIL=$LOG; }
made() { printf '%s %s\\n' "$1" "$2" >>"$KEEP/data" || fault disk 'cannot write below /var/lib'; }
noted() { [ ! -f "$KEEP/data" ] || sed -n "s/^$1 //p" "$KEEP/data" | sort -u; }
state() { printf '%s %s\\n' "$(systemctl is-enabled "$1" 2>/dev/null || :)" "$(systemctl is-active "$1" 2>/dev/null || :)"; }
installed() { ${listInstalled[family]} | sort -u; }
label() {
  ! selinuxenabled 2>/dev/null || chcon -R -t "$1" "$2" >>"$LOG" 2>&1 ||
    fault broken "SELinux takes no label for $2"
}
`;

/** What a step of an undo begins with: without a note of the role there is nothing to do. */
export const here = `[ -d "$KEEP" ] || { say already 'nothing to take back'; exit 0; }
begin
`;
