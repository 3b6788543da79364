import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { RealResult } from './runStudy.ts';

const folderOf = (dataDir: string): string => join(dataDir, 'real-studies');
const pathOf = (dataDir: string, id: string): string => join(folderOf(dataDir), `${id}.json`);

/** Keeps what came of a study beside the runs. */
export function keepResult(dataDir: string, result: RealResult): void {
  mkdirSync(folderOf(dataDir), { recursive: true });
  writeFileSync(pathOf(dataDir, result.id), `${JSON.stringify(result, null, 2)}\n`);
}

/** What an earlier start left; null where the study was not run to its end. */
export function keptResult(dataDir: string, id: string): RealResult | null {
  const path = pathOf(dataDir, id);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as RealResult) : null;
}

/** Every run ended, whatever its limits said: nothing is left to run. */
export const isDone = ({ state, runs }: RealResult): boolean =>
  state === 'done' && runs.every((run) => run.state === 'passed' || run.state === 'qosFailed');
