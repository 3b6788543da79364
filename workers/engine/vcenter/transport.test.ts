import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import { testCertificate, testKey } from './testing/certificate.ts';
import { answerXml } from './testing/inventoryXml.ts';
import { createTransport, type PostOptions, type Transport } from './transport.ts';
import type { XmlLimits } from './xml.ts';

const fingerprint256 = new X509Certificate(testCertificate).fingerprint256;
const time = answerXml('CurrentTime', '<returnval>2026-11-21T03:40:00Z</returnval>');
const options: PostOptions = {
  soapAction: 'urn:vim25/8.0',
  cookie: null,
  limitMs: 5_000,
  repeatable: true,
};
const acts: (() => unknown)[] = [];
afterEach(async () => {
  for (let act = acts.pop(); act; act = acts.pop()) await act();
});

async function open(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  limits?: XmlLimits,
  pin = fingerprint256,
): Promise<{ transport: Transport; server: https.Server }> {
  const server = https.createServer(
    { cert: testCertificate, key: testKey },
    (request, response) => {
      request.resume();
      answer(request, response);
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const transport = createTransport(
    {
      name: 'lab',
      host: '127.0.0.1',
      port: (server.address() as AddressInfo).port,
      fingerprint256: pin,
      what: 'vCenter',
    },
    limits,
  );
  acts.push(() => {
    transport.close();
    server.closeAllConnections();
    server.close();
  });
  return { transport, server };
}

test('asks for gzip, sends cookie and version, and reads what it asked for', async () => {
  const seen: IncomingMessage[] = [];
  const { transport } = await open((request, response) => {
    seen.push(request);
    response.setHeader('set-cookie', ['other=1', 'vmware_soap_session="abc"; Path=/; HttpOnly']);
    response.setHeader('content-encoding', 'gzip').end(gzipSync(time));
  });
  const answer = await transport.post('<x/>', { ...options, cookie: 'vmware_soap_session=old' });
  expect(answer.root.name).toBe('Envelope');
  expect(answer.cookie).toBe('vmware_soap_session="abc"');
  expect(seen[0]).toMatchObject({
    method: 'POST',
    url: '/sdk',
    headers: {
      'accept-encoding': 'gzip',
      cookie: 'vmware_soap_session=old',
      soapaction: 'urn:vim25/8.0',
    },
  });
});

test('characters cut in two by packets are whole again', async () => {
  const bytes = Buffer.from(answerXml('X', '<returnval>é😀</returnval>'));
  const { transport } = await open((_request, response) => {
    const cut = bytes.indexOf(0xf0) + 2;
    response.write(bytes.subarray(0, cut), () => {
      setImmediate(() => {
        response.end(bytes.subarray(cut));
      });
    });
  });
  const { root } = await transport.post('<x/>', options);
  expect(root.children[0]!.children[0]!.children[0]!.text).toBe('é😀');
});

test('a gzip bomb stops at the limit', async () => {
  const bomb = gzipSync(`<a>${' '.repeat(50_000_000)}</a>`);
  const { transport } = await open(
    (_request, response) => {
      response.setHeader('content-encoding', 'gzip').end(bomb);
    },
    { maxChars: 1_000_000, maxDepth: 10, maxNodes: 10 },
  );
  await expect(transport.post('<x/>', options)).rejects.toMatchObject({ kind: 'internal' });
});

test('an answer without end stops at the limit', async () => {
  const { transport } = await open(
    (_request, response) => {
      const more = (): void => {
        if (!response.destroyed)
          response.write('<b/>'.repeat(1_000), () => {
            setImmediate(more);
          });
      };
      response.write('<a>');
      more();
    },
    { maxChars: 1_000_000, maxDepth: 10, maxNodes: 20_000 },
  );
  await expect(transport.post('<x/>', options)).rejects.toMatchObject({ kind: 'internal' });
});

test.each([
  ['before', ''],
  ['within', '<a>'],
])('a server that falls silent %s its answer is timed out', async (_where, start) => {
  const { transport } = await open((_request, response) => {
    if (start) response.write(start);
  });
  await expect(transport.post('<x/>', { ...options, limitMs: 150 })).rejects.toMatchObject({
    kind: 'timedOut',
  });
});

test('a cancelled call is aborted', async () => {
  const stop = new AbortController();
  const { transport } = await open(() => {
    stop.abort();
  });
  await expect(transport.post('<x/>', { ...options, signal: stop.signal })).rejects.toMatchObject({
    kind: 'aborted',
  });
});

test.each([
  ['HTTP 503', (r: ServerResponse) => r.writeHead(503).end('starting'), 'not ready'],
  ['HTTP 404', (r: ServerResponse) => r.writeHead(404).end('<html>'), 'not a vCenter'],
  ['HTML', (r: ServerResponse) => r.end('<html><p>Login</html>'), 'not one of a vCenter'],
  [
    'broken gzip',
    (r: ServerResponse) => r.setHeader('content-encoding', 'gzip').end('plain'),
    'vCenter lab',
  ],
  [
    'an answer cut off',
    (r: ServerResponse) => {
      r.write('<a>', () => {
        r.destroy();
      });
    },
    'closed the connection',
  ],
])('%s is unreachable, in words', async (_what, act, words) => {
  const { transport } = await open((_request, response) => {
    act(response);
  });
  const failure = transport.post('<x/>', options);
  await expect(failure).rejects.toMatchObject({ kind: 'unreachable' });
  await expect(failure).rejects.toThrow(words);
});

test('an idle connection that the server closed is replaced without anyone noticing', async () => {
  let requests = 0;
  const { transport } = await open((request, response) => {
    requests += 1;
    // The second request arrives on the kept connection and finds it closing.
    if (requests === 2) request.socket.destroy();
    else response.end(time);
  });
  await transport.post('<x/>', options);
  expect((await transport.post('<x/>', options)).root.name).toBe('Envelope');
  expect(requests).toBe(3);
});

test('what must not happen twice is never sent twice', async () => {
  let requests = 0;
  const { transport } = await open((request, response) => {
    requests += 1;
    if (requests === 2) request.socket.destroy();
    else response.end(time);
  });
  await transport.post('<x/>', options);
  await expect(transport.post('<x/>', { ...options, repeatable: false })).rejects.toMatchObject({
    kind: 'unreachable',
  });
  expect(requests).toBe(2);
});

test('not one byte is sent to a server with the wrong certificate', async () => {
  let requests = 0;
  const { transport, server } = await open(
    (_request, response) => {
      requests += 1;
      response.end(time);
    },
    undefined,
    'AA',
  );
  let bytes = 0;
  server.on('secureConnection', (socket) => {
    socket.on('data', (data: Buffer) => {
      bytes += data.length;
    });
  });
  await expect(transport.post('secret', options)).rejects.toMatchObject({
    kind: 'untrusted',
    details: { expected: 'AA', actual: fingerprint256 },
  });
  expect([requests, bytes]).toEqual([0, 0]);
});
