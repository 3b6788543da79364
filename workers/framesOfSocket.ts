import type { RawData, WebSocket } from 'ws';

import { faultOfFrame, strangerBounds } from '../src/wire/frameBounds.ts';
import { faultOfText } from '../src/wire/jsonFrame.ts';
import { createPort, type Port } from '../src/wire/ports.ts';

/**
 * Frames over a WebSocket, bytes (`Uint8Array`) or text. Their meaning is the engine's affair; here
 * only their headers and brackets are read: a frame beyond the bounds ends the connection with the
 * reason in words, and never reaches the engine.
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
      if (socket.readyState !== socket.OPEN) return;
      if (data instanceof Uint8Array || typeof data === 'string') socket.send(data);
    },
    () => socket.close(1001),
  );
  socket.binaryType = 'nodebuffer';
  socket.on('message', (data: RawData, isBinary) => {
    // Until the other end has closed too, it may go on sending.
    if (refused || !(data instanceof Uint8Array)) return;
    const frame = isBinary ? data : data.toString('utf8');
    const fault =
      typeof frame === 'string'
        ? faultOfText(frame, strangerBounds)
        : faultOfFrame(frame, strangerBounds);
    if (fault === null) receive(frame);
    else refuse(1007, fault);
  });
  // A frame against the protocol, a reset: always followed by close, which is what counts.
  socket.on('error', () => undefined);
  socket.on('close', closed);
  return port;
}
