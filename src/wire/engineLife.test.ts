import fc from 'fast-check';

import {
  bornAt,
  type EngineLife,
  isHeld,
  killAfterMs,
  type LifeAct,
  type LifeEvent,
  maxCrashes,
  noticeAfterMs,
  pauseMs,
  quietMs,
  slowStartAfterMs,
  stepLife,
  waitEveryMs,
} from './engineLife.ts';
import { noticeOf } from './engineNotice.ts';

const broken = { kind: 'internal', message: 'The database is damaged.', hint: 'See it.' } as const;
const changedPart = {
  kind: 'untrusted',
  message: 'bin/node is another.',
  hint: 'Install it again.',
  details: { changedPart: 'bin/node' },
} as const;
const held = {
  kind: 'conflict',
  message: 'In use by process 7 on lab since 2026-11-22.',
  details: { heldBy: 'engine', pid: 7 },
} as const;

/** A host with a fake clock: its engine lives in three flags, and does what it is asked. */
function createHost(engine: { answers: boolean; stops: boolean } = { answers: true, stops: true }) {
  let nowMs = 1_000;
  let life = bornAt(nowMs);
  const acts: LifeAct[] = ['launch'];
  const launches = [nowMs];
  let alive = true;
  const happen = (event: LifeEvent): void => {
    const step = stepLife(life, event, nowMs);
    life = step.life;
    for (const act of step.acts) {
      acts.push(act);
      if (act === 'launch') {
        if (alive) throw new Error('two engines at once');
        alive = true;
        launches.push(nowMs);
      }
      if (act === 'ping' && engine.answers) happen({ k: 'pong' });
      if (act === 'kill' || (act === 'askStop' && engine.stops)) exit();
    }
  };
  const exit = (): void => {
    if (!alive) return;
    alive = false;
    happen({ k: 'exited' });
  };
  return {
    engine,
    happen,
    exit,
    acts,
    launches,
    alive: () => alive,
    life: (): EngineLife => life,
    after(ms: number, stepMs = 250) {
      for (let left = ms; left > 0; left -= stepMs) {
        nowMs += Math.min(stepMs, left);
        happen({ k: 'tick' });
      }
    },
  };
}
const ready = (host: ReturnType<typeof createHost>): ReturnType<typeof createHost> => {
  host.happen({ k: 'ready' });
  return host;
};

test('a killed engine is back after a short pause', () => {
  const host = ready(createHost());
  host.exit();
  expect(host.life().phase).toBe('pausing');
  expect(noticeOf(host.life())).toBeNull();
  host.after(250);
  expect([host.life().phase, host.launches.length]).toEqual(['starting', 2]);
});

test('pauses grow, and an engine that only ends is given up with words and a way on', () => {
  const host = createHost();
  for (let n = 0; n <= maxCrashes; n += 1) {
    host.exit();
    host.after(30_000);
  }
  const pauses = host.launches.slice(1).map((at, i) => at - host.launches[i]!);
  expect(pauses.length).toBe(maxCrashes);
  expect(host.life().phase).toBe('failed');
  expect(noticeOf(host.life())).toMatchObject({
    message: 'The engine cannot start',
    detail: expect.stringContaining(`${maxCrashes + 1} times`),
    choices: [{ act: 'retry' }, { act: 'quit' }, { act: 'copy' }],
  });
  host.happen({ k: 'retry' });
  expect(host.life()).toMatchObject({ phase: 'starting', crashes: 0 });
});

test.each([
  [1, 250],
  [2, 500],
  [5, 4_000],
  [8, 30_000],
  [40, 30_000],
])('the pause before restart %i is %i ms', (crashes, ms) => expect(pauseMs(crashes)).toBe(ms));

test('a quiet minute forgives what was before', () => {
  const host = ready(createHost());
  for (let n = 0; n < 30; n += 1) {
    host.after(quietMs);
    host.exit();
    host.after(pauseMs(1));
    ready(host);
  }
  expect(host.life()).toMatchObject({ phase: 'running', crashes: 1 });
});

test('a hung engine is told after one time and ended after another; one that answers again is left alone', () => {
  const host = ready(createHost());
  host.after(60_000);
  expect([host.life().phase, host.acts.includes('kill')]).toEqual(['running', false]);
  host.engine.answers = false;
  host.after(noticeAfterMs);
  expect(noticeOf(host.life())?.message).toBe('The engine does not answer');
  host.engine.answers = true;
  host.after(4_000);
  expect([host.life().phase, noticeOf(host.life())]).toEqual(['running', null]);
  host.engine.answers = false;
  host.after(killAfterMs - 250);
  expect(host.acts).not.toContain('kill');
  host.after(1_000);
  expect([host.acts.filter((act) => act === 'kill').length, host.launches.length]).toEqual([1, 2]);
});

test('a computer that slept blames nobody', () => {
  const host = ready(createHost({ answers: false, stops: true }));
  host.after(8_000);
  host.after(3_600_000, 3_600_000);
  host.after(5_000);
  expect([host.life().phase, host.acts.includes('kill')]).toEqual(['running', false]);
});

test('a slow start is told, never ended', () => {
  const host = createHost();
  host.after(slowStartAfterMs + 3_600_000);
  expect([host.acts.includes('kill'), host.acts.includes('ping')]).toEqual([false, false]);
  expect(noticeOf(host.life())?.choices.map(({ act }) => act)).toEqual([
    'nothing',
    'retry',
    'quit',
  ]);
  host.happen({ k: 'ready' });
  expect(noticeOf(host.life())).toBeNull();
});

test('an engine that says why it cannot start leaves no corpse, and Try again starts it', () => {
  const host = createHost();
  host.happen({ k: 'refused', error: broken });
  expect([host.alive(), host.life().phase]).toEqual([false, 'failed']);
  expect(noticeOf(host.life())?.detail).toBe('The database is damaged.\n\nSee it.');
  host.after(60_000);
  expect(host.launches).toHaveLength(1);
  host.happen({ k: 'retry' });
  expect([host.alive(), host.life().phase]).toEqual([true, 'starting']);
});

test('an engine of changed parts is ended while it runs, told as such, and not tried again', () => {
  const host = createHost();
  ready(host);
  host.happen({ k: 'refused', error: changedPart });
  expect([host.alive(), host.life().phase, host.launches.length]).toEqual([false, 'failed', 1]);
  expect(noticeOf(host.life())).toMatchObject({
    message: 'A part of Tilebench was changed, and is not used',
    detail: 'bin/node is another.\n\nInstall it again.',
    choices: [{ act: 'quit' }, { act: 'copy' }],
  });
});

test('a folder that another Tilebench holds is named and can be waited for, as long as it takes', () => {
  const host = createHost();
  host.happen({ k: 'refused', error: held });
  expect([isHeld(host.life().error), noticeOf(host.life())]).toMatchObject([
    true,
    { detail: held.message, choices: [{ act: 'wait' }, { act: 'quit' }] },
  ]);
  host.happen({ k: 'wait' });
  for (let n = 0; n < 50; n += 1) {
    expect(noticeOf(host.life())?.message).toMatch(/^Waiting for the other Tilebench/);
    host.after(waitEveryMs);
    expect(host.alive()).toBe(true);
    host.happen({ k: 'refused', error: held });
  }
  host.after(waitEveryMs);
  ready(host);
  expect([noticeOf(host.life()), host.life().crashes]).toEqual([null, 0]);
});

test.each([
  ['failed', (host: ReturnType<typeof createHost>) => host.happen({ k: 'refused', error: broken })],
  ['pausing', (host: ReturnType<typeof createHost>) => host.exit()],
])('a stop ends at once when there is no engine: %s', (phase, bring) => {
  const host = createHost();
  bring(host);
  expect(host.life().phase).toBe(phase);
  host.happen({ k: 'stop', graceMs: 10_000 });
  expect(host.life().phase).toBe('stopped');
  host.after(60_000);
  expect(host.launches).toHaveLength(1);
});

test('an engine that does not stop is ended after the grace', () => {
  const host = ready(createHost({ answers: true, stops: false }));
  host.happen({ k: 'stop', graceMs: 10_000 });
  host.after(9_750);
  expect(host.life().phase).toBe('stopping');
  host.after(250);
  expect([host.life().phase, host.alive()]).toEqual(['stopped', false]);
});

test('whatever happens: never two engines, a stop always ends within its grace, and what failed can be tried again', () => {
  const event = fc.oneof(
    fc.constantFrom<LifeEvent>({ k: 'ready' }, { k: 'pong' }, { k: 'retry' }, { k: 'wait' }),
    fc.constantFrom<LifeEvent>({ k: 'refused', error: broken }, { k: 'refused', error: held }),
  );
  const step = fc.oneof(
    event.map((one) => ({ event: one })),
    fc.constant({ exit: true }),
    fc.boolean().map((answers) => ({ answers })),
    fc.integer({ min: 1, max: 90_000 }).map((ms) => ({ ms })),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.boolean(), (steps, stops) => {
      const host = createHost({ answers: true, stops });
      for (const one of steps) {
        if ('event' in one) host.happen(one.event);
        else if ('exit' in one) host.exit();
        else if ('answers' in one) host.engine.answers = one.answers;
        else host.after(one.ms);
        expect(host.life().alive).toBe(host.alive());
        if (host.life().phase === 'failed') expect(noticeOf(host.life())).not.toBeNull();
      }
      host.happen({ k: 'stop', graceMs: 5_000 });
      host.after(5_000);
      expect([host.life().phase, host.alive()]).toEqual(['stopped', false]);
    }),
    { numRuns: 300 },
  );
});
