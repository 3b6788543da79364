import { prelude, shellWord, shellWords } from './shell.ts';
import type { Role, RoleFile } from './types.ts';

/** One piece of work on a machine: a script for /bin/sh as root, safe to run again. */
export interface RoleStep {
  id: string;
  title: string;
  script: string;
}

/** What somebody may choose for a preparation. */
export interface RoleSettings {
  /** Base address of an APT mirror, used in place of the machine's own sources; '' = its own. */
  mirror: string;
  /** Digest of the bundle that packages are taken from instead; absent or '' = from none. */
  bundle?: string;
}

/** Seconds for which a lock of APT held by somebody else is waited for. */
const lockWaitS = 120;

const step = (role: Role, id: string, title: string, body: string): RoleStep => ({
  id,
  title,
  script: `${prelude(role.id)}${body}`,
});

/** All of a role, in order; steps without work are left out. */
export function prepareSteps(role: Role, settings: RoleSettings): RoleStep[] {
  return [
    step(role, 'look', 'Look at the machine', look(role)),
    ...(role.packages.length > 0
      ? [step(role, 'packages', 'Install packages', packages(role, settings))]
      : []),
    ...(role.files.length > 0 ? [step(role, 'files', 'Write files', files(role))] : []),
    ...(role.units.length > 0 ? [step(role, 'units', 'Start services', units(role))] : []),
    ...(role.setup ? [step(role, 'data', 'Set up data', data(role.setup))] : []),
    step(role, 'verify', 'Verify', verify(role)),
  ];
}

/** Takes back what `prepareSteps` did, last first. */
export function undoSteps(role: Role): RoleStep[] {
  return [
    step(role, 'look', 'Look at the machine', undoLook()),
    ...(role.unset ? [step(role, 'data', 'Remove data', undoData(role))] : []),
    ...(role.units.length > 0 ? [step(role, 'stop', 'Stop services', undoStop(role))] : []),
    ...(role.files.length > 0 ? [step(role, 'files', 'Put files back', undoFiles(role))] : []),
    ...(role.packages.length > 0
      ? [step(role, 'packages', 'Remove packages', undoPackages())]
      : []),
    ...(role.units.length > 0 ? [step(role, 'units', 'Put services back', undoUnits(role))] : []),
    step(role, 'verify', 'Verify', undoVerify()),
  ];
}

const look = (role: Role): string => `[ "$(id -u)" = 0 ] || fault sudo
ID='' ID_LIKE='' PRETTY_NAME=''
[ ! -r /etc/os-release ] || . /etc/os-release
say "addresses $(ip -o addr show 2>/dev/null | awk '$2 != "lo" { sub("/.*", "", $4); printf "%s ", $4 }')"
case " $ID $ID_LIKE " in
*' debian '*) ;;
*) ${role.packages.length > 0 ? 'fault system "${PRETTY_NAME:-unknown}"' : ':'} ;;
esac
${role.units.length > 0 ? '[ -d /run/systemd/system ] || fault init' : ':'}
free=$(df -Pk /var | awk 'NR == 2 { print $4 }')
[ "$free" -ge ${role.needKiB} ] || fault space "$free ${role.needKiB}"
say "done \${PRETTY_NAME:-$ID}"
`;

const fixedOptions = `-q -o DPkg::Lock::Timeout=${lockWaitS} -o Acquire::Retries=2`;

/** The arguments of apt-get, which tell where packages come from. */
function aptOptions({ mirror, bundle = '' }: RoleSettings): string {
  if (bundle !== '') return bundleOptions;
  const fixed = fixedOptions;
  return mirror === ''
    ? `set -- ${fixed}\n`
    : `. /etc/os-release
case " $ID \${ID_LIKE:-} " in *' ubuntu '*) parts='main universe' ;; *) parts=main ;; esac
printf 'deb %s %s %s\\n' ${shellWord(mirror)} "$VERSION_CODENAME" "$parts" >"$KEEP/sources.list"
set -- ${fixed} -o "Dir::Etc::SourceList=$KEEP/sources.list" \\
  -o Dir::Etc::SourceParts=/dev/null -o APT::Get::List-Cleanup=0
`;
}

/**
 * Before a bundle is sent: is it for this machine at all? `$BUNDLE_FOR` and `$BUNDLE_SHA` stand before
 * the script, and `$BUNDLE`, its path, once it is there.
 */
const wantBundle = `if [ -z "\${BUNDLE:-}" ]; then
  ID='' VERSION_ID=''
  . /etc/os-release
  is="$ID-$VERSION_ID $(dpkg --print-architecture)"
  [ "$is" = "$BUNDLE_FOR" ] || fault release "$is for $BUNDLE_FOR"
  say want bundle
  exit 0
fi
`;

/**
 * A bundle becomes a source of packages on the machine itself, for as long as this step runs; APT's
 * lists of other sources stay as they are. Its digest stands for the signature of a mirror.
 */
const bundleOptions = `trap 'rm -rf "$KEEP/bundle" "$KEEP/lists" "$BUNDLE"' EXIT
[ "$(sha256sum <"$BUNDLE" | cut -c 1-64)" = "$BUNDLE_SHA" ] || fault bundle 'its SHA-256 differs'
rm -rf "$KEEP/bundle" "$KEEP/lists"
mkdir -p "$KEEP/bundle" "$KEEP/lists/partial" && tar -xf "$BUNDLE" --no-same-owner -C "$KEEP/bundle" >>"$LOG" 2>&1 ||
  fault disk 'the bundle cannot be unpacked below /var/lib'
printf 'deb [trusted=yes] file:%s ./\\n' "$KEEP/bundle" >"$KEEP/sources.list"
set -- ${fixedOptions} -o "Dir::Etc::SourceList=$KEEP/sources.list" \\
  -o Dir::Etc::SourceParts=/dev/null -o "Dir::State::Lists=$KEEP/lists" \\
  -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=
`;

/** What was there is noted before anything is installed, and what came is noted after: an interrupted step goes on. */
const packages = (role: Role, settings: RoleSettings): string => `begin
for unit in ${shellWords(role.units)}; do
  [ -f "$KEEP/unit.$unit" ] || state "$unit" >"$KEEP/unit.$unit"
done
note() {
  installed | comm -13 "$KEEP/pending.packages" - >>"$KEEP/packages" || fault disk 'cannot write below /var/lib'
  rm -f "$KEEP/pending.packages"
}
missing=''
for package in ${shellWords(role.packages)}; do
  installed | grep -qx "$package" || missing="$missing $package"
done
if [ -z "$missing" ]; then
  [ ! -f "$KEEP/pending.packages" ] || note
  say already 'every package is there'
  exit 0
fi
${(settings.bundle ?? '') === '' ? '' : wantBundle}if [ ! -f "$KEEP/pending.packages" ]; then
  installed >"$KEEP/pending.new" || fault disk 'cannot write below /var/lib'
  for path in ${shellWords(role.leaves.paths)}; do
    [ -e "$path" ] || printf '%s\\n' "$path" >>"$KEEP/paths"
  done
  for account in ${shellWords(role.leaves.accounts)}; do
    getent passwd "$account" >/dev/null || printf 'user %s\\n' "$account" >>"$KEEP/accounts"
    getent group "$account" >/dev/null || printf 'group %s\\n' "$account" >>"$KEEP/accounts"
  done
  mv "$KEEP/pending.new" "$KEEP/pending.packages"
fi
${aptOptions(settings)}
dpkg --configure -a --force-confold >>"$LOG" 2>&1 </dev/null || :
apt-get "$@" update >>"$LOG" 2>&1 </dev/null || fault apt update
! grep -q '^[WE]: Failed to fetch\\|^E: ' "$LOG" || fault apt update
apt-get "$@" -y --no-install-recommends -o Dpkg::Options::=--force-confold install $missing >>"$LOG" 2>&1 </dev/null || fault apt install
note
say "done $(wc -l <"$KEEP/packages") packages with what they need"
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

const files = (role: Role): string => `begin
${putFunction}
${role.files.map((file, index) => put(file, index)).join('')}
if [ -f "$KEEP/restart" ]; then
  say done '${role.files.length === 1 ? 'one file' : `${role.files.length} files`}'
else
  say already 'every file is as it should be'
fi
`;

const units = (role: Role): string => `begin
acted=''
for unit in ${shellWords(role.units)}; do
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

const verify = (role: Role): string => `begin
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
say "addresses $(ip -o addr show 2>/dev/null | awk '$2 != "lo" { sub("/.*", "", $4); printf "%s ", $4 }')"
if [ -d "$KEEP" ]; then
  say done "prepared $(cat "$KEEP/done" 2>/dev/null || echo 'in part')"
else
  say already 'nothing of this role was done here'
fi
`;

const here = `[ -d "$KEEP" ] || { say already 'nothing to take back'; exit 0; }
begin
`;

const undoData = (role: Role): string => `${here}
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

const undoStop = (role: Role): string => `${here}
for unit in ${shellWords([...role.units].reverse())}; do
  systemctl -q is-active "$unit" || continue
  systemctl stop "$unit" >>"$LOG" 2>&1 || fault unit "$unit"
done
say done ${shellWord(role.units.join(', '))}
`;

const undoFiles = (role: Role): string => `${here}
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

/** Exactly what was installed: APT is asked first, and nothing is removed that others came to need. */
const undoPackages = (): string => `${here}
if [ -f "$KEEP/pending.packages" ]; then
  installed | comm -13 "$KEEP/pending.packages" - >>"$KEEP/packages"
  rm -f "$KEEP/pending.packages"
fi
dpkg --configure -a --force-confold >>"$LOG" 2>&1 </dev/null || :
list=''
for package in $(sort -u "$KEEP/packages" 2>/dev/null); do
  dpkg-query -W -f '\${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^[a-z][^n]' && list="$list $package"
done
if [ -n "$list" ]; then
  set -- -q -y -o DPkg::Lock::Timeout=${lockWaitS}
  apt-get "$@" -s purge $list >"$KEEP/plan" 2>>"$LOG" </dev/null || fault apt purge
  others=$(sed -n 's/^\\(Purg\\|Remv\\) \\([^ ]*\\).*/\\2/p' "$KEEP/plan" | sort -u | while read -r gone; do
    grep -qx "\${gone%%:*}" "$KEEP/packages" || printf '%s ' "$gone"; done)
  [ -z "$others" ] || fault needed "$others"
  apt-get "$@" purge $list >>"$LOG" 2>&1 </dev/null || fault apt purge
fi
count=$(wc -l <"$KEEP/packages" 2>/dev/null || echo 0)
[ ! -f "$KEEP/paths" ] || while read -r path; do
  case $path in /etc/?* | /var/?*/?* | /srv/?* | /var/www | /usr/lib/?* | /usr/share/?*) rm -rf "$path" || fault disk "cannot remove $path" ;; esac
done <"$KEEP/paths"
for kind in user group; do
  for account in $(sed -n "s/^$kind //p" "$KEEP/accounts" 2>/dev/null); do
    if [ $kind = user ]; then getent passwd "$account" >/dev/null && userdel "$account" >>"$LOG" 2>&1
    else getent group "$account" >/dev/null && groupdel "$account" >>"$LOG" 2>&1; fi
  done
done
systemctl daemon-reload >>"$LOG" 2>&1
rm -f "$KEEP/packages" "$KEEP/paths" "$KEEP/accounts" "$KEEP/plan" "$KEEP/sources.list"
if [ "$count" = 0 ]; then say already 'no package was installed'; else say "done $count packages"; fi
`;

const undoUnits = (role: Role): string => `${here}
for unit in ${shellWords(role.units)}; do
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
for left in "$KEEP"/file.* "$KEEP/packages" "$KEEP/data" "$KEEP"/unit.*; do
  [ ! -s "$left" ] || fault broken "$left says that something was left"
done
rm -rf "$KEEP" "/var/lib/tilebench/prepare-$ROLE.sh"
rmdir /var/lib/tilebench/roles /var/lib/tilebench 2>/dev/null || :
say done 'as it was'
`;
