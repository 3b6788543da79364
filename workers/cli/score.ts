import type { Profile } from '../../src/core/profile/profile.ts';
import { parseProfileFile } from '../../src/core/profile/profileFile.ts';
import {
  parseResultsFile,
  profileOfResults,
  scoreResults,
} from '../../src/core/score/resultsFile.ts';
import { formatResult } from '../../src/core/score/score.ts';
import { scoreSteps, stepLines } from '../../src/core/score/scoreSteps.ts';
import { loadProfiles } from '../engine/profiles/shipped.ts';
import { exitCodes } from './exitCodes.ts';
import type { Terminal } from './output.ts';
import { readTextArgument } from './readFile.ts';

export interface ScoreOptions {
  json: boolean;
  /** A profile file that takes the place of the one the results name. */ profilePath?: string;
  resourcesDir: string;
  /** The user's own profiles; asked only where no shipped one has the id. */ ownProfiles(): Promise<
    Profile[]
  >;
}

/**
 * Scores a results file and prints every step. Gives the exit code: failed where there is no total,
 * not compliant where a QoS limit was missed.
 */
export async function scoreFile(
  path: string,
  options: ScoreOptions,
  terminal: Terminal,
): Promise<number> {
  const file = parseResultsFile(path, await readTextArgument(path));
  const shipped = [...loadProfiles(options.resourcesDir).values()];
  const given =
    options.profilePath === undefined
      ? undefined
      : parseProfileFile(options.profilePath, await readTextArgument(options.profilePath), shipped);
  const own =
    given || file.profile || shipped.some((p) => p.id === file.profileId)
      ? []
      : await options.ownProfiles();
  const profile = profileOfResults(path, given ? { ...file, profile: given } : file, [
    ...shipped,
    ...own,
  ]);
  const score = scoreResults(profile, file);
  if (options.json)
    terminal.out(
      JSON.stringify({
        name: file.name,
        profile: { id: profile.id, version: profile.version },
        result: formatResult(score, profile.scoring),
        score,
        steps: scoreSteps(score, profile),
      }),
    );
  else
    for (const line of [...(file.name ? [file.name] : []), ...stepLines(score, profile)])
      terminal.out(line);
  const missed = score.periods.flatMap((p) =>
    p.tiles.flatMap((t) =>
      t.workloads.flatMap((w) =>
        w.qos
          .filter((q) => q.passed === false)
          .map(
            (q) =>
              `QoS missed: tile ${t.tile + 1} ${w.name} in period ${p.index + 1}: ` +
              `${q.operation === undefined ? '' : `${q.operation} `}${q.metric} ` +
              `${q.measured} ${q.unit}, limit ${q.kind === 'max' ? '≤' : '≥'} ${q.limit} ` +
              q.unit,
          ),
      ),
    ),
  );
  for (const line of missed) terminal.err(line);
  return score.total === null
    ? exitCodes.failed
    : missed.length > 0
      ? exitCodes.notCompliant
      : exitCodes.passed;
}
