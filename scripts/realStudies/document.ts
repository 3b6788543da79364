import { counted } from '../../src/core/base/counted.ts';
import type { GalleryEntry } from '../../workers/engine/gallery/types.ts';
import type { RealStudy } from './mapping.ts';
import type { RealResult, RealRun } from './runStudy.ts';
import { planIdOf } from './variant.ts';

/** Where and on what the runs were made. */
export interface Circumstances {
  date: string;
  commit: string;
  machine: string;
}

export const documentPath = 'docs/studies-on-real-peers.md';

const begin =
  '<!-- made by npm run studies -- --real --write; nothing between these two lines is written by hand -->';
const end = '<!-- end of what is made -->';

const head = `# The fifteen studies on real peers

The study files of the gallery, run by the engine as any user's study, with its own check, runner, store and limits, on servers and load programs that are real: MariaDB, PostgreSQL, nginx, Postfix, Dovecot, tilekit, sysbench, fio, dbench, pgbench, over OpenSSH. Nothing of the simulated lab takes part.

**No figure here claims to reproduce what the authors of the studies measured.** It is one small machine without a hypervisor: load, servers and Tilebench share its processors and its disk, and what else it did meanwhile was not controlled. The table shows that each study runs from file to result on real programs, what was scaled down, and what stays a stand-in. In all of them

- hosts, virtual machines, datastores and vCenter's counters are those of vcsim, the simulator of vCenter: its CPU and LUN figures are not this machine's;
- the power meter is a real NUT server in front of NUT's own dummy device;
- the engine waits 1 s for vCenter's last counters instead of 45 s, and is otherwise as shipped.

A run that was not made, failed or missed a limit is told so. \`npm run studies -- --real\` runs them and prints this table, \`--write\` keeps it here; see [Studies](guide/studies.md#ready-made-studies-on-real-peers).
`;

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

/** What the mapping alone says of a study. */
const mappedCells = (study: RealStudy, entry: GalleryEntry): string[] => [
  `${study.id} ${entry.item.title}`,
  `\`${planIdOf(study)}\``,
  levelsOf(study, entry),
  study.loads
    .map(({ id, driver, standsFor }) => `\`${driver}\` (${id}): ${standsFor}`)
    .join('<br>'),
  study.scaledDown.join('<br>'),
  study.standIns.map(({ what, why }) => `${what}: ${why}`).join('<br>'),
];

/** Each axis with its levels as they run; in brackets what the study file has in their place. */
const levelsOf = (study: RealStudy, entry: GalleryEntry): string =>
  study.axes
    .map(({ label, name, levels }) => {
      const made = entry.study.axes.find((axis) => axis.name === name);
      const words = levels.map(({ level, runsAs, words: own }) => {
        const before = made?.valueLabels[String(level)] ?? String(level);
        const now = own ?? (runsAs === undefined ? before : String(runsAs));
        return now === before ? now : `${now} (for ${before})`;
      });
      return `${label ?? made?.label ?? name}: ${words.join(', ')}`;
    })
    .join('<br>');

/** The row of a study in the table; with what came of it, its runs as well. */
export const rowOf = (study: RealStudy, entry: GalleryEntry, result: RealResult | null): string =>
  row([...mappedCells(study, entry), runIdsOf(result)]);

const runIdsOf = (result: RealResult | null): string => {
  const made = result?.runs.flatMap(({ runId }) => (runId === null ? [] : [`\`${runId}\``])) ?? [];
  return made.length === 0 ? 'none' : made.join('<br>');
};

const stateWords: Readonly<Record<RealRun['state'], string>> = {
  pending: 'not run',
  running: 'not ended',
  passed: 'completed',
  qosFailed: 'completed, limit missed',
  failed: 'failed',
  aborted: 'aborted',
  skipped: 'skipped',
};
/** Completed with a rule of its profile broken: only what was broken, the score is in its column. */
const broken = /^Finished, not compliant: .*?; (rules? broken: )/;
const outcome = ({ state, detail }: RealRun): string =>
  detail === ''
    ? stateWords[state]
    : broken.test(detail)
      ? `${stateWords[state]}, ${detail.replace(broken, '$1')}`
      : `${stateWords[state]}: ${detail}`;

/** Three digits, as many as a short run on a busy machine can mean. */
const figure = (value: number | null, unit: string): string =>
  value === null
    ? 'not measured'
    : `${Math.abs(value) >= 1_000 ? Math.round(value).toLocaleString('en-GB') : Number(value.toPrecision(3))}${unit === '' ? '' : ` ${unit}`}`;

/** The runs of one study as a table, or why there is none. */
export function runsOf(study: RealStudy, result: RealResult | null): string {
  if (result === null) return 'Not run.';
  const { title, unit } = study.figure;
  if (result.state === 'notStarted') return `Not run: ${result.detail}`;
  const told = [
    ...(result.state === 'done' ? [] : [`The study ended ${result.state}.`]),
    ...(result.detail === '' ? [] : [result.detail]),
  ];
  return [
    `Plan \`${result.planId}\`, ${counted(result.runs.length, 'run')} in ${result.seconds} s, begun ` +
      `${new Date(result.atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC` +
      `${result.commit === undefined ? '' : ` at commit ${result.commit}`}.`,
    ...(told.length === 0 ? [] : ['', told.join(' ')]),
    '',
    row(['levels', 'run', title, 'outcome']),
    '|---|---|---:|---|',
    ...result.runs.map((run) =>
      row([
        run.levels,
        run.runId === null ? '–' : `\`${run.runId}\``,
        figure(run.figure, unit),
        outcome(run),
      ]),
    ),
  ].join('\n');
}

/** One line a study, for the terminal. */
export function lineOf(result: RealResult): string {
  const count = (state: RealRun['state']): number =>
    result.runs.filter((run) => run.state === state).length;
  const missed = count('qosFailed');
  const ended = count('passed') + missed;
  const rules = result.runs.filter((run) => run.state === 'passed' && run.detail !== '').length;
  return (
    `${result.id}  ${ended} of ${counted(result.runs.length, 'run')} completed` +
    (missed > 0 ? `, ${missed} of them missed a limit` : '') +
    `${rules > 0 ? `, ${rules} of them broke a rule` : ''}, ${result.seconds} s` +
    (result.detail === '' ? '' : `: ${result.detail}`)
  );
}

/** The whole document: what is written by hand, the mapping's table, and the runs of each study. */
export function documentOf(
  rows: readonly { study: RealStudy; entry: GalleryEntry; result: RealResult | null }[],
  { date, commit, machine }: Circumstances,
): string {
  const parts = rows.map(
    ({ study, entry, result }) => `## ${study.id} ${entry.item.title}\n\n${runsOf(study, result)}`,
  );
  const columns = ['study', 'plan', 'levels kept', 'workloads used', 'scaled down'];
  return [
    head,
    begin,
    '',
    `Written on ${date} at commit ${commit}. The machine: ${machine}.`,
    '',
    row([...columns, 'what stays a stand-in, and why', 'real runs']),
    '|---|---|---|---|---|---|---|',
    ...rows.map(({ study, entry, result }) => rowOf(study, entry, result)),
    '',
    parts.join('\n\n'),
    '',
    end,
    '',
  ].join('\n');
}
