import { X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';

import { startChild } from './child.ts';
import { poll } from './poll.ts';
import { freePort } from './ports.ts';
import { installPython, makeCertificate, python } from './python.ts';

export interface LabSushy {
  readonly port: number;
  readonly fingerprint256: string;
  /** Replaces a resource: shown at the next question. */
  put(path: string, body: unknown): void;
  stop(): Promise<void>;
}

/**
 * sushy-static of OpenStack's sushy-tools: serves a tree of resources over TLS, with HTTP/1.0, one
 * connection at a time and no sessions.
 */
export async function startSushy(
  dir: string,
  tree: Readonly<Record<string, unknown>>,
): Promise<LabSushy> {
  const pythonPath = installPython(['sushy-tools==2.2.0']);
  const { certPath, keyPath } = makeCertificate(dir, 'sushy.lab');
  const files = join(dir, 'tree');
  const put = (path: string, body: unknown): void => {
    const file = join(files, path.replace(/^\/redfish\/v1\/?/, ''), 'index.json');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(body));
  };
  for (const [path, body] of Object.entries(tree)) put(path, body);
  const port = await freePort();
  const log = join(dir, 'sushy.log');
  const child = startChild(
    python,
    [
      ...['-m', 'sushy_tools.static.main', '-i', '127.0.0.1', '-p', String(port)],
      ...['-m', files, '-c', certPath, '-k', keyPath],
    ],
    log,
    { PYTHONPATH: pythonPath },
  );
  await poll(`sushy-static (${log})`, () => {
    if (child.ended()) throw new Error(`sushy-static ended: ${child.log()}`);
    return listens(port);
  });
  return {
    port,
    fingerprint256: new X509Certificate(readFileSync(certPath)).fingerprint256,
    put,
    stop: () => child.stop(3_000),
  };
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
