import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';

import type { Testbed } from '../../../core/testbed/testbed.ts';
import { useTestbedExportMutation } from '../../engine/api.ts';
import { useDesktop } from '../../engine/services.ts';

/** Asks where, and writes the saved testbed as a file for another lab. */
export function useExportTestbed(): (testbed: Pick<Testbed, 'id'>) => Promise<void> {
  const desktop = useDesktop();
  const [ask] = useTestbedExportMutation();
  return useCallback(
    async ({ id }) => {
      const file = await ask({ id });
      if (file.error) return;
      const { fileName, text } = file.data;
      const written = await desktop.saveFile(
        fileName,
        (async function* chunks() {
          yield text;
        })(),
      );
      if (written !== null)
        notifications.show({
          color: 'green',
          message: `Wrote ${written}. It holds names, no address and no secret.`,
        });
    },
    [ask, desktop],
  );
}
