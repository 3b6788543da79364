import { shellQuote } from './quote.ts';

/**
 * The shell side of remote jobs: POSIX sh, tried with dash and busybox. A job directory holds
 * command, stdout, stderr, supervisor (pid), pgid, start (epoch ms), boot (id), and in the end exit
 * ("code endMs reason ranMs"). `ending` and `limit` say who ended it.
 */

/**
 * Where a client keeps its jobs. TILEBENCH_ROOT lets several clients share one machine and user.
 */
const rootLine = 'tb_root=${TILEBENCH_ROOT:-$HOME}/.tilebench';

/**
 * Functions shared by the scripts. Every process of a job carries TILEBENCH_JOB=<dir>/ in its
 * environment; the trailing slash keeps one job from matching another. A group is signalled only
 * while its leader carries the mark or is gone: the kernel gives no process id away that is still a
 * group's.
 */
const library = `
tb_now() {
  tb_n=$(date +%s%N 2>/dev/null)
  case $tb_n in ''|*[!0-9]*) tb_n=$(date +%s);; esac
  [ \${#tb_n} -gt 12 ] || tb_n=\${tb_n}000000000
  echo "\${tb_n%??????}"
}
tb_up() {
  tb_n=
  { read -r tb_n _ </proc/uptime; } 2>/dev/null
  case $tb_n in [1-9]*.[0-9][0-9]) echo "\${tb_n%.*}\${tb_n#*.}0";; *) tb_now;; esac
}
tb_boot() { cat /proc/sys/kernel/random/boot_id 2>/dev/null || echo none; }
tb_group() {
  tb_l=
  { read -r tb_l <"/proc/$1/stat"; } 2>/dev/null
  tb_l=\${tb_l##*) }; tb_l=\${tb_l#* }; tb_l=\${tb_l#* }; echo "\${tb_l%% *}"
}
tb_alive() {
  kill -s 0 -- "-$1" 2>/dev/null || return 1
  [ -r /proc/self/stat ] || return 0
  cat /proc/[0-9]*/stat 2>/dev/null | awk -v g="$1" '
    { sub(/^.*\\) /, ""); if ($3 == g && $1 != "Z" && $1 != "X") found = 1 }
    END { exit !found }'
}
tb_ours() { [ ! -d "/proc/$2" ] || grep -qszF "TILEBENCH_JOB=$1/" "/proc/$2/environ"; }
tb_here() { [ -n "$2" ] && [ -d "/proc/$2" ] && tb_ours "$1" "$2"; }
tb_marked() { grep -lszF "TILEBENCH_JOB=$1/" /proc/[0-9]*/environ 2>/dev/null | sed 's/[^0-9]//g'; }
tb_strays() {
  for tb_p in $(tb_marked "$1"); do
    tb_q=$(tb_group "$tb_p")
    [ -z "$tb_q" ] || [ "$tb_q" = "$2" ] || [ "$tb_q" = "$3" ] || echo "$tb_p"
  done
}
tb_signal() {
  tb_g=$(cat "$1/pgid" 2>/dev/null)
  [ -n "$tb_g" ] && tb_ours "$1" "$tb_g" && kill -s "$2" -- "-$tb_g" 2>/dev/null
  for tb_p in $(tb_strays "$1" "$tb_g" "$3"); do kill -s "$2" "$tb_p" 2>/dev/null; done
  return 0
}
tb_running() {
  tb_g=$(cat "$1/pgid" 2>/dev/null)
  [ -n "$tb_g" ] && tb_ours "$1" "$tb_g" && tb_alive "$tb_g" && return 0
  [ -n "$(tb_strays "$1" "$tb_g" "$2")" ]
}
tb_nap() { sleep 0.1 2>/dev/null || sleep 1; }
tb_wait() {
  tb_until=$(($(tb_now) + $3))
  while tb_running "$1" "$2"; do
    [ "$(tb_now)" -ge "$tb_until" ] && return 1
    tb_nap
  done
}
`;

/**
 * Runs beside the command in its own session, so that ending the command's group leaves it alive to
 * write the exit code. The watchdog is a child of its own: the limit holds even when the supervisor
 * is killed.
 */
const supervisor = `${library}
tb_dir=$1 tb_limit=$2
cd "$tb_dir" || exit 1
echo $$ >supervisor
tb_boot >boot
tb_now >start.tmp || exit 1
tb_began=$(tb_up)
setsid /bin/sh -c 'trap : TERM; /bin/sh ./command; exit $?' </dev/null >stdout 2>stderr &
tb_child=$!
tb_i=0
until kill -s 0 -- "-$tb_child" 2>/dev/null || [ $tb_i -ge 2000 ]; do tb_i=$((tb_i + 1)); done
echo $tb_child >pgid && mv start.tmp start
(
  sleep "$tb_limit"
  echo "$tb_limit" >limit
  tb_signal "$tb_dir" TERM $$
  tb_wait "$tb_dir" $$ 10000 || tb_signal "$tb_dir" KILL $$
  tb_here "$tb_dir" $$ || [ -e exit ] || {
    echo "137 $(tb_now) limit $(($(tb_up) - tb_began))" >exit.dog && mv exit.dog exit
  }
) </dev/null >/dev/null 2>&1 &
wait $tb_child
tb_code=$?
# Not from the clock, which may be set meanwhile.
tb_ran=$(($(tb_up) - tb_began))
tb_reason=done
if [ -e limit ]; then tb_reason=limit; tb_wait "$tb_dir" $$ 15000
elif [ -e ending ]; then tb_reason=ended; tb_wait "$tb_dir" $$ "$(($(cat ending) + 5000))"
elif tb_running "$tb_dir" $$; then tb_signal "$tb_dir" TERM $$; tb_wait "$tb_dir" $$ 5000
fi
tb_signal "$tb_dir" KILL $$
tb_wait "$tb_dir" $$ 2000
echo "$tb_code $(tb_now) $tb_reason $tb_ran" >exit.tmp && mv exit.tmp exit
kill -s KILL -- -$$
`;

/** Lines of an answer start so; a login shell may print before it. */
export const answerMark = 'TB1 ';

/**
 * Starts a job, or finds the one that was started before. The command comes on stdin, so it is in
 * no process list.
 */
export function startScript(
  runId: string,
  jobId: string,
  commandBytes: number,
  timeLimitS: number,
): string {
  return `${library}
${rootLine}
tb_run=$tb_root/${runId}; tb_dir=$tb_run/${jobId}
tb_fail() { echo "${answerMark}fail $*"; exit 0; }
command -v setsid >/dev/null 2>&1 || tb_fail setsid is not installed
mkdir -p "$tb_run" 2>/dev/null || tb_fail cannot create "$tb_run"
tb_seen() {
  tb_i=0
  while [ $tb_i -lt "$1" ]; do
    [ -s "$tb_dir/start" ] && return 0
    [ -d "$tb_dir" ] || return 1
    tb_i=$((tb_i + 1))
    tb_nap
  done
  return 1
}
if [ -d "$tb_dir" ] && ! tb_seen 50; then
  tb_signal "$tb_dir" KILL; rm -rf "$tb_dir"
fi
if mkdir -m 700 "$tb_dir" 2>/dev/null; then
  cat >"$tb_dir/command" 2>/dev/null
  if [ "$(wc -c <"$tb_dir/command" | tr -d ' ')" != ${commandBytes} ]; then
    rm -rf "$tb_dir"
    tb_fail the command did not arrive whole, or the disk is full
  fi
  printf %s ${shellQuote(supervisor)} >"$tb_dir/job.sh" || { rm -rf "$tb_dir"; tb_fail the disk is full; }
  TILEBENCH_JOB=$tb_dir/ setsid /bin/sh "$tb_dir/job.sh" "$tb_dir" ${timeLimitS} </dev/null >/dev/null 2>&1 &
fi
tb_seen 150 || tb_fail the job did not start in "$tb_dir"
echo "${answerMark}ok $(cat "$tb_dir/pgid") $(cat "$tb_dir/start") $tb_dir"
`;
}

/**
 * One line a directory: state (running, ended, lost, rebooted, gone), bytes of stdout, then the
 * exit file.
 */
export function statusScript(dirs: readonly string[]): string {
  return `${library}
tb_status() {
  [ -e "$1/start" ] || { echo gone 0; return; }
  tb_bytes=$(wc -c <"$1/stdout" 2>/dev/null | tr -d ' ')
  if [ -s "$1/exit" ]; then echo "ended \${tb_bytes:-0} $(cat "$1/exit")"; return; fi
  if [ "$(cat "$1/boot" 2>/dev/null)" != "$(tb_boot)" ]; then echo "rebooted \${tb_bytes:-0}"; return; fi
  tb_s=$(cat "$1/supervisor" 2>/dev/null)
  if tb_here "$1" "$tb_s"; then echo "running \${tb_bytes:-0}"; return; fi
  if tb_running "$1" "$tb_s" || { [ -e "$1/limit" ] && [ -n "$(tb_marked "$1")" ]; }; then
    echo "running \${tb_bytes:-0}"
    return
  fi
  if [ -s "$1/exit" ]; then echo "ended \${tb_bytes:-0} $(cat "$1/exit")"; return; fi
  echo "lost \${tb_bytes:-0}"
}
for tb_d in ${dirs.map(shellQuote).join(' ')}; do echo "${answerMark}$(tb_status "$tb_d")"; done
`;
}

/** Ends a whole job: TERM, KILL after the grace, and an exit file in any case. */
export function endScript(dir: string, graceMs: number): string {
  return `${library}
tb_dir=${shellQuote(dir)}
[ -d "$tb_dir" ] || { echo "${answerMark}gone"; exit 0; }
tb_s=$(cat "$tb_dir/supervisor" 2>/dev/null)
[ -s "$tb_dir/exit" ] || echo ${graceMs} >"$tb_dir/ending"
if [ ! -s "$tb_dir/exit" ] && [ "$(cat "$tb_dir/boot" 2>/dev/null)" != "$(tb_boot)" ]; then rm -f "$tb_dir/pgid"; fi
${graceMs > 0 ? `tb_signal "$tb_dir" TERM "$tb_s"\ntb_wait "$tb_dir" "$tb_s" ${graceMs} || ` : ''}\
tb_signal "$tb_dir" KILL "$tb_s"
tb_wait "$tb_dir" "$tb_s" 5000 || { echo "${answerMark}alive $(tb_strays "$tb_dir" x "$tb_s" | tr '\\n' ' ')"; exit 0; }
tb_i=0
while [ ! -s "$tb_dir/exit" ] && [ $tb_i -lt 50 ] && tb_here "$tb_dir" "$tb_s"; do tb_i=$((tb_i + 1)); tb_nap; done
for tb_p in $(tb_marked "$tb_dir"); do kill -s KILL "$tb_p" 2>/dev/null; done
[ -s "$tb_dir/exit" ] || { echo "137 $(tb_now) ended" >"$tb_dir/exit.end" && mv "$tb_dir/exit.end" "$tb_dir/exit"; }
echo "${answerMark}ended"
`;
}

/** Ends whatever carries the run's mark, supervisors included, and removes the run's directory. */
export function cleanScript(runId: string): string {
  return `${library}
${rootLine}
tb_run=$tb_root/${runId}
for tb_sig in TERM KILL KILL KILL; do
  for tb_d in "$tb_run"/*/; do
    tb_d=\${tb_d%/}
    [ -d "$tb_d" ] && [ ! -s "$tb_d/exit" ] || continue
    [ "$(cat "$tb_d/boot" 2>/dev/null)" = "$(tb_boot)" ] || continue
    echo 2000 >"$tb_d/ending"
    tb_signal "$tb_d" $tb_sig "$(cat "$tb_d/supervisor" 2>/dev/null)"
  done
  tb_i=0
  while tb_left=$(tb_marked "$tb_run") && [ -n "$tb_left" ] && [ $tb_i -lt 20 ]; do tb_i=$((tb_i + 1)); tb_nap; done
  [ -n "$tb_left" ] || break
  for tb_p in $tb_left; do kill -s KILL "$tb_p" 2>/dev/null; done
done
rm -rf "$tb_run"
tb_left=$(tb_marked "$tb_run")
if [ -e "$tb_run" ]; then echo "${answerMark}kept $tb_run"
elif [ -z "$tb_left" ]; then echo "${answerMark}clean"
else echo "${answerMark}alive" $tb_left
fi
`;
}

/** The last bytes of a job's file. */
export const tailScript = (dir: string, name: string, maxBytes: number): string =>
  `tail -c ${maxBytes} ${shellQuote(`${dir}/${name}`)}`;

/** Writes, runs and removes something where jobs will live. */
export const permissionScript = `${rootLine}
tb_dir=$tb_root/.test.$$
mkdir -p "$tb_dir" 2>/dev/null || { echo "${answerMark}fail cannot create $tb_root"; exit 0; }
echo 'echo ran' >"$tb_dir/probe" 2>/dev/null || {
  rm -rf "$tb_dir"
  echo "${answerMark}fail cannot write in $tb_root"
  exit 0
}
tb_out=$(/bin/sh "$tb_dir/probe" 2>&1)
rm -rf "$tb_dir" || { echo "${answerMark}fail cannot remove $tb_dir"; exit 0; }
[ "$tb_out" = ran ] || { echo "${answerMark}fail /bin/sh does not run scripts"; exit 0; }
for tb_tool in setsid awk grep sed tail; do
  command -v $tb_tool >/dev/null 2>&1 || {
    echo "${answerMark}fail $tb_tool is not installed"
    exit 0
  }
done
echo "${answerMark}ok $tb_root"
`;
