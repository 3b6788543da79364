import { e02 } from './E02.ts';
import { e09 } from './E09.ts';
import { e13 } from './E13.ts';
import { runStudy } from './testing/runStudy.ts';

test('E02: past the knee of the outstanding I/Os the disks are named, and what is full is not cleared', async () => {
  await runStudy(e02, { vms: [2] }, async (sim, { spec }) => {
    const { why, beforeKey, afterKey, diagnosis } = await sim.call('study.diagnose', {
      id: spec.id,
    });
    expect(why).toMatch(/^The last point before the knee at 5\.\d+, and the first/);
    expect([beforeKey, afterKey]).toEqual([
      expect.stringContaining('outstanding=5;'),
      expect.stringContaining('outstanding=7;'),
    ]);
    expect(diagnosis?.failing).toHaveLength(2);
    expect(diagnosis?.hypotheses[0]?.cause).toBe('spindles');
    expect(diagnosis?.cleared.map((one) => one.cause)).not.toContain('spindles');
  });
});

test('E13: at the knee of the native server its processors are full, and told so', async () => {
  await runStudy(e13, { server: ['banking-native'] }, async (sim, { spec }) => {
    const { why, diagnosis } = await sim.call('study.diagnose', { id: spec.id });
    expect(why).toMatch(/^The last point before the knee at \d+/);
    expect(diagnosis).toMatchObject({ healthy: true, hypotheses: [{ cause: 'cpuSaturated' }] });
    expect(diagnosis?.cleared.map((one) => one.cause)).not.toContain('cpuSaturated');
  });
});

test('E09: a run measures both uplinks, and each move of its teaming is marked as such', async () => {
  await runStudy(e09, { policy: ['manual', 'loadBased'] }, async (sim, { points }) => {
    const point = points.find(({ values }) => values['policy'] === 'loadBased');
    const run = await sim.call('run.overview', { id: point!.runId! });
    expect(
      run.series
        .filter((one) => one.metric === 'netKbps' && one.entity.kind === 'uplink')
        .map((one) => one.entity.name),
    ).toEqual(['esx1 vmnic0', 'esx1 vmnic1']);
    const moves = run.events.filter((event) => event.by === 'teaming');
    expect(moves).toHaveLength(2);
    for (const { kind, text } of moves)
      expect([kind, text]).toEqual([
        'vm',
        expect.stringMatching(/^web\d: Network adapter 1 moves from vmnic0 to vmnic1 of esx1$/),
      ]);
    expect(run.events.filter((event) => event.by === 'other')).toEqual([]);
  });
});

test('E09: its report draws the traffic of both uplinks over time, with each move of a port marked', async () => {
  await runStudy(e09, { policy: ['manual', 'loadBased'] }, async (sim, { spec }) => {
    const { bytes } = await sim.call('report.study', {
      id: spec.id,
      format: 'html',
      redact: false,
    });
    const html = new TextDecoder().decode(bytes);
    const [, course] = /<section[^>]*>(?:(?!<\/section>).)*?The curve(.*?)<\/section>/s.exec(html)!;
    expect(course).toContain('Traffic of the uplinks');
    for (const nic of ['vmnic0', 'vmnic1']) expect(course).toContain(`esx1 ${nic}`);
    expect(course!.match(/stroke-dasharray="4 3"/g)).toHaveLength(2);
    expect(course).toMatch(
      /1: \d+:\d\d, web\d: Network adapter 1 moves from vmnic0 to vmnic1 of esx1/,
    );
  });
});
