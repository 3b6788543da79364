/** The engine's clock as seen from here: its last stated time plus what has passed since. */
export interface EngineClock { readonly now: () => number; readonly sync: (engineNowMs: number) => void }

export function createEngineClock(engineNowMs: number, wallMs: () => number = () => performance.now()): EngineClock {
  let base = engineNowMs;
  let at = wallMs();
  return {
    now: () => base + (wallMs() - at),
    sync: (next) => {
      // An overview that was long under way must not set the clock back.
      const current = base + (wallMs() - at);
      if (next < current && current - next < 2_000) return;
      base = next;
      at = wallMs();
    },
  };
}
