import type { Port } from './ports.ts';

/** Carries everything from one port to the other, until either closes. */
export function bridge(a: Port, b: Port): void {
  a.onMessage((data) => b.post(data));
  b.onMessage((data) => a.post(data));
  a.onClose(() => b.close());
  b.onClose(() => a.close());
}
