import type { RawData, WebSocket } from 'ws';

import type { EngineNotice } from '../src/wire/engineNotice.ts';
import { fromPage } from '../src/wire/hostLink.ts';
import type { ToPage } from '../src/wire/toPage.ts';

/** What a host says of its engine to the pages it serves, and does when one asks. */
export interface HostDesk {
  notice(): EngineNotice | null;
  /** Calls with each change; gives the way to stop listening. */
  onNotice(listener: (notice: EngineNotice | null) => void): () => void;
  act(act: 'retry'): void;
}
export const quietDesk: HostDesk = {
  notice: () => null,
  onNotice: () => () => undefined,
  act: () => undefined,
};
/** Longest message of a page, in bytes. */
export const maxActBytes = 1_024;

/** Tells one page of the engine until it goes. A message that is none ends the connection. */
export function serveHostLink(socket: WebSocket, desk: HostDesk): void {
  const tell = (notice: EngineNotice | null): void => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ notice } satisfies ToPage));
  };
  const endListening = desk.onNotice(tell);
  socket.on('close', endListening);
  // A frame against the protocol, a reset: always followed by close.
  socket.on('error', () => undefined);
  socket.on('message', (data: RawData, isBinary) => {
    const message = isBinary || !(data instanceof Uint8Array) ? null : parse(data.toString());
    if (message === null) socket.close(1008, 'Not a message of a page');
    else desk.act(message.act);
  });
  tell(desk.notice());
}

function parse(text: string): { act: 'retry' } | null {
  try {
    return fromPage.parse(JSON.parse(text));
  } catch {
    // Whoever sends this is no page of ours: it hears of it by the end of its connection.
    return null;
  }
}
