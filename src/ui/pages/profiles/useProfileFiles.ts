import { modals } from '@mantine/modals';
import { notifications } from '@mantine/notifications';
import { createElement, useCallback } from 'react';
import { useNavigate } from 'react-router';

import { toAppError } from '../../../core/base/errors.ts';
import { commandsOfProfile, loadsShown } from '../../../core/planImport/loads.ts';
import type { ImportLoad } from '../../../core/planImport/schema.ts';
import type { Profile } from '../../../core/profile/profile.ts';
import { parseProfileFile, profileText } from '../../../core/profile/profileFile.ts';
import { useDesktop } from '../../engine/services.ts';
import { newId } from '../../kit/connectionWords.ts';
import { ImportLoads } from '../../kit/ImportLoads.tsx';
import { type ListedProfile, useProfileImportMutation } from './profileApi.ts';

/** Asks where, and writes a profile as a file of its own. */
export function useExportProfile(): (profile: Profile) => Promise<void> {
  const desktop = useDesktop();
  return useCallback(
    async (profile) => {
      const { shipped: _shipped, ...file } = profile as ListedProfile;
      const name = await desktop.saveFile(
        `${profile.name.replace(/[^A-Za-z0-9._-]+/g, '-')}.profile.json`,
        (async function* text() {
          yield profileText(file);
        })(),
      );
      if (name !== null) notifications.show({ color: 'green', message: `Wrote ${name}.` });
    },
    [desktop],
  );
}

/** Shows the shell commands of a profile; true where they were agreed to. */
const agreeTo = (name: string, loads: readonly ImportLoad[]): Promise<boolean> =>
  new Promise((resolve) => {
    modals.openConfirmModal({
      title: `Import ${name}`,
      size: 'lg',
      children: createElement(ImportLoads, { loads }),
      labels: { confirm: 'Trust and import', cancel: 'Cancel' },
      onConfirm: () => resolve(true),
      onCancel: () => resolve(false),
      onClose: () => resolve(false),
    });
  });

/**
 * Asks for a profile file, checks it with line and column, shows the shell commands it brings, and
 * keeps it. One whose id is taken by another profile gets an id of its own.
 */
export function useImportProfile(all: readonly ListedProfile[]): () => Promise<void> {
  const desktop = useDesktop();
  const navigate = useNavigate();
  const [take] = useProfileImportMutation();
  return useCallback(async () => {
    const file = await desktop.openFile(['json', 'jsonc']);
    if (!file) return;
    let profile: Profile;
    try {
      profile = parseProfileFile(file.name, file.text, all);
    } catch (thrown) {
      const error = toAppError(thrown);
      notifications.show({
        color: 'red',
        title: error.message,
        message: error.hint ?? '',
        autoClose: 12_000,
        style: { whiteSpace: 'pre-line' },
      });
      return;
    }
    const commands = loadsShown(commandsOfProfile(profile), (clients) => clients);
    if (commands.length > 0 && !(await agreeTo(file.name, commands))) return;
    const taken = all.some((p) => p.id === profile.id);
    const saved = await take({
      profile: taken ? { ...profile, id: newId('profile') } : profile,
      allowCommands: commands.length > 0,
    });
    if (saved.error) return;
    notifications.show({
      color: 'green',
      message: taken
        ? `${saved.data.name} imported under a new id: another profile has ${profile.id}.`
        : `${saved.data.name} imported.`,
    });
    void navigate(`/profiles/${saved.data.id}`);
  }, [desktop, navigate, take, all]);
}
