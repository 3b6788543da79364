import fc from 'fast-check';

import { AppError } from '../../../src/core/base/errors.ts';
import { inventorySchema } from '../../../src/core/testbed/inventory.ts';
import { toInventory } from './inventory.ts';
import { decodeQueryPerf } from './perfDecode.ts';
import { decodePage } from './properties.ts';
import { openEnvelope, returned } from './soap.ts';
import { answerXml, inventoryXml } from './testing/inventoryXml.ts';
import { parseXml, type XmlNode, xmlTreeParser } from './xml.ts';

const limits = { maxChars: 200_000, maxDepth: 64, maxNodes: 20_000 };
const about = {
  fullName: '',
  version: '',
  build: '',
  apiVersion: '',
  apiType: '',
  instanceUuid: '',
};

/** Everything that is done with an answer. Gives null where it was refused in order. */
function swallow(text: string, chunk: number): XmlNode | null {
  try {
    const parser = xmlTreeParser(limits);
    for (let i = 0; i < text.length; i += chunk) parser.write(text.slice(i, i + chunk));
    const root = parser.end();
    const response = openEnvelope('fuzz', root);
    const first = returned(response)[0];
    if (first)
      inventorySchema.parse(toInventory(decodePage('fuzz', first).objects, about, 'vc', 0));
    decodeQueryPerf(returned(response));
    return root;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

const tree: fc.Arbitrary<string> = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 5 },
    fc.string({ unit: fc.constantFrom('a', ' ', '1', '&amp;', '-1,', '20,', 'é') }),
    fc
      .tuple(
        fc.constantFrom(
          'returnval',
          'objects',
          'obj',
          'propSet',
          'name',
          'val',
          'value',
          'id',
          'fault',
          'missingSet',
          'token',
          'x',
        ),
        fc.constantFrom(
          '',
          ' type="HostSystem"',
          ' xsi:type="HostScsiDisk"',
          ' type="Datastore" xsi:type="a:b"',
        ),
        fc.array(tie('node'), { maxLength: 4 }),
      )
      .map(
        ([name, attributes, children]) => `<${name}${attributes}>${children.join('')}</${name}>`,
      ),
  ),
})).node;
const sample = inventoryXml({ hosts: 2, vms: 2, datastores: 2, lunsPerHost: 2 });
const garbage = fc.constantFrom(
  '<',
  '>',
  '&',
  '"',
  '</',
  '<!--',
  '<![CDATA[',
  ']]>',
  '<!DOCTYPE x [',
  '\u0000',
  '\uD800',
  '<a>',
  '&#x0;',
  '&#99999999;',
  ' xmlns=""',
  '<?xml',
  'xsi:type',
);

test('random text is refused in order', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.integer({ min: 1, max: 50 }),
      (text, chunk) => {
        expect(swallow(text, chunk)).toBeNull();
      },
    ),
    { numRuns: 500 },
  );
});

test('random elements in an answer decode or are refused in order', () => {
  fc.assert(
    fc.property(tree, fc.integer({ min: 1, max: 90 }), (content, chunk) => {
      swallow(answerXml('RetrievePropertiesEx', `<returnval>${content}</returnval>`), chunk);
    }),
    { numRuns: 500 },
  );
});

test('a mutated answer decodes or is refused in order', () => {
  const mutation = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    remove: fc.nat(200),
    insert: fc.oneof(garbage, fc.constant('')),
  });
  fc.assert(
    fc.property(
      fc.array(mutation, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 100, max: 5_000 }),
      (mutations, chunk) => {
        let text = sample;
        for (const { at, remove, insert } of mutations) {
          const position = Math.floor(at * text.length);
          text = text.slice(0, position) + insert + text.slice(position + remove);
        }
        swallow(text, chunk);
      },
    ),
    { numRuns: 400 },
  );
});

test('an answer cut off anywhere is refused', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: sample.length - 1 }), (length) => {
      expect(() => parseXml(sample.slice(0, length))).toThrow(AppError);
    }),
    { numRuns: 200 },
  );
});

test('bounds hold whatever the content', () => {
  const bound = { maxChars: 5_000, maxDepth: 20, maxNodes: 100 };
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), fc.boolean(), (count, deep) => {
      const text = deep
        ? '<a>'.repeat(count) + '</a>'.repeat(count)
        : `<a>${'<b/>'.repeat(count - 1)}</a>`;
      const fits =
        text.length <= bound.maxChars && count <= (deep ? bound.maxDepth : bound.maxNodes);
      if (fits) expect(parseXml(text, bound).name).toBe('a');
      else
        expect(() => parseXml(text, bound)).toThrow(
          expect.objectContaining({ kind: 'internal' }) as AppError,
        );
    }),
    { numRuns: 300 },
  );
});
