import { installPackages, removePackages, type RoleSettings } from './packageSteps.ts';
import { here, prelude, shellWord, shellWords } from './shell.ts';
import { type Family, type RoleOn, roleOn } from './systems.ts';
import type { Role, RoleFile } from './types.ts';

export type { RoleSettings };

/** One piece of work on a machine: a script for /bin/sh as root, safe to run again. */
export interface RoleStep {
  id: string;
  title: string;
  script: string;
}

const step = (role: RoleOn, id: string, title: string, body: string): RoleStep => ({
  id,
  title,
  script: `${prelude(role.id, role.family)}${body}`,
});

/** All of a role on a kind of system, in order; steps without work are left out. */
export function prepareSteps(
  role: Role,
  settings: RoleSettings,
  family: Family = 'debian',
): RoleStep[] {
  const on = roleOn(role, family);
  return [
    step(on, 'look', 'Look at the machine', look(on)),
    ...(on.packages.length > 0
      ? [step(on, 'packages', 'Install packages', installPackages(on, settings))]
      : []),
    ...(on.files.length > 0 ? [step(on, 'files', 'Write files', files(on))] : []),
    ...(on.units.length > 0 ? [step(on, 'units', 'Start services', units(on))] : []),
    ...(on.setup ? [step(on, 'data', 'Set up data', data(on.setup))] : []),
    step(on, 'verify', 'Verify', verify(on)),
  ];
}

/** Takes back what `prepareSteps` did, last first. */
export function undoSteps(role: Role, family: Family = 'debian'): RoleStep[] {
  const on = roleOn(role, family);
  return [
    step(on, 'look', 'Look at the machine', undoLook()),
    ...(on.unset ? [step(on, 'data', 'Remove data', undoData(on))] : []),
    ...(on.units.length > 0 ? [step(on, 'stop', 'Stop services', undoStop(on))] : []),
    ...(on.files.length > 0 ? [step(on, 'files', 'Put files back', undoFiles(on))] : []),
    ...(on.packages.length > 0
      ? [step(on, 'packages', 'Remove packages', removePackages(on))]
      : []),
    ...(on.units.length > 0 ? [step(on, 'units', 'Put services back', undoUnits(on))] : []),
    step(on, 'verify', 'Verify', undoVerify()),
  ];
}

/** `$family` of the machine by its /etc/os-release; '' = roles do not know its system. */
const detect = `ID='' ID_LIKE='' VERSION_ID='' PRETTY_NAME=''
[ ! -r /etc/os-release ] || . /etc/os-release
family=''
case " $ID $ID_LIKE " in
*' debian '*) family=debian ;;
*' rhel '* | *' rocky '* | *' almalinux '*)
  case $VERSION_ID in 8 | 8.* | 9 | 9.*) family=redhat ;; esac ;;
esac
[ -z "$family" ] || say "family $family"
`;

const look = (role: RoleOn): string => `[ "$(id -u)" = 0 ] || fault sudo
${detect}say "clock $(date +%s)"
say "addresses $(ip -o addr show 2>/dev/null | awk '$2 != "lo" { sub("/.*", "", $4); printf "%s ", $4 }')"
${role.packages.length > 0 ? '[ -n "$family" ] || fault system "${PRETTY_NAME:-unknown}"' : ''}
${role.units.length > 0 ? '[ -d /run/systemd/system ] || fault init' : ':'}
free=$(df -Pk /var | awk 'NR == 2 { print $4 }')
[ "$free" -ge ${role.needKiB} ] || fault space "$free ${role.needKiB}"
note=\${PRETTY_NAME:-$ID}
[ "$family" != redhat ] || note="$note; roles were not yet run on such a machine"
say "done $note"
`;

/**
 * Puts the text on standard input into file N; what stood is kept once. A changed file makes
 * `$KEEP/restart`.
 */
const putFunction = `put() {
  n=$1 how=$3 mode=$4
  base=\${2##*/}
  set -- \${2%/*}
  while [ $# -gt 1 ]; do shift; done
  p=$1/$base
  case $p in *'*'*) fault broken "no $p is there" ;; esac
  cat >"$KEEP/text" || fault disk 'cannot write below /var/lib'
  if [ "$how" = block ]; then
    { printf '# tilebench %s: begin\\n' "$ROLE"; cat "$KEEP/text"; printf '# tilebench %s: end\\n' "$ROLE"
      sed "/^# tilebench $ROLE: begin$/,/^# tilebench $ROLE: end$/d" "$p" ||
        fault broken "$p cannot be read"; } >"$KEEP/text.new"
    mv "$KEEP/text.new" "$KEEP/text"
  fi
  if [ -f "$p" ] && [ ! -L "$p" ] && cmp -s "$KEEP/text" "$p"; then return; fi
  if [ ! -f "$KEEP/file.$n" ]; then
    if [ -e "$p" ] || [ -L "$p" ]; then cp -a "$p" "$KEEP/before.$n" || fault disk "cannot keep $p"; fi
    printf '%s\\n' "$p" >"$KEEP/file.$n"
  fi
  [ -d "\${p%/*}" ] || { printf '%s\\n' "\${p%/*}" >"$KEEP/folder.$n"; mkdir -p "\${p%/*}"; } ||
    fault disk "cannot write $p"
  rm -f "$p.tilebench"
  if [ -f "$p" ] && [ ! -L "$p" ]; then
    cp -p "$p" "$p.tilebench"
  else
    : >"$p.tilebench" && chmod "$mode" "$p.tilebench"
  fi
  cat "$KEEP/text" >"$p.tilebench" && mv -f "$p.tilebench" "$p" || fault disk "cannot write $p"
  sha256sum <"$p" >"$KEEP/sum.$n"
  : >"$KEEP/restart"
}
`;

const put = ({ path, text, how, mode = '0644' }: RoleFile, index: number): string =>
  `printf %s ${shellWord(text)} | { put ${index} ${shellWord(path)} ${how} ${mode}; } || exit 1\n`;

const files = (role: RoleOn): string => `begin
${role.begin ?? ''}${putFunction}
${role.files.map((file, index) => put(file, index)).join('')}
if [ -f "$KEEP/restart" ]; then
  say done '${role.files.length === 1 ? 'one file' : `${role.files.length} files`}'
else
  say already 'every file is as it should be'
fi
`;

/** What firewalld, where it runs, does not let through yet. */
const openPorts = ({ family, ports }: RoleOn): string =>
  family === 'debian' || ports.length === 0
    ? ''
    : `if systemctl -q is-active firewalld; then
  for port in ${ports.join(' ')}; do
    firewall-cmd -q --query-port="$port/tcp" 2>>"$LOG" && continue
    printf '%s\\n' "$port" >>"$KEEP/ports"
    firewall-cmd -q --permanent --add-port="$port/tcp" >>"$LOG" 2>&1 &&
      firewall-cmd -q --add-port="$port/tcp" >>"$LOG" 2>&1 || fault broken "firewalld does not open port $port"
    acted=yes
  done
fi
`;
const closePorts = ({ family }: RoleOn): string =>
  family === 'debian'
    ? ''
    : `for port in $(sort -u "$KEEP/ports" 2>/dev/null); do
  firewall-cmd -q --permanent --remove-port="$port/tcp" >>"$LOG" 2>&1
  ! systemctl -q is-active firewalld || firewall-cmd -q --remove-port="$port/tcp" >>"$LOG" 2>&1
done
rm -f "$KEEP/ports"
`;

const units = (role: RoleOn): string => `begin
acted=''
${openPorts(role)}for unit in ${shellWords(role.units)}; do
  [ -f "$KEEP/unit.$unit" ] || state "$unit" >"$KEEP/unit.$unit"
  if [ "$(systemctl is-enabled "$unit" 2>/dev/null)" != enabled ]; then
    systemctl enable "$unit" >>"$LOG" 2>&1 || fault unit "$unit"
    acted=yes
  fi
  if [ -f "$KEEP/restart" ]; then
    systemctl restart "$unit" >>"$LOG" 2>&1 ||
      { journalctl -n 15 --no-pager -u "$unit" >>"$LOG" 2>&1; fault unit "$unit"; }
    acted=yes
  elif ! systemctl -q is-active "$unit"; then
    systemctl start "$unit" >>"$LOG" 2>&1 ||
      { journalctl -n 15 --no-pager -u "$unit" >>"$LOG" 2>&1; fault unit "$unit"; }
    acted=yes
  fi
done
rm -f "$KEEP/restart"
if [ -n "$acted" ]; then say done ${shellWord(role.units.join(', '))}; else say already 'every service runs'; fi
`;

const data = (setup: string): string => `begin
: >>"$KEEP/data"
before=$(wc -l <"$KEEP/data")
${setup}
after=$(wc -l <"$KEEP/data")
if [ "$after" -gt "$before" ]; then
  say done "$(tail -n +$((before + 1)) "$KEEP/data" | tr '\\n' ',' | sed 's/,$//; s/,/, /g')"
else
  say already 'the data is there'
fi
`;

const verify = (role: RoleOn): string => `begin
for unit in ${shellWords(role.units)}; do
  systemctl -q is-active "$unit" || fault unit "$unit"
  systemctl -q is-enabled "$unit" || fault broken "$unit would not start with the machine"
done
for port in ${role.ports.join(' ')}; do
  tries=0
  until bash -c "exec 3<>/dev/tcp/127.0.0.1/$port" 2>/dev/null; do
    tries=$((tries + 1))
    [ "$tries" -lt 30 ] || fault port "$port"
    sleep 1
  done
done
${role.verify ?? ''}date -u +%Y-%m-%dT%H:%M:%SZ >"$KEEP/done"
say done 'it works'
`;

const undoLook = (): string => `[ "$(id -u)" = 0 ] || fault sudo
${detect}say "addresses $(ip -o addr show 2>/dev/null | awk '$2 != "lo" { sub("/.*", "", $4); printf "%s ", $4 }')"
if [ -d "$KEEP" ]; then
  say done "prepared $(cat "$KEEP/done" 2>/dev/null || echo 'in part')"
else
  say already 'nothing of this role was done here'
fi
`;

const undoData = (role: RoleOn): string => `${here}
if [ ! -s "$KEEP/data" ]; then say already 'no data was made'; exit 0; fi
for unit in ${shellWords(role.units)}; do
  # Where its package goes, its data goes with it.
  systemctl -q is-active "$unit" || systemctl start "$unit" >>"$LOG" 2>&1 ||
    { [ -s "$KEEP/packages" ] && { say done 'goes with the packages'; exit 0; }; fault unit "$unit"; }
done
${role.unset ?? ''}
[ $? = 0 ] || exit 1
rm -f "$KEEP/data"
say done 'removed'
`;

const undoStop = (role: RoleOn): string => `${here}
for unit in ${shellWords([...role.units].reverse())}; do
  systemctl -q is-active "$unit" || continue
  systemctl stop "$unit" >>"$LOG" 2>&1 || fault unit "$unit"
done
say done ${shellWord(role.units.join(', '))}
`;

const undoFiles = (role: RoleOn): string => `${here}
count=0 edited=''
for n in ${role.files.map((_file, index) => role.files.length - 1 - index).join(' ')}; do
  [ -f "$KEEP/file.$n" ] || continue
  p=$(cat "$KEEP/file.$n")
  if [ -f "$p" ] && [ -f "$KEEP/sum.$n" ] && [ "$(sha256sum <"$p")" != "$(cat "$KEEP/sum.$n")" ]; then
    cp -a "$p" "$p.edited-since" || fault disk "cannot keep $p"
    edited="$edited $p.edited-since"
  fi
  if [ -e "$KEEP/before.$n" ] || [ -L "$KEEP/before.$n" ]; then
    rm -f "$p" && cp -a "$KEEP/before.$n" "$p" || fault disk "cannot write $p"
  else
    rm -f "$p"
  fi
  [ ! -f "$KEEP/folder.$n" ] || rmdir "$(cat "$KEEP/folder.$n")" 2>/dev/null || :
  rm -f "$KEEP/folder.$n" "$KEEP/file.$n" "$KEEP/sum.$n" "$KEEP/before.$n"
  count=$((count + 1))
done
if [ "$count" = 0 ]; then
  say already 'every file is as it was'
else
  say "done put back: $count\${edited:+; edited since and kept as$edited}"
fi
`;

const undoUnits = (role: RoleOn): string => `${here}
${closePorts(role)}for unit in ${shellWords(role.units)}; do
  [ -f "$KEEP/unit.$unit" ] || continue
  read -r enabled active <"$KEEP/unit.$unit" || :
  case $enabled in
  enabled) systemctl enable "$unit" >>"$LOG" 2>&1 || fault unit "$unit" ;;
  disabled) systemctl disable "$unit" >>"$LOG" 2>&1 || fault unit "$unit" ;;
  esac
  case $enabled in
  enabled | disabled | static)
    if [ "$active" = active ]; then systemctl restart "$unit" >>"$LOG" 2>&1 || fault unit "$unit"
    else systemctl stop "$unit" >>"$LOG" 2>&1; fi ;;
  esac
  systemctl reset-failed "$unit" >/dev/null 2>&1
  rm -f "$KEEP/unit.$unit"
done
say done 'as they were'
`;

const undoVerify = (): string => `TAIL=''
for left in "$KEEP"/file.* "$KEEP/packages" "$KEEP/data" "$KEEP/ports" "$KEEP"/unit.*; do
  [ ! -s "$left" ] || fault broken "$left says that something was left"
done
rm -rf "$KEEP" "/var/lib/tilebench/prepare-$ROLE.sh"
rmdir /var/lib/tilebench/roles /var/lib/tilebench 2>/dev/null || :
say done 'as it was'
`;
