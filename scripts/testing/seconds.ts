import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

const stageSeconds = z.object({
  atMs: z.number(),
  seconds: z.number(),
  cpuSeconds: z.number().nullable(),
  passed: z.number(),
  failed: z.number(),
});
const schema = z.object({
  /** Of the last run, whatever its stages. */
  seconds: z.number(),
  stages: z.record(z.string(), stageSeconds),
});
export type StageSeconds = z.infer<typeof schema>;

const pathOf = (root: string): string => join(root, '.cache', 'stages.json');

/** How long each stage took when it ran last; none where none ran here yet. */
function readSeconds(root: string): StageSeconds {
  const path = pathOf(root);
  if (!existsSync(path)) return { seconds: 0, stages: {} };
  return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
}

/** Keeps the times of these stages; those of others stay as they were. */
export function keepSeconds(
  root: string,
  results: readonly (Omit<StageSeconds['stages'][string], 'atMs'> & { name: string })[],
  seconds: number,
): void {
  const { stages } = readSeconds(root);
  const atMs = Date.now();
  for (const { name, seconds: took, cpuSeconds, passed, failed } of results)
    stages[name] = { atMs, seconds: took, cpuSeconds, passed, failed };
  writeFileSync(pathOf(root), `${JSON.stringify({ seconds, stages }, null, 2)}\n`);
}
