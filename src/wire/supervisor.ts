import type { AppErrorShape } from '../core/base/errors.ts';
import { bornAt, type EngineLife, type LifeEvent, stepLife } from './engineLife.ts';
import { type BeatClock, realBeatClock } from './heartbeat.ts';
import { type FromEngine, fromEngine, type ToEngine } from './hostMessages.ts';

/** An engine in a process of its own, however it was started. */
export interface EngineProcess {
  readonly pid: number | undefined;
  post: (message: ToEngine) => void;
  /** At once, without a chance to end in order. */
  kill: () => void;
  onMessage: (listener: (data: unknown) => void) => void;
  /** Called once, also for a process that could not be started; `how` is in words. */
  onExit: (listener: (how: string) => void) => void;
}
export interface SupervisorOptions<P extends EngineProcess> {
  launch(): P;
  /** What the engine says beside being ready and alive. */
  onMessage(message: FromEngine, from: P): void;
  /** After each change of phase, and of what is waited for. */
  onChange: (life: EngineLife) => void;
  /** It ended and was not asked to, nor said why it cannot start. */
  onCrash?: (how: string, engine: P) => void;
  clock?: BeatClock;
}
export interface Supervisor<P extends EngineProcess> {
  /** The process as it is now; null = there is none. */
  readonly engine: P | null;
  readonly life: EngineLife;
  retry: () => void;
  wait: () => void;
  /** Ends the engine, which must not run on, and says why; it stays so until `retry`. */
  refuse: (error: AppErrorShape) => void;
  /** Ends the engine in order, or hard after `graceMs`; at once when there is none. */
  stop: (graceMs: number) => Promise<void>;
}

const lookEveryMs = 250;

/** Starts an engine and keeps it by the rules of `engineLife.ts`. */
export function superviseEngine<P extends EngineProcess>(
  options: SupervisorOptions<P>,
): Supervisor<P> {
  const { clock = realBeatClock } = options;
  let engine: P | null = null;
  let life = bornAt(clock.now());
  const stopped: (() => void)[] = [];

  function start(): void {
    const mine = (engine = options.launch());
    mine.onMessage((data) => {
      const message = fromEngine.safeParse(data);
      // The last words of one that was replaced are of no account.
      if (!message.success || engine !== mine) return;
      if (message.data.k === 'ready') happen({ k: 'ready' });
      else if (message.data.k === 'pong') happen({ k: 'pong' });
      else if (message.data.k === 'failed') happen({ k: 'refused', error: message.data.error });
      else options.onMessage(message.data, mine);
    });
    mine.onExit((how) => {
      if (engine !== mine) return;
      engine = null;
      if (life.phase !== 'stopping' && life.error === null) options.onCrash?.(how, mine);
      happen({ k: 'exited' });
    });
  }

  function happen(event: LifeEvent): void {
    const before = life;
    const { life: next, acts } = stepLife(life, event, clock.now());
    life = next;
    for (const act of acts) {
      if (act === 'launch') start();
      else if (act === 'kill') engine?.kill();
      else engine?.post({ k: act === 'ping' ? 'ping' : 'stop' });
    }
    if (before.phase !== life.phase || before.waiting !== life.waiting) options.onChange(life);
    if (life.phase !== 'stopped') return;
    endLooking();
    for (const done of stopped.splice(0)) done();
  }

  const endLooking = clock.every(lookEveryMs, () => happen({ k: 'tick' }));
  start();
  return {
    get engine() {
      return engine;
    },
    get life() {
      return life;
    },
    retry: () => happen({ k: 'retry' }),
    wait: () => happen({ k: 'wait' }),
    refuse: (error) => happen({ k: 'refused', error }),
    stop: (graceMs) =>
      new Promise((done) => {
        stopped.push(done);
        if (life.phase === 'stopped') for (const late of stopped.splice(0)) late();
        else happen({ k: 'stop', graceMs });
      }),
  };
}
