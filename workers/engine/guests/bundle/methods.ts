import { fail } from '../../../../src/core/base/errors.ts';
import { roleOf } from '../../../../src/core/roles/roles.ts';
import type { Emit, Handlers, ParsedInput } from '../../../../src/wire/contract.ts';
import type { BundleShelf } from './shelf.ts';

/** Bundles of packages as methods. @param isUsed a preparation takes packages from it */
export const bundleMethods = (
  shelf: BundleShelf,
  isUsed: (sha256: string) => boolean,
  emit: Emit,
): Pick<Handlers, 'guest.takeBundle' | 'guest.bundles' | 'guest.dropBundle'> => ({
  'guest.takeBundle': async ({ path }) => {
    const bundle = await shelf.take(path);
    emit('list.changed', { list: 'guestBundles' });
    return bundle;
  },
  'guest.bundles': () => shelf.list(),
  'guest.dropBundle': async ({ sha256 }) => {
    if (isUsed(sha256))
      throw fail(
        'conflict',
        'Guests are being prepared from this bundle.',
        'Wait for the end, or cancel it.',
      );
    await shelf.remove(sha256);
    emit('list.changed', { list: 'guestBundles' });
    return {};
  },
});

/** Throws invalidInput where the bundle is not here, or lacks the packages of a role. */
export async function demandBundle(
  shelf: BundleShelf,
  { purpose, settings, choices }: ParsedInput<'guest.start'>,
): Promise<void> {
  if (purpose === 'undo' || settings.bundle === '') return;
  const found = await shelf.find(settings.bundle);
  if (!found)
    throw fail(
      'invalidInput',
      'The bundle of packages is not on this computer.',
      'Take it in again.',
    );
  const { roles } = found.bundle;
  const lacking = choices
    .map(({ roleId }) => roleOf(roleId))
    .find((role) => role && role.packages.length > 0 && !roles.includes(role.id));
  if (lacking)
    throw fail(
      'invalidInput',
      `The bundle has no packages for ${lacking.title}.`,
      `Make one with it: tilebench guests bundle ${[...roles, lacking.id].join(' ')} --out FILE`,
    );
}
