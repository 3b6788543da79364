import { strangerBounds } from './frameBounds.ts';
import { decodeFrame, encodeFrame, maxFrameBytes } from './frameCodec.ts';
import { decodeText, encodeText } from './jsonFrame.ts';
import { createPort, type Port } from './ports.ts';

/**
 * Messages over a port that carries frames, bytes of MessagePack or texts of JSON: who stands
 * between passes them on and never reads them. The first frame that comes decides which of the two
 * is spoken; the other kind, what is no message, and what is beyond the bounds for strangers close
 * the port.
 */
export function portOfFrames(carrier: Port): Port {
  let isText: boolean | null = null;
  const { port, receive, closed } = createPort(
    (data) => carrier.post(isText === true ? encodeText(data, maxFrameBytes) : encodeFrame(data)),
    () => carrier.close(),
  );
  carrier.onMessage((frame) => {
    let message: unknown;
    try {
      isText ??= typeof frame === 'string';
      if (typeof frame === 'string' && isText) message = decodeText(frame, strangerBounds);
      else if (frame instanceof Uint8Array && !isText) message = decodeFrame(frame, strangerBounds);
      else throw new TypeError('neither bytes nor text, or not as before');
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
