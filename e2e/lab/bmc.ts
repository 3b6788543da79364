import { randomUUID, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';

import { freePort } from './ports.ts';
import { makeCertificate } from './python.ts';

/**
 * A management controller's Redfish as no peer of a registry has it: sessions that are given and
 * end, refusals, and answers that are late. Its resources are a tree of ours.
 */
export interface LabBmc {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  fingerprint256(): string;
  /** Resources by path. */
  readonly tree: Map<string, unknown>;
  /** Sessions that are open. */
  sessions(): number;
  /** Sessions that were ever opened. */
  opened(): number;
  /** Calls that were answered, `GET /redfish/v1/` and so on. */
  readonly calls: string[];
  /** How it answers from now on. */
  answer: 'well' | 'busy' | 'not';
  /** Ends all sessions, as a restart of the controller does. */
  endSessions(): void;
  /** Comes back on the same port with another certificate. */
  changeCertificate(): Promise<void>;
  stop(): Promise<void>;
}

export async function startBmc(dir: string, resources: Record<string, unknown>): Promise<LabBmc> {
  const port = await freePort();
  const tokens = new Map<string, string>();
  const calls: string[] = [];
  let opened = 0;
  let server: Server;
  let certificate = '';

  const bmc: LabBmc = {
    port,
    user: 'tilebench',
    password: 'of the controller',
    fingerprint256: () => new X509Certificate(certificate).fingerprint256,
    tree: new Map(Object.entries(resources)),
    sessions: () => tokens.size,
    opened: () => opened,
    calls,
    answer: 'well',
    endSessions: () => tokens.clear(),
    async changeCertificate() {
      await bmc.stop();
      await start('changed.lab');
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const json = (response: ServerResponse, status: number, body: unknown, headers = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
  const refuse = (response: ServerResponse, status: number, Message: string): void =>
    json(response, status, { error: { '@Message.ExtendedInfo': [{ Message }] } });

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '';
    let text = '';
    for await (const chunk of request) text += String(chunk);
    if (bmc.answer === 'not') return;
    calls.push(`${request.method} ${path}`);
    if (bmc.answer === 'busy') {
      json(response, 503, {}, { 'retry-after': '2' });
      return;
    }
    const sessions = '/redfish/v1/SessionService/Sessions';
    if (request.method === 'POST' && path === sessions) {
      const { UserName, Password } = JSON.parse(text) as Record<string, string>;
      if (UserName !== bmc.user || Password !== bmc.password) {
        refuse(response, 401, 'The user name or password is wrong.');
        return;
      }
      const token = randomUUID();
      opened += 1;
      const location = `${sessions}/${opened}`;
      tokens.set(token, location);
      // As controllers do: with the host before the path.
      const at = `https://127.0.0.1:${port}${location}`;
      json(response, 201, { '@odata.id': location }, { 'x-auth-token': token, location: at });
      return;
    }
    const token = String(request.headers['x-auth-token'] ?? '');
    if (!tokens.has(token)) {
      refuse(response, 401, 'There is no such session.');
      return;
    }
    if (request.method === 'DELETE' && tokens.get(token) === path) {
      tokens.delete(token);
      response.writeHead(204).end();
      return;
    }
    const body = bmc.tree.get(path) ?? bmc.tree.get(path.replace(/\/$/, ''));
    if (body === undefined) refuse(response, 404, 'There is no such resource.');
    else json(response, 200, typeof body === 'function' ? (body as () => unknown)() : body);
  };
  const start = async (name: string): Promise<void> => {
    const { certPath, keyPath } = makeCertificate(dir, name);
    certificate = readFileSync(certPath, 'utf8');
    server = createServer(
      { cert: certificate, key: readFileSync(keyPath) },
      (request, response) => {
        void handle(request, response);
      },
    );
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await start('bmc.lab');
  return bmc;
}
