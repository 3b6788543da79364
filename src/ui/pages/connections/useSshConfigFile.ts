import { notifications } from '@mantine/notifications';
import { useState } from 'react';

import { toAppError } from '../../../core/base/errors.ts';
import type { SshHost } from '../../../core/testbed/sshConfig.ts';
import { useDesktop } from '../../engine/services.ts';

interface SshConfigFile {
  name: string;
  hosts: readonly SshHost[];
  notes: readonly string[];
}

/** Asks for an ssh_config and reads its hosts; what cannot be read is told. */
export function useSshConfigFile() {
  const desktop = useDesktop();
  const [file, setFile] = useState<SshConfigFile | null>(null);
  const refuse = (title: string, message: string): void => {
    notifications.show({ color: 'red', title, message, autoClose: 12_000 });
  };
  return {
    file,
    close: () => setFile(null),
    open: async (): Promise<void> => {
      try {
        // The file has no ending of its own: `~/.ssh/config`.
        const chosen = await desktop.openFile([]);
        if (chosen === null) return;
        // Read with the first file: the page needs none of it.
        const { readSshConfig } = await import('../../../core/testbed/sshConfig.ts');
        const read = readSshConfig(chosen.text);
        if ('problem' in read) refuse(`${chosen.name} cannot be used`, read.problem);
        else setFile({ name: chosen.name, ...read });
      } catch (thrown) {
        refuse('The file cannot be read', toAppError(thrown).message);
      }
    },
  };
}
