import type { RawData, WebSocket } from 'ws';

import { createPort, type Port } from '../src/shared/ports.ts';

/** Frames (`Uint8Array`) over a WebSocket, unread: the engine decides what they mean. Text ends the connection. */
export function portOfSocket(socket: WebSocket): Port {
  const { port, receive, closed } = createPort(
    (data) => {
      if (socket.readyState === socket.OPEN && data instanceof Uint8Array) socket.send(data);
    },
    () => socket.close(1001),
  );
  socket.binaryType = 'nodebuffer';
  socket.on('message', (data: RawData, isBinary) => {
    if (isBinary && data instanceof Uint8Array) receive(data);
    else socket.close(1003, 'Binary frames only');
  });
  // A frame against the protocol, a reset: always followed by close, which is what counts.
  socket.on('error', () => undefined);
  socket.on('close', closed);
  return port;
}
