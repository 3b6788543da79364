/** Two ends that pass structured data in order. `close` is told to both ends. */
export interface Port {
  /** Throws an AppError invalidInput where the data is too large; does nothing on a closed port. */
  post(data: unknown): void;
  onMessage(listener: (data: unknown) => void): void;
  /** Called once; at once when it is closed already. */
  onClose(listener: () => void): void;
  close(): void;
}

/**
 * The part of a port every transport shares: listeners, buffering until the first listener, and
 * closing once.
 */
export function createPort(
  post: (data: unknown) => void,
  end: () => void,
): { port: Port; receive: (data: unknown) => void; closed: () => void } {
  const messageListeners: ((data: unknown) => void)[] = [];
  const closeListeners: (() => void)[] = [];
  const early: unknown[] = [];
  let open = true;
  const closed = (): void => {
    if (!open) return;
    open = false;
    for (const listener of closeListeners) listener();
  };
  return {
    closed,
    receive(data) {
      if (!open) return;
      if (messageListeners.length === 0) early.push(data);
      else for (const listener of messageListeners) listener(data);
    },
    port: {
      post(data) {
        if (open) post(data);
      },
      onMessage(listener) {
        messageListeners.push(listener);
        for (const data of early.splice(0)) listener(data);
      },
      onClose(listener) {
        if (open) closeListeners.push(listener);
        else listener();
      },
      close() {
        if (!open) return;
        end();
        closed();
      },
    },
  };
}

/**
 * A pair of connected ports in one process. Data is cloned, as over any real port, and arrives in a
 * later microtask.
 */
export function memoryPorts(): [Port, Port] {
  const ends: ReturnType<typeof createPort>[] = [];
  const side = (other: number): ReturnType<typeof createPort> =>
    createPort(
      (data) => {
        const copy = structuredClone(data);
        queueMicrotask(() => ends[other]?.receive(copy));
      },
      () => {
        queueMicrotask(() => ends[other]?.closed());
      },
    );
  ends.push(side(1), side(0));
  return [ends[0]!.port, ends[1]!.port];
}

/** What the three kinds of MessagePort have in common: the DOM's, Node's and Electron's. */
export interface MessagePortLike {
  postMessage(data: unknown): void;
  close(): void;
  start?(): void;
  addEventListener?: (type: never, listener: never) => unknown;
  on?: (type: never, listener: never) => unknown;
}

/** Sent as the last word, because the DOM's MessagePort tells nothing of a closed peer. */
const goodbye = 'tilebench.bye';

/** A port over a MessagePort of the DOM, of Node or of Electron. */
export function portFromMessagePort(messagePort: MessagePortLike): Port {
  const { port, receive, closed } = createPort(
    (data) => messagePort.postMessage(data),
    () => {
      messagePort.postMessage(goodbye);
      messagePort.close();
    },
  );
  const take = (data: unknown): void => {
    if (data !== goodbye) {
      receive(data);
      return;
    }
    messagePort.close();
    closed();
  };
  // Overloads of three platforms meet here: the names of the events are checked by the contract
  // suite.
  const listen = (messagePort.addEventListener ?? messagePort.on)?.bind(messagePort) as
    ((type: string, listener: (event: { data: unknown }) => void) => void) | undefined;
  listen?.('message', (event) => take(event.data));
  listen?.('close', () => closed());
  messagePort.start?.();
  return port;
}
