import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import fc from 'fast-check';

import { inventorySchema } from '../../../src/core/testbed/inventory.ts';
import { cuts, damagedBytes, piecesOf } from '../testing/fuzz/bytes.ts';
import { fuzz } from '../testing/fuzz/fuzz.ts';
import { toInventory } from './inventory.ts';
import { decodeQueryPerf } from './perfDecode.ts';
import { decodePage } from './properties.ts';
import { decodeServiceContent, openEnvelope, returned } from './soap.ts';
import { testCertificate, testKey } from './testing/certificate.ts';
import { greetings } from './testing/fakeTransport.ts';
import { answerXml, faultXml, inventoryXml } from './testing/inventoryXml.ts';
import { createTransport, type Transport } from './transport.ts';
import { type XmlNode, xmlTreeParser } from './xml.ts';

const about = {
  fullName: '',
  version: '',
  build: '',
  apiVersion: '',
  apiType: '',
  instanceUuid: '',
};
const answers = [
  inventoryXml({ hosts: 1, vms: 2, datastores: 1, lunsPerHost: 1 }),
  answerXml(
    'QueryPerf',
    '<returnval><entity type="HostSystem">host-1</entity><sampleInfoCSV>20,2026-11-21T03:40:00Z,20,2026-11-21T03:40:20Z</sampleInfoCSV><value><id><counterId>2</counterId><instance></instance></id><value>100,-1</value></value></returnval>',
  ),
  faultXml('NoPermission', 'No.'),
  ...Object.values(greetings),
];
const bounds = { maxChars: 2_000_000, maxDepth: 64, maxNodes: 50_000 };

/** Everything that is done with an answer, whatever it was an answer to. */
function use(root: XmlNode): void {
  const response = openEnvelope('fuzz', root);
  for (const work of [
    () => decodeServiceContent('fuzz', response),
    () => decodeQueryPerf(returned(response)),
    () => {
      const first = returned(response)[0];
      if (first)
        inventorySchema.parse(toInventory(decodePage('fuzz', first).objects, about, 'vc', 0));
    },
  ])
    try {
      work();
    } catch (thrown) {
      // A greeting is no inventory, and says so.
      if ((thrown as { kind?: string }).kind !== 'unreachable') throw thrown;
    }
}

fuzz({
  name: 'SOAP answers in the parser and its decoders',
  cases: 900,
  // What a vCenter answers is not the caller's fault: a fault without a kind of ours is `internal`
  // with its name.
  allowed: [
    'internal',
    'unreachable',
    'authFailed',
    'notFound',
    'conflict',
    'invalidInput',
    'timedOut',
    'aborted',
  ],
  inputs: fc.tuple(damagedBytes(answers), cuts),
  print: ([bytes]) => Buffer.from(bytes.subarray(0, 600)).toString('latin1'),
  take([bytes, where]) {
    const parser = xmlTreeParser(bounds);
    const decoder = new TextDecoder();
    for (const piece of piecesOf(bytes, where))
      parser.write(decoder.decode(piece, { stream: true }));
    use(parser.end());
  },
});

/** How a server that means no good sends what it says. */
interface Answer {
  bytes: Uint8Array;
  cut: number;
  status: number;
  gzip: 'none' | 'honest' | 'lying';
  end: 'end' | 'reset';
}
let server: https.Server;
let transport: Transport;
let answer: Answer;
beforeAll(async () => {
  server = https.createServer({ cert: testCertificate, key: testKey }, (request, response) => {
    request.resume();
    const { bytes, cut, status, gzip, end } = answer;
    response.statusCode = status;
    if (gzip !== 'none') response.setHeader('content-encoding', 'gzip');
    const sent = gzip === 'honest' ? gzipSync(bytes) : bytes;
    if (end === 'end') response.end(sent);
    else
      response.write(sent.subarray(0, Math.floor(cut * sent.length) + 1), () => {
        request.socket.destroy();
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  transport = createTransport(
    {
      name: 'lab',
      host: '127.0.0.1',
      port: (server.address() as AddressInfo).port,
      what: 'vCenter',
      fingerprint256: new X509Certificate(testCertificate).fingerprint256,
    },
    bounds,
  );
});
afterAll(() => {
  transport.close();
  server.closeAllConnections();
  server.close();
});

fuzz({
  name: 'answers of a hostile vCenter over HTTPS',
  cases: 300,
  allowed: [
    'internal',
    'unreachable',
    'authFailed',
    'notFound',
    'conflict',
    'invalidInput',
    'timedOut',
    'aborted',
  ],
  inputs: fc.record<Answer>({
    bytes: damagedBytes(answers),
    cut: fc.double({ min: 0, max: 1, noNaN: true }),
    status: fc.constantFrom(200, 200, 200, 500, 500, 204, 302, 401, 404, 503, 999),
    gzip: fc.constantFrom('none', 'none', 'honest', 'lying'),
    end: fc.constantFrom('end', 'end', 'end', 'reset'),
  }),
  print: (one) =>
    `${one.status} ${one.gzip} ${one.end} ${Buffer.from(one.bytes.subarray(0, 600)).toString('latin1')}`,
  async take(one) {
    answer = one;
    const { root } = await transport.post('<x/>', {
      soapAction: 'urn:vim25/8.0',
      cookie: null,
      limitMs: 10_000,
      repeatable: true,
    });
    use(root);
  },
});
