import { createHash } from 'node:crypto';

import { methods } from '../../src/wire/contract.ts';
import { contractVersion } from '../../src/wire/contract/version.ts';
import { printContract } from './contract.ts';

const printed = (json: boolean): string[] => {
  const out: string[] = [];
  printContract({ out: (text) => out.push(text), err: () => undefined, isTty: false }, json);
  return out;
};
const sorted = (value: unknown): unknown =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? Array.isArray(value)
      ? value.map(sorted)
      : value
    : Object.fromEntries(
        Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, inner]) => [key, sorted(inner)]),
      );

test('as JSON: every method with schemas that refuse what is not known, and the version anybody can compute', () => {
  const { version, contract, ...rest } = JSON.parse(printed(true).join('')) as {
    version: string;
    contract: string;
    methods: Record<string, { input: Record<string, unknown> }>;
    errorKinds: string[];
  };
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(Object.keys(rest.methods)).toEqual(Object.keys(methods));
  expect(rest.methods['run.abort']?.input).toMatchObject({
    type: 'object',
    required: ['id'],
    additionalProperties: false,
    properties: { hard: { type: 'boolean', default: false } },
  });
  expect(rest.errorKinds).toContain('untrusted');
  // As docs/protocol.md says it is made.
  const digest = createHash('sha256')
    .update(JSON.stringify(sorted(rest)))
    .digest('hex');
  expect([contract, contractVersion]).toEqual([digest.slice(0, 16), digest.slice(0, 16)]);
});

test('for people: names, and which keys may be left out', () => {
  const text = printed(false).join('\n');
  expect(text).toMatch(/^run\.abort\s+id, hard\?$/m);
  expect(text).toContain('run.changed');
  expect(text).toContain('notFound');
});
