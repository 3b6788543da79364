import type { Counts, FailedFiles } from './counts.ts';
import type { StageName } from './stages.ts';

/** A stage as it ended, for the second look. */
export interface Looked extends Counts {
  name: StageName;
  text: string;
  /** Test files that failed beside all others and passed alone. */
  unsteady: readonly string[];
}

/** More files than this are no bad luck. */
const mostFiles = 3;

/**
 * Runs test files that failed once more, alone, when few did and the tools name them all. One that
 * passes then is unsteady: a defect of the test or of what it tests, told in the last lines, but no
 * word on the change that is checked. One that fails again has failed. Results come in their order.
 */
export async function lookAgain<Result extends Looked>(
  results: readonly Result[],
  failedFilesOf: (name: StageName) => FailedFiles | undefined,
  runAlone: (name: StageName, file: string) => Promise<Counts>,
): Promise<Result[]> {
  const files = new Map<StageName, readonly string[]>();
  for (const { name, failed, text } of results) {
    if (failed === 0) continue;
    const named = failedFilesOf(name)?.(text) ?? [];
    if (named.length === 0) return [...results];
    files.set(name, named);
  }
  if ([...files.values()].flat().length > mostFiles) return [...results];
  const looked: Result[] = [];
  for (const result of results) {
    const again = files.get(result.name) ?? [];
    let failed = 0;
    for (const file of again) failed += (await runAlone(result.name, file)).failed;
    looked.push(again.length > 0 && failed === 0 ? { ...result, failed, unsteady: again } : result);
  }
  return looked;
}
