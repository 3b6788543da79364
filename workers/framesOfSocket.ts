import type { RawData, WebSocket } from 'ws';

import { faultOfFrame, strangerBounds } from '../src/shared/frameBounds.ts';
import { createPort, type Port } from '../src/shared/ports.ts';

/**
 * Frames (`Uint8Array`) over a WebSocket. Their meaning is the engine's affair; here only their headers are read: text, and a
 * frame beyond the bounds, end the connection with the reason in words, and never reach the engine.
 */
export function portOfSocket(socket: WebSocket, onRefused: (reason: string) => void): Port {
  let refused = false;
  const refuse = (code: number, reason: string): void => {
    refused = true;
    onRefused(reason);
    socket.close(code, reason);
  };
  const { port, receive, closed } = createPort(
    (data) => {
      if (socket.readyState === socket.OPEN && data instanceof Uint8Array) socket.send(data);
    },
    () => socket.close(1001),
  );
  socket.binaryType = 'nodebuffer';
  socket.on('message', (data: RawData, isBinary) => {
    // Until the other end has closed too, it may go on sending.
    if (refused) return;
    if (!isBinary || !(data instanceof Uint8Array)) {
      refuse(1003, 'Binary frames only');
      return;
    }
    const fault = faultOfFrame(data, strangerBounds);
    if (fault === null) receive(data);
    else refuse(1007, fault);
  });
  // A frame against the protocol, a reset: always followed by close, which is what counts.
  socket.on('error', () => undefined);
  socket.on('close', closed);
  return port;
}
