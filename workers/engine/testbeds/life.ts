import { fail } from '../../../src/core/base/errors.ts';
import { commandsOf } from '../../../src/core/planImport/loads.ts';
import { layoutOf } from '../../../src/core/testbed/provision.ts';
import type { Testbed } from '../../../src/core/testbed/testbed.ts';
import { exportTestbed, testbedFileText } from '../../../src/core/testbed/testbedFile.ts';
import type { Emit, Handlers, Output } from '../../../src/wire/contract.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';
import type { ProfileBook } from '../profiles/book.ts';
import { demandStill } from './still.ts';

type Methods = Pick<
  Handlers,
  | 'testbed.list'
  | 'testbed.save'
  | 'testbed.remove'
  | 'testbed.versions'
  | 'testbed.version'
  | 'testbed.restore'
  | 'testbed.duplicate'
  | 'testbed.export'
  | 'testbed.import'
>;
interface Options {
  deps: Pick<Deps, 'ids'>;
  db: Database;
  emit: Emit;
  profiles: Pick<ProfileBook, 'has' | 'get'>;
}

/**
 * The testbed with what this app made as `from` has it, whatever the testbed itself says: that is
 * the engine's to know.
 */
export function withMadeOf(testbed: Testbed, from: Testbed | null): Testbed {
  const made = from ? layoutOf(from).made : [];
  const madeFolder = (from ? layoutOf(from).madeFolder : null) ?? null;
  if (!testbed.layout && made.length === 0 && madeFolder === null) return testbed;
  return { ...testbed, layout: { ...layoutOf(testbed), made, madeFolder } };
}

const nameLimit = 120;

/**
 * A testbed from its first save to its removal: every saved state stays, and no save runs over
 * another unseen.
 */
export function testbedLife(options: Options): Methods {
  const { deps, db } = options;
  return {
    'testbed.list': async () => db.testbeds.list(),
    'testbed.save': async (testbed) => saveTestbed(options, testbed),
    'testbed.remove': async ({ id }) => {
      removeTestbed(options, id);
      return {};
    },
    'testbed.versions': async ({ id }) => versionsOf(options, id),
    'testbed.version': async ({ id, version }) => versionOf(options, id, version),
    'testbed.restore': async ({ id, version }) => {
      const current = testbedOf(options, id);
      demandStill(options.db, current);
      const earlier = versionOf(options, id, version);
      demandProfile(options, earlier);
      return keep(options, withMadeOf(earlier, current));
    },
    'testbed.duplicate': async ({ id, name }) => {
      const source = testbedOf(options, id);
      const copy: Testbed = {
        ...source,
        id: deps.ids.next('testbed'),
        name: name ?? `${source.name.slice(0, nameLimit - 5)} copy`,
        version: 0,
      };
      // The copy refers to the same VMs, but only the testbed that had them made may remove them.
      return keep(options, withMadeOf(copy, null));
    },
    'testbed.export': async ({ id }) => fileOf(options, testbedOf(options, id)),
    'testbed.import': async ({ testbed, allowCommands }) => {
      demandProfile(options, testbed);
      const commands = commandsOf(testbed).length;
      if (commands > 0 && !allowCommands)
        throw fail(
          'untrusted',
          `Testbed ${testbed.name} brings ${commands} shell commands that client machines would run.`,
          'Read them in the import and agree to them, or remove them from the file.',
        );
      const taken = { ...testbed, id: deps.ids.next('testbed'), version: 0 };
      return keep(options, withMadeOf(taken, null));
    },
  };
}

function saveTestbed(options: Options, testbed: Testbed): Testbed {
  demandProfile(options, testbed);
  const stored = storedOf(options, testbed.id);
  if (stored && stored.version !== testbed.version) {
    throw fail(
      'conflict',
      `Testbed ${stored.name} was saved meanwhile: it is at version ${stored.version}, ` +
        `these changes began at version ${testbed.version}.`,
      'Compare with the newer version, then make the changes there; or save them as a duplicate.',
      { storedVersion: stored.version },
    );
  }
  // One that comes back after its removal says itself what was made: the marks in vCenter have
  // the last word.
  return keep(options, stored ? withMadeOf(testbed, stored) : testbed);
}

function removeTestbed(options: Options, id: string): void {
  const { db, emit } = options;
  const users = db.plans.list().filter((p) => p.testbedId === id);
  if (users.length > 0)
    throw fail(
      'conflict',
      `The testbed is used by plan ${users.map((p) => p.name).join(', ')}.`,
      'Remove the plans first.',
    );
  const studies = db.studies
    .list()
    .filter((study) =>
      study.axes.some((axis) => axis.parameter.kind === 'testbed' && axis.values.includes(id)),
    );
  if (studies.length > 0)
    throw fail(
      'conflict',
      `The testbed is a value of study ${studies.map((study) => study.name).join(', ')}.`,
      'Remove it from the studies first.',
    );
  const stored = storedOf(options, id);
  if (stored) demandStill(options.db, stored);
  db.testbeds.remove(id);
  emit('list.changed', { list: 'testbeds' });
}

function versionsOf(options: Options, id: string): Output<'testbed.versions'> {
  const current = testbedOf(options, id).version;
  return options.db.testbeds.versions(id).map(({ savedAtMs, origin, testbed }) => ({
    version: testbed.version,
    savedAtMs,
    by: origin === '' ? 'person' : 'provisioning',
    name: testbed.name,
    tiles: testbed.tiles.length,
    assignedVms: testbed.tiles.reduce(
      (sum, tile) => sum + tile.workloads.filter((one) => one.vm !== null).length,
      0,
    ),
    current: testbed.version === current,
  }));
}

function versionOf({ db }: Options, id: string, version: number): Testbed {
  const found = db.testbeds.version(id, version);
  if (!found)
    throw fail(
      'notFound',
      `Version ${version} of this testbed is not kept any more.`,
      'Choose another version.',
    );
  return found;
}

/** The file other engines can import: names in place of this engine's ids, nothing as made here. */
function fileOf({ db, profiles }: Options, testbed: Testbed): Output<'testbed.export'> {
  const { vcenterId, profileId } = testbed;
  const file = exportTestbed(withMadeOf(testbed, null), {
    inventory: vcenterId === null ? null : db.inventories.get(vcenterId),
    profile: profiles.get(profileId) ?? { id: profileId, name: profileId, version: '' },
    vcenterName: (vcenterId === null ? null : db.connections.get(vcenterId)?.name) ?? '',
    clients: db.connections.list().flatMap((one) => (one.kind === 'client' ? [one] : [])),
  });
  return {
    fileName: `${testbed.name.replace(/[^A-Za-z0-9._-]+/g, '-')}.testbed.json`,
    text: testbedFileText(file),
  };
}

function testbedOf({ db }: Options, id: string): Testbed {
  const testbed = db.testbeds.get(id);
  if (!testbed)
    throw fail('notFound', 'The testbed does not exist.', 'Refresh the list of testbeds.');
  return testbed;
}

/**
 * The stored testbed of an id; null where there is none, or none that can be read and is about to
 * be replaced.
 */
const storedOf = ({ db }: Options, id: string): Testbed | null =>
  db.testbeds.list().find((one) => one.id === id) ?? null;

function demandProfile({ profiles }: Options, { profileId }: Pick<Testbed, 'profileId'>): void {
  if (!profiles.has(profileId))
    throw fail(
      'invalidInput',
      `Profile ${profileId} is not installed.`,
      'Choose one of the profiles in the list.',
    );
}

function keep({ db, emit }: Options, testbed: Testbed): Testbed {
  const saved = db.testbeds.save(testbed);
  emit('list.changed', { list: 'testbeds' });
  return saved;
}
