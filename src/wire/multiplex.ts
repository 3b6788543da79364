import { createPort, type Port } from './ports.ts';

interface Frame {
  port: number;
  data?: unknown;
  closed?: true;
  /** With the first frame of a port: what it is for. */ label?: string;
}
const isFrame = (data: unknown): data is Frame =>
  typeof data === 'object' && data !== null && 'port' in data && typeof data.port === 'number';

export interface Multiplex {
  /**
   * Opens a port of its own over the shared one; `label` tells the other end what it is for. Closed
   * from the start where the shared one is closed.
   */
  open: (label?: string) => Port;
  /** Ports that the other end opened. */
  onPort: (listener: (port: Port, label: string | undefined) => void) => void;
  /** Everything that is not addressed to a port. */
  onOther: (listener: (data: unknown) => void) => void;
  post: (data: unknown) => void;
}

/** Many ports over one: used where a MessagePort cannot be transferred (a forked Node process). */
export function multiplex(carrier: Port): Multiplex {
  const ports = new Map<number, ReturnType<typeof createPort>>();
  const portListeners: ((port: Port, label: string | undefined) => void)[] = [];
  const otherListeners: ((data: unknown) => void)[] = [];
  let next = 1;
  let newest = 0;
  let over = false;
  const make = (id: number): ReturnType<typeof createPort> => {
    const made = createPort(
      (data) => carrier.post({ port: id, data } satisfies Frame),
      () => {
        ports.delete(id);
        carrier.post({ port: id, closed: true } satisfies Frame);
      },
    );
    ports.set(id, made);
    return made;
  };
  carrier.onMessage((data) => {
    if (!isFrame(data)) {
      for (const listener of otherListeners) listener(data);
      return;
    }
    const known = ports.get(data.port);
    if (data.closed) {
      ports.delete(data.port);
      known?.closed();
      return;
    }
    // A late message of a port that was closed opens nothing.
    if (known === undefined && data.port <= newest) return;
    newest = Math.max(newest, data.port);
    const target = known ?? make(data.port);
    if (known === undefined)
      for (const listener of portListeners) listener(target.port, data.label);
    if (data.data !== undefined) target.receive(data.data);
  });
  carrier.onClose(() => {
    over = true;
    for (const port of ports.values()) port.closed();
    ports.clear();
  });
  return {
    open(label) {
      const { port, closed } = make(next++);
      // Its line is cut before the end of the process is told: who asks in between must ask again.
      if (over) {
        ports.delete(next - 1);
        closed();
        return port;
      }
      carrier.post({ port: next - 1, ...(label === undefined ? {} : { label }) } satisfies Frame);
      return port;
    },
    onPort: (listener) => {
      portListeners.push(listener);
    },
    onOther: (listener) => {
      otherListeners.push(listener);
    },
    post: (data) => carrier.post(data),
  };
}
