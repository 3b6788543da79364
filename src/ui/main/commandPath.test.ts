import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * A command that is refused must be seen. Commands go through mutations, whose refusals one listener of the store shows (`store.ts`).
 * What is called past them shows its refusal where it stands, each seen in a test of its screen: add to this list only with such a test.
 */
const shownWhereTheyStand: Readonly<Record<string, readonly string[]>> = {
  'plans/usePlanCheck.ts': ['plan.check', 'plan.checkOne'],
  'bundle/openBundle.ts': ['bundle.import', 'file.import', 'file.importStop'],
  'presenter/storyEffects.ts': ['gallery.install', 'study.start', 'study.pause'],
  'runs/RunAgain.tsx': ['plan.check', 'run.start'],
  'runs/RunPage.tsx': ['run.annotate', 'run.letRun', 'run.tidy'],
  'runs/UseAsReference.tsx': ['plan.save'],
  'detached/DetachedRun.tsx': ['run.letRun'],
};
/** Reads, and files that are written piece by piece. */
const reads =
  /^(run|study|plan|lab|provision|history)\.(overview|samples|record|log|list|report|export|status|plan|query)$|^report\.|^(bundle|history)\.export$/;

const root = resolve('src/ui');

function sources(dir: string): string[] {
  return readdirSync(join(root, dir), { withFileTypes: true }).flatMap((entry) => {
    const path = dir === '' ? entry.name : `${dir}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'testing' ? [] : sources(path);
    return /\.tsx?$/.test(entry.name) && !/\.test\./.test(entry.name) ? [path] : [];
  });
}

test('a command goes through a mutation, or shows its refusal where it stands', () => {
  const past = sources('').flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/\bclient\s*\.call\(\s*'([^']+)'/g)]
      .map((found) => found[1]!)
      .filter((method) => !reads.test(method))
      .filter((method) => !(shownWhereTheyStand[path] ?? []).includes(method))
      .map((method) => `${path}: ${method}`),
  );
  expect(past).toEqual([]);
});
