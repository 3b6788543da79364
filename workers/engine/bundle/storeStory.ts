import { createHash } from 'node:crypto';

import { fail } from '../../../src/core/base/errors.ts';
import { storyLimits } from '../../../src/core/history/story.ts';
import type { Database } from '../db/types.ts';
import type { OpenStory } from './readStory.ts';
import { storeBundle } from './store.ts';

/**
 * Stores the runs of a story, each under an id of its own, and the story with its steps on them. The
 * same file opened again gives the story that is there, as it was changed since. What fails leaves
 * none of it. Returns the ids of the story and of its runs.
 */
export async function storeStory(
  db: Database,
  { story, manifest, runs }: OpenStory,
  from: { fileName: string; atMs: number },
  signal: AbortSignal,
): Promise<{ storyId: string; runIds: string[] }> {
  const digest = createHash('sha256').update(JSON.stringify(manifest.parts)).digest('hex');
  const storyId = `story-b${digest.slice(0, 16)}`;
  const kept = db.stories.list();
  const known = kept.some(({ id }) => id === storyId);
  if (!known && kept.length >= storyLimits.stories)
    throw fail(
      'conflict',
      `There are ${kept.length} stories; more are not kept.`,
      'Delete one first.',
    );
  const storedAs = new Map<string, string>();
  const added: string[] = [];
  try {
    for (const run of runs) {
      const bundle = await run.open();
      try {
        const { id, isNew } = await storeBundle(
          db,
          bundle,
          { ...from, sha256: run.sha256 },
          signal,
        );
        if (isNew) added.push(id);
        storedAs.set(bundle.record.overview.id, id);
      } finally {
        bundle.close();
      }
    }
    if (!known)
      db.stories.save({
        ...story,
        id: storyId,
        steps: story.steps.map((step) =>
          step.kind === 'run' ? { ...step, of: storedAs.get(step.of) ?? step.of } : step,
        ),
      });
  } catch (thrown) {
    for (const id of added) db.runs.remove(id);
    throw thrown;
  }
  return { storyId, runIds: [...storedAs.values()] };
}
