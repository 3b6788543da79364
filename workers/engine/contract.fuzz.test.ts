import fc from 'fast-check';
import type * as z from 'zod';

import { planSchema } from '../../src/core/plan/plan.ts';
import { importSource } from '../../src/core/planImport/schema.ts';
import { profileSchema } from '../../src/core/profile/profile.ts';
import { studySpecSchema } from '../../src/core/study/study.ts';
import { connectionSchema } from '../../src/core/testbed/connection.ts';
import { testbedSchema } from '../../src/core/testbed/testbed.ts';
import { createClient } from '../../src/wire/channel.ts';
import { type Client, type Input, type MethodName, methods } from '../../src/wire/contract.ts';
import { decodeFrame, encodeFrame } from '../../src/wire/frameCodec.ts';
import { importOwn, sourceOf } from '../../src/wire/importOwn.ts';
import { createPort, type Port } from '../../src/wire/ports.ts';
import { serve } from '../../src/wire/serve.ts';
import { esxtopFile } from './imports/testing/files.ts';
import { createHarness, type Harness, testPlanFile, testProfile } from './testing/engineHarness.ts';
import { fuzz } from './testing/fuzz/fuzz.ts';
import { inputOf } from './testing/fuzz/inputs.ts';
import { damagedValues } from './testing/fuzz/values.ts';

const plan = testPlanFile();
const study = {
  schemaVersion: 1 as const,
  id: 's',
  name: 'S',
  planId: 'plan',
  axes: [{ name: 'tiles', label: 'Tiles', parameter: { kind: 'tiles' as const }, values: [1, 2] }],
};
const ids = [
  'plan',
  'tb',
  'test-tile',
  'vc',
  'c1',
  'p1',
  's',
  'run-1',
  't0.java',
  'E01',
  'tiles=1',
];
const documents: ReadonlyMap<z.core.$ZodType, readonly unknown[]> = new Map<
  z.core.$ZodType,
  readonly unknown[]
>([
  [planSchema, [plan.plan]],
  [testbedSchema, [plan.testbed]],
  [profileSchema, [testProfile, { ...testProfile, id: 'own' }]],
  [connectionSchema, plan.connections],
  [studySpecSchema, [study]],
  [importSource, [{ file: plan, testbeds: [], profiles: [], study }]],
]);

/**
 * Two ends in one process. What goes through them has gone through the bytes of a frame before:
 * another realm's arrays are none here.
 */
function nearPorts(): [Port, Port] {
  const ends: ReturnType<typeof createPort>[] = [];
  const end = (other: number): ReturnType<typeof createPort> =>
    createPort(
      (data) => {
        queueMicrotask(() => ends[other]?.receive(data));
      },
      () => {
        queueMicrotask(() => ends[other]?.closed());
      },
    );
  ends.push(end(1), end(0));
  return [ends[0]!.port, ends[1]!.port];
}

let harness: Harness;
let client: Client;
beforeAll(async () => {
  harness = await createHarness();
  const [near, far] = nearPorts();
  serve(far, harness.engine.handlers, () => () => undefined);
  client = createClient(near);
  // Who is refused at the door reaches no method.
  expect((await client.call('app.info', {})).host).toBe('test');
  await importOwn(harness, sourceOf(plan));
  await harness.call('study.save', study);
  const { runId } = await harness.call('file.import', {
    fileName: 'esx1.csv',
    uploadId: null,
    bytes: new TextEncoder().encode(esxtopFile),
    last: true,
  });
  ids.push(runId!);
});
afterAll(async () => {
  client.close();
  await harness.close();
});

/**
 * As it arrives; null = it cannot be put into a frame (nested deeper than a hundred), and never
 * leaves.
 */
function throughFrame(input: unknown): unknown {
  try {
    return decodeFrame(encodeFrame(input));
  } catch {
    return null;
  }
}

/** The answer, while fake time goes by: who waits for a second of the clock gets it. */
async function answerOf(method: MethodName, input: unknown): Promise<unknown> {
  let pending = true;
  const answer = client.call(method, input as Input<typeof method>).finally(() => {
    pending = false;
  });
  // Whoever awaits it below hears of a refusal; until then it is no unheard one.
  answer.catch(() => undefined);
  for (let turns = 0; pending; turns += 1) {
    await new Promise((done) => {
      setImmediate(done);
    });
    if (turns > 20 && pending) await harness.clock.advance(1_000);
  }
  return answer;
}

const names = Object.keys(methods) as MethodName[];
const groups = [...new Set(names.map((name) => name.split('.')[0]!))];

for (const group of groups) {
  const own = names.filter((name) => name.startsWith(`${group}.`));
  const inputs = fc.oneof(
    ...own.map((name) => {
      const whole = inputOf(methods[name].input, { ids: () => ids, documents });
      return fc.record({
        name: fc.constant(name),
        input: fc.oneof(
          whole,
          fc.tuple(whole, fc.nat()).chain(([value]) => damagedValues([value])),
        ),
      });
    }),
  );
  fuzz({
    name: `inputs of ${group}.* (${own.length} methods)`,
    cases: 26 * own.length,
    inputs,
    print: ({ name, input }) => `${name} ${JSON.stringify(input)?.slice(0, 900) ?? ''}`,
    async take({ name, input }) {
      const output = methods[name].output.safeParse(await answerOf(name, throughFrame(input)));
      if (!output.success)
        throw new Error(
          `The answer is none of the contract: ${output.error.message.slice(0, 500)}`,
        );
    },
  });
}
