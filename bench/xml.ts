import { SaxesParser } from 'saxes';

import { toInventory } from '../workers/engine/vcenter/inventory.ts';
import { decodePage } from '../workers/engine/vcenter/properties.ts';
import { openEnvelope, returned } from '../workers/engine/vcenter/soap.ts';
import { inventoryXml } from '../workers/engine/vcenter/testing/inventoryXml.ts';
import { xmlTreeParser } from '../workers/engine/vcenter/xml.ts';
import type { BenchResult } from './row.ts';

const about = {
  fullName: '',
  version: '',
  build: '',
  apiVersion: '',
  apiType: '',
  instanceUuid: '',
};
/** As a TLS record brings it. */
const chunkChars = 16_384;
const rounds = 9;

interface PlainNode {
  name: string;
  attributes: object;
  text: string;
  children: PlainNode[];
}

/** The anchor: saxes with namespaces, every element kept, nothing decoded. */
function plainTree(chunks: readonly string[]): PlainNode {
  const parser = new SaxesParser({ xmlns: true, position: false });
  const root: PlainNode = { name: '', attributes: {}, text: '', children: [] };
  const stack = [root];
  parser.on('opentag', ({ local, attributes }) => {
    const node: PlainNode = { name: local, attributes, text: '', children: [] };
    stack.at(-1)!.children.push(node);
    stack.push(node);
  });
  parser.on('closetag', () => {
    stack.pop();
  });
  parser.on('text', (text) => {
    stack.at(-1)!.text += text;
  });
  for (const chunk of chunks) parser.write(chunk);
  parser.close();
  return root;
}

function inventoryOf(chunks: readonly string[]): number {
  const parser = xmlTreeParser();
  for (const chunk of chunks) parser.write(chunk);
  const { objects } = decodePage('bench', returned(openEnvelope('bench', parser.end()))[0] ?? null);
  return toInventory(objects, about, 'vc', 0).vms.length;
}

function medianMs(times: number[]): number {
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!;
}
function timed(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

/** Inventory of 64 hosts and 1,000 VMs, decoded, against a plain saxes tree of the same text. */
export async function run(): Promise<BenchResult[]> {
  const text = inventoryXml({ hosts: 64, vms: 1_000, datastores: 30, lunsPerHost: 31 });
  const chunks = Array.from({ length: Math.ceil(text.length / chunkChars) }, (_, i) =>
    text.slice(i * chunkChars, (i + 1) * chunkChars),
  );
  const anchors: number[] = [];
  const decodes: number[] = [];
  const vms = inventoryOf(chunks);
  if (vms !== 1_000) throw new Error(`The bench decoded ${vms} VMs instead of 1,000.`);
  plainTree(chunks);
  // Turn by turn, so that a busy machine slows both.
  for (let round = 0; round < rounds; round += 1) {
    anchors.push(timed(() => plainTree(chunks)));
    decodes.push(timed(() => inventoryOf(chunks)));
  }
  const megabytes = text.length / 1e6;
  const [anchor, decode] = [medianMs(anchors), medianMs(decodes)];
  return [
    {
      name: 'XML: inventory of 64 hosts and 1,000 VMs',
      rows: [
        { label: 'answer', value: megabytes, unit: 'MB' },
        { label: 'saxes to tree (anchor)', value: (megabytes / anchor) * 1_000, unit: 'MB/s' },
        {
          label: 'text to inventory',
          value: (megabytes / decode) * 1_000,
          unit: 'MB/s',
          ratio: decode / anchor,
          budget: 1.3,
        },
      ],
    },
  ];
}
