import { here, shellWord, shellWords } from './shell.ts';
import type { Family, RoleOn } from './systems.ts';

/** What somebody may choose for a preparation. */
export interface RoleSettings {
  /** Base address of an APT mirror, used in place of the machine's own sources; '' = its own. */
  mirror: string;
  /** Digest of the bundle that packages are taken from instead; absent or '' = from none. */
  bundle?: string;
}

/** Seconds for which a lock of APT held by somebody else is waited for. */
const lockWaitS = 120;

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

const installByApt = (settings: RoleSettings): string => `${aptOptions(settings)}
dpkg --configure -a --force-confold >>"$LOG" 2>&1 </dev/null || :
apt-get "$@" update >>"$LOG" 2>&1 </dev/null || fault apt update
! grep -q '^[WE]: Failed to fetch\\|^E: ' "$LOG" || fault apt update
apt-get "$@" -y --no-install-recommends -o Dpkg::Options::=--force-confold install $missing >>"$LOG" 2>&1 </dev/null || fault apt install
`;

/** What its own repositories have; a mirror and a bundle are in APT's form. */
const installByDnf = ({ mirror, bundle = '' }: RoleSettings): string =>
  mirror === '' && bundle === ''
    ? `dnf -y -q --setopt=install_weak_deps=False install $missing >>"$LOG" 2>&1 </dev/null || fault dnf install
`
    : `fault source ${bundle === '' ? 'mirror' : 'bundle'}
`;

/** What was there is noted before anything is installed, and what came is noted after: an interrupted step goes on. */
export const installPackages = (role: RoleOn, settings: RoleSettings): string => `begin
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
${role.family === 'debian' && (settings.bundle ?? '') !== '' ? wantBundle : ''}if [ ! -f "$KEEP/pending.packages" ]; then
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
${role.family === 'debian' ? installByApt(settings) : installByDnf(settings)}note
say "done $(wc -l <"$KEEP/packages") packages with what they need"
`;

/**
 * Exactly what was installed: the package manager is asked first, and nothing is removed that others
 * came to need. `$list` is what is left of it.
 */
const removeBy: Readonly<Record<Family, string>> = {
  debian: `dpkg --configure -a --force-confold >>"$LOG" 2>&1 </dev/null || :
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
`,
  redhat: `list=''
for package in $(sort -u "$KEEP/packages" 2>/dev/null); do
  rpm -q --quiet "$package" && list="$list $package"
done
if [ -n "$list" ]; then
  if ! rpm -e --test $list >"$KEEP/plan" 2>&1; then
    others=$(sed -n 's/.* is needed by (installed) //p' "$KEEP/plan" | sort -u | tr '\\n' ' ')
    [ -z "$others" ] || fault needed "$others"
    cat "$KEEP/plan" >>"$LOG"
    fault dnf remove
  fi
  rpm -e $list >>"$LOG" 2>&1 </dev/null || fault dnf remove
fi
`,
};

export const removePackages = (role: RoleOn): string => `${here}
if [ -f "$KEEP/pending.packages" ]; then
  installed | comm -13 "$KEEP/pending.packages" - >>"$KEEP/packages"
  rm -f "$KEEP/pending.packages"
fi
${removeBy[role.family]}count=$(wc -l <"$KEEP/packages" 2>/dev/null || echo 0)
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
