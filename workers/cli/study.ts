import { existsSync } from 'node:fs';

import { fail } from '../../src/core/base/errors.ts';
import { figureMeasures } from '../../src/core/study/shapedStudy.ts';
import type { StudyOverview } from '../../src/core/study/study.ts';
import { parseStudyFile } from '../../src/core/study/studyFile.ts';
import { notCalibrated, whatIfSentence, whatIfWords } from '../../src/core/study/whatIf.ts';
import type { Client } from '../../src/wire/contract.ts';
import { pointWords } from '../engine/studies/variant.ts';
import { exitCodes } from './exitCodes.ts';
import { type Consent, importWithConsent } from './importFile.ts';
import { figure, table, type Terminal, timeText } from './output.ts';
import { readTextArgument } from './readFile.ts';
import type { Interrupts } from './run.ts';

export interface StudyOptions {
  json: boolean;
  consent: Consent;
}

/**
 * Imports a study file and gives the study's id; or takes the id of a study, or of a ready-made one
 * (installed then).
 */
async function studyIdOf(
  client: Client,
  fileOrId: string,
  consent: Consent,
  terminal: Terminal,
): Promise<string> {
  if (existsSync(fileOrId) || fileOrId.endsWith('.json')) {
    const file = parseStudyFile(fileOrId, await readTextArgument(fileOrId));
    const { study, planFile, testbeds, profiles } = file;
    const source = { file: planFile, testbeds, profiles, study };
    const { studyId } = await importWithConsent(client, source, consent, terminal);
    return studyId ?? study.id;
  }
  if ((await client.call('study.list', {})).some((study) => study.id === fileOrId)) return fileOrId;
  const ready = await client.call('gallery.list', {});
  const item = ready.find((one) => one.id.toLowerCase() === fileOrId.toLowerCase());
  if (!item)
    throw fail(
      'notFound',
      `There is no study ${fileOrId}.`,
      'Name a study file, a study of `tilebench study ' +
        `list\`${ready.length > 0 ? `, or with --demo one of ${ready.map((one) => one.id).join(', ')}` : ''}.`,
    );
  return (await client.call('gallery.install', { id: item.id })).studyId;
}

/**
 * Runs a study to its end, or on from where it stopped. The first interrupt pauses it after the run
 * in progress, the second ends that run too.
 */
export async function runStudy(
  client: Client,
  fileOrId: string,
  options: StudyOptions,
  terminal: Terminal,
  interrupts: Interrupts,
): Promise<number> {
  const id = await studyIdOf(client, fileOrId, options.consent, terminal);
  const before = await client.call('study.overview', { id });
  if (before.state === 'waiting' && before.instruction)
    terminal.err(`Taken as done: ${before.instruction}`);
  const ended = watchStudy(client, before, terminal, interrupts);
  try {
    // An engine that was killed is driving it again already.
    if (before.state !== 'running' && before.state !== 'pausing')
      await client.call('study.start', { id });
  } catch (error) {
    ended.stop();
    throw error;
  }
  const overview = await ended.done;
  if (options.json) terminal.out(JSON.stringify({ outcome: overview.state, study: overview }));
  else printStudy(overview, terminal);
  if (overview.state === 'waiting' && overview.instruction)
    terminal.err(`${overview.instruction} Then run this command again.`);
  return exitCodeOfStudy(overview);
}

/** A missed QoS limit is what a study looks for, not its failure; runs that failed are. */
export function exitCodeOfStudy({
  state,
  points,
}: Pick<StudyOverview, 'state' | 'points'>): number {
  if (state === 'done')
    return points.some((p) => p.state === 'failed') ? exitCodes.failed : exitCodes.passed;
  return state === 'failed' ? exitCodes.failed : exitCodes.aborted;
}

function watchStudy(
  client: Client,
  before: StudyOverview,
  terminal: Terminal,
  interrupts: Interrupts,
): { done: Promise<StudyOverview>; stop(): void } {
  const { id } = before.spec;
  const told = new Map<string, string>(before.points.map((point) => [point.key, point.state]));
  const ends: (() => void)[] = [];
  const stop = (): void => {
    for (const end of ends.splice(0)) end();
  };
  const done = new Promise<StudyOverview>((resolve) => {
    ends.push(
      client.on('study.changed', (overview) => {
        if (overview.spec.id !== id || overview.rev <= before.rev) return;
        for (const point of overview.points) {
          if (told.get(point.key) === point.state) continue;
          told.set(point.key, point.state);
          if (point.state !== 'pending')
            terminal.err(
              `  ${pointWords(overview.spec, point)}: ${point.state}${point.detail ? `. ${point.detail}` : ''}`,
            );
        }
        if (overview.state === 'running' || overview.state === 'pausing') return;
        stop();
        resolve(overview);
      }),
    );
    ends.push(
      interrupts.on((count) => {
        terminal.err(
          count === 1
            ? 'Pausing after the run in progress; interrupt again to end that run.'
            : 'Ending the run in progress.',
        );
        client
          .call('study.pause', { id, now: count > 1 })
          .catch((thrown: unknown) => terminal.err(String(thrown)));
      }),
    );
  });
  return { done, stop };
}

export async function listStudies(
  client: Client,
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  const studies = await client.call('study.list', {});
  const ready = await client.call('gallery.list', {});
  if (json) {
    terminal.out(JSON.stringify({ studies, gallery: ready }));
    return;
  }
  if (studies.length === 0) terminal.out('No studies yet.');
  else
    terminal.out(
      table(
        ['id', 'name', 'state', 'swept', 'done', 'of', 'started'],
        studies.map((s) => [
          s.id,
          s.name,
          s.state,
          s.axis,
          s.done,
          s.total,
          timeText(s.startedAtMs),
        ]),
      ),
    );
  const open = ready.filter((item) => item.state === null);
  if (open.length > 0)
    terminal.out(
      `\nReady-made, in the demo lab (--demo):\n${table(
        ['id', 'title', 'swept'],
        open.map((item) => [item.id, item.title, item.swept]),
      )}`,
    );
}

export async function showStudy(
  client: Client,
  id: string,
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  const overview = await client.call('study.overview', { id });
  if (json) terminal.out(JSON.stringify(overview));
  else printStudy(overview, terminal);
}

/** Points with the measures that are drawn, what was found in them, and model beside published. */
function printStudy(overview: StudyOverview, terminal: Terminal): void {
  const { spec, points } = overview;
  const measures = [...new Set(['score', ...figureMeasures(spec.charts)])].filter((name) =>
    points.some((p) => p.measures[name] !== undefined),
  );
  terminal.out(
    `${spec.name}: ` +
      `${overview.state}${overview.detail ? `. ${overview.detail}` : ''}` +
      (overview.origin === 'simulated' ? ' (SIMULATED)' : ''),
  );
  const changes = whatIfWords(spec);
  if (changes.length > 0) {
    terminal.out(`Changed: ${changes.join('; ')}. ${notCalibrated}`);
    terminal.out(whatIfSentence(overview) ?? 'Not both curves are measured yet.');
  }
  terminal.out(
    table(
      ['point', 'state', ...measures, 'run'],
      points.map((p) => [
        pointWords(spec, p),
        p.state,
        ...measures.map((name) => figure(p.measures[name] ?? null, 4)),
        p.runId,
      ]),
    ),
  );
  if (overview.limit)
    terminal.out(
      `Limit: passes at ${overview.limit.lastPass ?? 'none'}, fails at ` +
        `${overview.limit.firstFail ?? 'none'}, confirmed ${overview.limit.confirmed} times`,
    );
  for (const { measure, series, results } of overview.knees) {
    for (const { method, low, high, estimate } of results) {
      if (low !== null && high !== null)
        terminal.out(
          `${measure}${series ? ` (${series})` : ''}: ${method} ` +
            `${estimate === null ? '' : `${figure(estimate, 4)} `}[${figure(low, 4)}, ` +
            `${figure(high, 4)}]`,
        );
    }
  }
  if (overview.expectations.length > 0)
    terminal.out(
      table(
        ['published', 'model', 'unit', 'as published', 'verdict'],
        overview.expectations.map((e) => [
          e.label,
          figure(e.model, 4),
          e.unit,
          e.published,
          e.inside ? 'met' : 'MISSED',
        ]),
      ),
    );
}
