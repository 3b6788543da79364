import { decodeFrame, encodeFrame } from './frameCodec.ts';
import { createPort, type Port } from './ports.ts';

/** What the browser's WebSocket and the one of `ws` have in common. */
export interface WebSocketLike {
  binaryType: string;
  readonly readyState: number;
  send(data: Uint8Array<ArrayBuffer>): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'close' | 'error' | 'open', listener: () => void): void;
}

/**
 * A port over a WebSocket with one binary frame a message. What is posted before it opens is sent
 * when it opens. A frame that is no message ends the connection.
 */
export function portFromWebSocket(socket: WebSocketLike): Port {
  socket.binaryType = 'arraybuffer';
  let early: Uint8Array<ArrayBuffer>[] = [];
  const { port, receive, closed } = createPort(
    (data) => {
      const frame = encodeFrame(data);
      if (socket.readyState === 0) early.push(frame);
      else if (socket.readyState === 1) socket.send(frame);
    },
    () => socket.close(1000),
  );
  socket.addEventListener('open', () => {
    for (const frame of early) socket.send(frame);
    early = [];
  });
  socket.addEventListener('message', ({ data }) => {
    // Another realm's ArrayBuffer is no instanceof of this one's (jsdom, vm contexts): told by its
    // tag.
    if (Object.prototype.toString.call(data) !== '[object ArrayBuffer]') {
      socket.close(1003, 'Binary frames only');
      return;
    }
    let message: unknown;
    try {
      message = decodeFrame(new Uint8Array(data as ArrayBuffer));
    } catch (thrown) {
      socket.close(1007, thrown instanceof Error ? thrown.message.slice(0, 100) : 'Not a message');
      return;
    }
    receive(message);
  });
  // An error is always followed by close, which is what counts.
  socket.addEventListener('error', () => undefined);
  socket.addEventListener('close', () => closed());
  return port;
}
