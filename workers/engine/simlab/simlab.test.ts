import { createFakeModel } from './testing/fakeModel.ts';
import { createSimEngine } from './testing/simEngine.ts';
import { smallLab, smallPlan } from './testing/smallLab.ts';

test('a two-tile run on the simulated lab goes from discovery to a compliant score', async () => {
  const sim = await createSimEngine({ createModel: createFakeModel });
  try {
    sim.lab.control.load(smallLab);
    const runId = await sim.launch(smallPlan());
    const overview = await sim.ended(runId);
    expect(overview.verdict?.sentence).toMatch(/^Passed: /);
    expect(overview.origin).toBe('simulated');
    expect(overview.findings.filter((f) => f.severity !== 'info')).toEqual([]);
    expect(overview.score?.total).toBeCloseTo(2 * Math.sqrt(0.803 * 4.003), 2);
  } finally {
    await sim.close();
  }
});
