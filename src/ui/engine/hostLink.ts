import type { EngineNotice } from '../../wire/engineNotice.ts';
import type { FromPage } from '../../wire/hostLink.ts';
import { readToPage } from '../../wire/toPage.ts';

/** Pauses between two tries to connect; the last goes on. */
export const retryMs = [250, 500, 1_000, 2_000, 4_000];

/** What is known of the program that serves this page. */
export type HostState =
  | { kind: 'there'; notice: EngineNotice | null }
  /** Nothing answers at the page's address. `last` = its last words. */
  | { kind: 'away'; last: EngineNotice | null }
  /** It answers, and does not know this browser: a new ticket is needed. */
  | { kind: 'shut' };

export interface HostLink {
  state(): HostState;
  onChange(listener: (state: HostState) => void): () => void;
  /** Has the engine started again, where the host offers that. */
  retry(): void;
  close(): void;
}

/** What the link needs of a window. */
export interface HostWindow {
  readonly location: Pick<Location, 'host' | 'protocol'>;
  fetch(address: string, init: RequestInit): Promise<Pick<Response, 'status'>>;
  setTimeout(act: () => void, ms: number): number;
  clearTimeout(timer: number): void;
}

/**
 * Keeps in touch with the program that serves the page: it can tell what an engine that hangs
 * cannot. Connects again until it is closed.
 */
export function createHostLink(
  window: HostWindow,
  connect = (address: string): WebSocket => new WebSocket(address),
): HostLink {
  const { protocol, host } = window.location;
  const address = `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/host`;
  const listeners = new Set<(state: HostState) => void>();
  let state: HostState = { kind: 'there', notice: null };
  let last: EngineNotice | null = null;
  let socket: WebSocket | null = null;
  let timer = 0;
  let closed = false;

  const change = (next: HostState): void => {
    state = next;
    for (const listener of listeners) listener(next);
  };

  function open(tries: number): void {
    const mine = (socket = connect(address));
    let opened = false;
    mine.addEventListener('open', () => {
      opened = true;
    });
    mine.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const { notice } = readToPage(String(data));
      last = notice;
      change({ kind: 'there', notice });
    });
    mine.addEventListener('close', () => {
      if (!closed) void again(opened ? 0 : tries);
    });
  }

  /** A refused WebSocket tells a page nothing: why is asked by a plain request. */
  async function again(tries: number): Promise<void> {
    const status = await window.fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
      (response) => response.status,
      () => null,
    );
    if (closed) return;
    if (status === null) change({ kind: 'away', last });
    else if (status === 401) change({ kind: 'shut' });
    timer = window.setTimeout(
      () => {
        if (status === 401) void again(tries + 1);
        else open(tries + 1);
      },
      retryMs[Math.min(tries, retryMs.length - 1)]!,
    );
  }
  open(0);

  return {
    state: () => state,
    onChange(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    retry: () => socket?.send(JSON.stringify({ act: 'retry' } satisfies FromPage)),
    close() {
      closed = true;
      window.clearTimeout(timer);
      socket?.close();
    },
  };
}
