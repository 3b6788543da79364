import { fail } from '../../../src/core/base/errors.ts';
import { commandsOf } from '../../../src/core/planImport/loads.ts';
import { isProvisioning, layoutOf } from '../../../src/core/testbed/provision.ts';
import type { Testbed } from '../../../src/core/testbed/testbed.ts';
import { exportTestbed, testbedFileText } from '../../../src/core/testbed/testbedFile.ts';
import type { Emit, Handlers } from '../../../src/wire/contract.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';
import type { ProfileBook } from '../profiles/book.ts';

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
export function testbedLife({ deps, db, emit, profiles }: Options): Methods {
  const required = (id: string): Testbed => {
    const testbed = db.testbeds.get(id);
    if (!testbed)
      throw fail('notFound', 'The testbed does not exist.', 'Refresh the list of testbeds.');
    return testbed;
  };
  const demandProfile = ({ profileId }: Pick<Testbed, 'profileId'>): void => {
    if (!profiles.has(profileId))
      throw fail(
        'invalidInput',
        `Profile ${profileId} is not installed.`,
        'Choose one of the profiles in the list.',
      );
  };
  const demandStill = ({ id, name }: Testbed): void => {
    const job = db.provisions.get(id);
    if (job && isProvisioning(job))
      throw fail(
        'conflict',
        `VMs of testbed ${name} are being made or removed.`,
        'Wait for the end of provisioning, or cancel it.',
      );
  };
  const keep = (testbed: Testbed): Testbed => {
    const saved = db.testbeds.save(testbed);
    emit('list.changed', { list: 'testbeds' });
    return saved;
  };
  /**
   * The stored testbed of an id; null where there is none, or none that can be read and is about to
   * be replaced.
   */
  const storedOf = (id: string): Testbed | null =>
    db.testbeds.list().find((one) => one.id === id) ?? null;
  return {
    'testbed.list': async () => db.testbeds.list(),
    'testbed.save': async (testbed) => {
      demandProfile(testbed);
      const stored = storedOf(testbed.id);
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
      return keep(stored ? withMadeOf(testbed, stored) : testbed);
    },
    'testbed.remove': async ({ id }) => {
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
      const stored = storedOf(id);
      if (stored) demandStill(stored);
      db.testbeds.remove(id);
      emit('list.changed', { list: 'testbeds' });
      return {};
    },
    'testbed.versions': async ({ id }) => {
      const current = required(id).version;
      return db.testbeds.versions(id).map(({ savedAtMs, origin, testbed }) => ({
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
    },
    'testbed.version': async ({ id, version }) => {
      const found = db.testbeds.version(id, version);
      if (!found)
        throw fail(
          'notFound',
          `Version ${version} of this testbed is not kept any more.`,
          'Choose another version.',
        );
      return found;
    },
    'testbed.restore': async ({ id, version }) => {
      const current = required(id);
      demandStill(current);
      const earlier = db.testbeds.version(id, version);
      if (!earlier)
        throw fail(
          'notFound',
          `Version ${version} of this testbed is not kept any more.`,
          'Choose another version.',
        );
      demandProfile(earlier);
      return keep(withMadeOf(earlier, current));
    },
    'testbed.duplicate': async ({ id, name }) => {
      const source = required(id);
      // The copy refers to the same VMs, but only the testbed that had them made may remove them.
      return keep(
        withMadeOf(
          {
            ...source,
            id: deps.ids.next('testbed'),
            name: name ?? `${source.name.slice(0, nameLimit - 5)} copy`,
            version: 0,
          },
          null,
        ),
      );
    },
    'testbed.export': async ({ id }) => {
      const testbed = required(id);
      const profile = profiles.get(testbed.profileId);
      const file = exportTestbed(withMadeOf(testbed, null), {
        inventory: testbed.vcenterId === null ? null : db.inventories.get(testbed.vcenterId),
        profile: profile ?? { id: testbed.profileId, name: testbed.profileId, version: '' },
        vcenterName:
          (testbed.vcenterId === null ? null : db.connections.get(testbed.vcenterId)?.name) ?? '',
        clients: db.connections.list().flatMap((one) => (one.kind === 'client' ? [one] : [])),
      });
      return {
        fileName: `${testbed.name.replace(/[^A-Za-z0-9._-]+/g, '-')}.testbed.json`,
        text: testbedFileText(file),
      };
    },
    'testbed.import': async ({ testbed, allowCommands }) => {
      demandProfile(testbed);
      const commands = commandsOf(testbed).length;
      if (commands > 0 && !allowCommands)
        throw fail(
          'untrusted',
          `Testbed ${testbed.name} brings ${commands} shell commands that client machines would run.`,
          'Read them in the import and agree to them, or remove them from the file.',
        );
      return keep(withMadeOf({ ...testbed, id: deps.ids.next('testbed'), version: 0 }, null));
    },
  };
}
