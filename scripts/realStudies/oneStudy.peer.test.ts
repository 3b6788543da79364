import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runReal } from './main.ts';
import { readMapping, type RealStudy } from './mapping.ts';
import { keptResult } from './results.ts';

/** The smallest of the fifteen, one number of VMs of it and two of outstanding I/Os. */
function cut(): RealStudy {
  const study = readMapping().find(({ id }) => id === 'E02')!;
  return {
    ...study,
    tiles: 2,
    phases: { ...study.phases, steadyS: 5 },
    axes: study.axes.map((axis) => ({
      ...axis,
      levels: axis.levels.slice(0, axis.name === 'vms' ? 1 : 2),
    })),
  };
}

test('a study of the gallery runs on real clients from its file to its figures, and is not run twice', async () => {
  const keep = mkdtempSync(join(tmpdir(), 'tb-real-'));
  try {
    const said: string[] = [];
    const run = (): Promise<number> =>
      runReal({
        studies: [cut()],
        keep,
        write: false,
        say: (line) => {
          said.push(line);
        },
      });
    const code = await run();
    const result = keptResult(keep, 'E02');
    expect([code, result?.state, result?.detail]).toEqual([0, 'done', '']);
    expect(result!.runs.map(({ levels, state }) => [levels, state])).toEqual([
      ['Outstanding I/Os per LUN 1, 2 VMs', 'passed'],
      ['Outstanding I/Os per LUN 4, 2 VMs', 'passed'],
    ]);
    for (const { runId, figure } of result!.runs) {
      expect(runId).toMatch(/^run-/);
      expect(figure).toBeGreaterThan(0);
      expect(said.join('\n')).toContain(runId!);
    }
    said.length = 0;
    expect(await run()).toBe(0);
    expect(said[0]).toContain('kept from before');
    expect(keptResult(keep, 'E02')).toEqual(result);
  } finally {
    rmSync(keep, { recursive: true, force: true });
  }
});
