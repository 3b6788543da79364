import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';

export interface TcpProxy {
  readonly host: '127.0.0.1';
  readonly port: number;
  /** Connections that were accepted so far. */
  accepted(): number;
  /** Resets every connection and refuses new ones, as a pulled cable with a router that answers. */
  cut(): void;
  /** Swallows nothing but passes nothing on: connections stay open and silent; new ones too. */
  freeze(): void;
  /** Passes on again, what was held back included. */
  heal(): void;
  stop(): Promise<void>;
}

/** A TCP proxy on a free loopback port in front of 127.0.0.1:`targetPort`. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  let state: 'open' | 'cut' | 'frozen' = 'open';
  let count = 0;
  const pairs = new Set<{ near: Socket; far: Socket | null }>();
  const join = (pair: { near: Socket; far: Socket | null }): void => {
    const far = connect({ host: '127.0.0.1', port: targetPort, noDelay: true });
    const { near } = pair;
    pair.far = far;
    const end = (): void => {
      near.destroy();
      far.destroy();
      pairs.delete(pair);
    };
    near.on('close', end);
    far.on('close', end);
    far.on('error', end);
    far.on('data', (chunk: Buffer) => {
      if (!near.write(chunk)) far.pause();
    });
    near.on('data', (chunk: Buffer) => {
      if (!far.write(chunk)) near.pause();
    });
    near.on('drain', () => {
      if (state === 'open') far.resume();
    });
    far.on('drain', () => {
      if (state === 'open') near.resume();
    });
    near.on('end', () => far.end());
    far.on('end', () => near.end());
  };
  const server = createServer({ noDelay: true, pauseOnConnect: true }, (near) => {
    near.on('error', () => near.destroy());
    if (state === 'cut') {
      near.resetAndDestroy();
      return;
    }
    count += 1;
    const pair = { near, far: null };
    pairs.add(pair);
    if (state === 'open') {
      join(pair);
      near.resume();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  const drop = (): void => {
    for (const { near, far } of [...pairs]) {
      near.resetAndDestroy();
      far?.destroy();
    }
    pairs.clear();
  };
  return {
    host: '127.0.0.1',
    port: address.port,
    accepted: () => count,
    cut() {
      state = 'cut';
      drop();
    },
    freeze() {
      state = 'frozen';
      for (const { near, far } of pairs) {
        near.pause();
        far?.pause();
      }
    },
    heal() {
      state = 'open';
      for (const pair of pairs) {
        if (!pair.far) join(pair);
        pair.near.resume();
        pair.far?.resume();
      }
    },
    stop: () =>
      new Promise((resolve) => {
        state = 'cut';
        drop();
        server.close(() => resolve());
      }),
  };
}
