import { strangerBounds } from './frameBounds.ts';
import { decodeFrame, encodeFrame } from './frameCodec.ts';
import { createPort, type Port } from './ports.ts';

/**
 * Messages over a port that carries frames (`Uint8Array`): who stands between passes bytes on that it never reads.
 * A frame that is no message, or beyond the bounds for strangers, closes the port.
 */
export function portOfFrames(carrier: Port): Port {
  const { port, receive, closed } = createPort(
    (data) => carrier.post(encodeFrame(data)),
    () => carrier.close(),
  );
  carrier.onMessage((frame) => {
    let message: unknown;
    try {
      if (!(frame instanceof Uint8Array)) throw new TypeError('not bytes');
      message = decodeFrame(frame, strangerBounds);
    } catch {
      // Whoever sends this is no page of ours: it hears of it by the end of its connection.
      carrier.close();
      closed();
      return;
    }
    receive(message);
  });
  carrier.onClose(closed);
  return port;
}
