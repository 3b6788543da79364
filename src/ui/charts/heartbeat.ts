/** One timer for all live charts: lines go stale and windows move even when no data come. */
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | null = null;

/** Calls `listener` once a second until the returned function is called. */
export function onHeartbeat(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of listeners) each();
  }, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0 && timer !== null) {
      clearInterval(timer);
      timer = null;
    }
  };
}
