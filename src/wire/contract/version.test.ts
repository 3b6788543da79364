import { readFileSync } from 'node:fs';

import * as z from 'zod';

import { describeContract, versionOf } from '../describeContract.ts';
import { appVersion, contractVersion } from './version.ts';

test('the version of the contract is that of its schemas: after a change, put the new one into version.ts', () => {
  expect(contractVersion).toBe(versionOf(describeContract()));
});

test('a change of a name, a bound, a key or a kind of error is another version; the order of names is not', () => {
  const of = (edit: (d: ReturnType<typeof describeContract>) => object): string =>
    versionOf({ ...description, ...edit(structuredClone(description)) });
  const description = describeContract();
  const listed = description.methods['run.list'];
  const changes = [
    of((d) => ({ methods: { ...d.methods, 'run.new': listed } })),
    of((d) => ({ errorKinds: [...d.errorKinds, 'tired'] })),
    of((d) => ({
      methods: {
        ...d.methods,
        'run.list': { ...listed, input: { ...listed?.input, maxProperties: 3 } },
      },
    })),
    of((d) => ({ events: { ...d.events, 'run.blessed': {} } })),
  ];
  expect(new Set([...changes, versionOf(description)]).size).toBe(changes.length + 1);
  expect(of((d) => ({ methods: Object.fromEntries(Object.entries(d.methods).reverse()) }))).toBe(
    versionOf(description),
  );
});

test('the version of the application is that of its package', () => {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync('package.json', 'utf8')));
  expect(appVersion).toBe(version);
});
