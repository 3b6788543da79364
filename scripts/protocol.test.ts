import { readFileSync } from 'node:fs';

import { errorKinds } from '../src/core/base/errors.ts';
import { events, methods } from '../src/wire/contract.ts';
import { maxUnacknowledged } from '../src/wire/eventGate.ts';
import { strangerBounds } from '../src/wire/frameBounds.ts';
import { maxFrameBytes } from '../src/wire/frameCodec.ts';
import { pingEveryMs, silenceLimitMs } from '../src/wire/heartbeat.ts';
import { maxTextChars } from '../src/wire/jsonFrame.ts';
import { replySchema, requestSchema } from '../src/wire/messages.ts';
import { maxTargetChars } from '../workers/requests.ts';

const text = readFileSync('docs/protocol.md', 'utf8');
const section = (title: string): string =>
  new RegExp(`^## ${title}$(.*?)(?=^## |$(?![^]))`, 'ms').exec(text)?.[1] ?? '';
/** First and second cell of each row of a table that names things in code. */
const rows = (title: string): [string, string[]][] =>
  [...section(title).matchAll(/^\| `(\w+)` \|([^|]*)\|/gm)].map((row) => [
    row[1]!,
    [...row[2]!.matchAll(/`(\w+)`/g)].map((cell) => cell[1]!),
  ]);
const keysOf = (schema: typeof requestSchema | typeof replySchema): [string, string[]][] =>
  schema.options.map(({ shape }) => [
    shape.k.value,
    Object.keys(shape).filter((key) => key !== 'k'),
  ]);

test.each([
  ['Messages of the client', requestSchema],
  ['Messages of the engine', replySchema],
] as const)('%s are listed with all their keys', (title, schema) => {
  expect(rows(title).slice(1)).toEqual(keysOf(schema));
});

test('every kind of error is listed', () => {
  expect(
    rows('Calls')
      .slice(1)
      .map(([kind]) => kind),
  ).toEqual([...errorKinds]);
});

test('every method and event that it names exists', () => {
  const named = [...text.matchAll(/`([a-z]+\.[a-zA-Z]+)`/g)].map((found) => found[1]!);
  expect(named.length).toBeGreaterThan(10);
  expect(
    named.filter((name) => !(name in methods) && !(name in events) && name !== 'console.html'),
  ).toEqual([]);
});

test('its figures are those of the code', () => {
  for (const figure of [
    `${strangerBounds.maxDepth} levels`,
    `${strangerBounds.maxItems} values`,
    `${maxTextChars} characters`,
    `${maxFrameBytes - 4_096} bytes`,
    `at most ${maxUnacknowledged} that`,
    `every ${pingEveryMs / 1_000} seconds`,
    `silent for ${silenceLimitMs / 1_000} seconds`,
    `longer than ${maxTargetChars} characters`,
  ])
    expect(text).toContain(figure);
});
