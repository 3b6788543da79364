import { fail } from '../../core/base/errors.ts';
import { createClient } from '../../wire/channel.ts';
import type { Client, EventName, EventPayload, LinkState } from '../../wire/contract.ts';
import type { DesktopApi } from '../../wire/desktop.ts';
import { type BeatClock, realBeatClock } from '../../wire/heartbeat.ts';
import type { Port } from '../../wire/ports.ts';
import { portFromMessagePort } from '../../wire/ports.ts';
import { desktopFromPreload, nextPort, type PreloadApi } from '../../wire/preload.ts';
import { portFromWebSocket } from '../../wire/webSocketPort.ts';
import { createBrowserDesktop } from './browserDesktop.ts';
import { createHostLink, type HostLink, retryMs } from './hostLink.ts';
import type { Workspace } from './workspace.ts';

declare global {
  interface Window {
    tilebench?: PreloadApi;
  }
}

/** What the renderer has of the outside: the engine and the desktop. */
export interface Services {
  client: Client;
  desktop: DesktopApi;
  workspace: Workspace;
  /**
   * The program that serves this page; absent in the desktop, which tells by boxes of the system.
   */
  host?: HostLink;
}

/**
 * The engine of a workspace over Electron's MessagePort, or over the WebSocket of the host that
 * served the page.
 */
export function createServices(window: Window, workspace: Workspace): Services {
  const preload = window.tilebench;
  if (preload) {
    const client = createReconnectingClient(async () =>
      portFromMessagePort(await nextPort(preload, window)),
    );
    // A MessagePort tells its peer nothing of a page that goes, and one left open over a change of
    // page ended the renderer.
    window.addEventListener('pagehide', () => client.close());
    return { client, desktop: desktopFromPreload(preload), workspace };
  }
  // The browser's cookie lets the page in: no secret is in the address.
  const scheme = window.location.protocol === 'https:' ? 'wss' : 'ws';
  const query = workspace.kind === 'simulated' ? '?workspace=simulated' : '';
  const address = `${scheme}://${window.location.host}/channel${query}`;
  const host = createHostLink(window);
  return {
    host,
    client: createReconnectingClient(
      () =>
        new Promise((resolve, reject) => {
          // Refused for certain, and each try would stand in the host's log.
          if (host.state().kind === 'shut') throw fail('untrusted', 'This browser is not let in.');
          const socket = new WebSocket(address);
          socket.binaryType = 'arraybuffer';
          socket.addEventListener('open', () => resolve(portFromWebSocket(socket)), { once: true });
          socket.addEventListener(
            'close',
            () => reject(fail('unreachable', 'The engine does not answer.')),
            { once: true },
          );
        }),
    ),
    desktop: createBrowserDesktop(
      window,
      workspace.kind === 'simulated' ? 'Tilebench, SIMULATED' : 'Tilebench',
    ),
    workspace,
  };
}

type Listener = (payload: never) => void;

/**
 * A client that outlives its port: calls made while there is none wait for the next, listeners move
 * over to it.
 */
function createReconnectingClient(
  connect: () => Promise<Port>,
  clock: BeatClock = realBeatClock,
): Client {
  const listeners = new Set<{ event: EventName; listener: Listener; off: () => void }>();
  const stateListeners = new Set<(state: LinkState) => void>();
  const gapListeners = new Set<(runId: string) => void>();
  const follows = new Set<{ runId: string; end: () => void }>();
  let inner: Client | null = null;
  let closed = false;
  let waiting: (() => void)[] = [];

  const attach = (client: Client): void => {
    inner = client;
    for (const entry of listeners)
      entry.off = client.on(
        entry.event,
        entry.listener as (payload: EventPayload<EventName>) => void,
      );
    for (const one of follows) one.end = client.follow(one.runId);
    client.onGap((runId) => {
      for (const listener of gapListeners) listener(runId);
    });
    client.onState((state) => {
      for (const listener of stateListeners) listener(state);
      if (state === 'closed' && inner === client) {
        inner = null;
        void open(0);
      }
    });
    for (const go of waiting.splice(0)) go();
  };
  async function open(attempt: number): Promise<void> {
    if (closed) return;
    try {
      attach(createClient(await connect(), { clock }));
    } catch {
      // The host is starting or gone: asked again until the window closes; the banner says so
      // meanwhile.
      for (const listener of stateListeners) listener('closed');
      for (const go of waiting.splice(0)) go();
      setTimeout(() => void open(attempt + 1), retryMs[Math.min(attempt, retryMs.length - 1)]);
    }
  }
  void open(0);

  return {
    async call(method, input, signal) {
      if (!inner)
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
        });
      if (!inner)
        throw fail('unreachable', 'The engine is not connected.', 'It is asked again by itself.');
      return inner.call(method, input, signal);
    },
    on(event, listener) {
      const entry = {
        event,
        listener: listener as Listener,
        off: inner ? inner.on(event, listener) : () => undefined,
      };
      listeners.add(entry);
      return () => {
        entry.off();
        listeners.delete(entry);
      };
    },
    follow(runId) {
      const one = { runId, end: inner ? inner.follow(runId) : () => undefined };
      follows.add(one);
      return () => {
        one.end();
        follows.delete(one);
      };
    },
    onGap(listener) {
      gapListeners.add(listener);
      return () => {
        gapListeners.delete(listener);
      };
    },
    onState(listener) {
      stateListeners.add(listener);
      return () => {
        stateListeners.delete(listener);
      };
    },
    close() {
      closed = true;
      waiting = [];
      inner?.close();
    },
  };
}
