import { ActionIcon, Menu } from '@mantine/core';
import { IconCopyPlus, IconDots, IconFileExport, IconHistory } from '@tabler/icons-react';
import { useState } from 'react';

import type { Testbed } from '../../../core/testbed/testbed.ts';
import { DuplicateDialog } from './DuplicateDialog.tsx';
import { useExportTestbed } from './useExportTestbed.ts';
import { VersionsDialog } from './VersionsDialog.tsx';

interface Props {
  /** As it is stored now. */ testbed: Testbed;
  edited?: boolean;
  onRestored?: (testbed: Testbed) => void;
}

/** What can be done with a saved testbed beside editing it: its versions, a copy, a file. */
export function TestbedMenu({ testbed, edited = false, onRestored }: Props) {
  const [open, setOpen] = useState<'versions' | 'duplicate' | null>(null);
  const exportTestbed = useExportTestbed();
  const saved = edited ? ' (as saved)' : '';
  return (
    <>
      <Menu position="bottom-end" transitionProps={{ duration: 0 }} withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={`More for ${testbed.name}`}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconHistory size={16} aria-hidden />}
            onClick={() => setOpen('versions')}
          >
            Versions
          </Menu.Item>
          <Menu.Item
            leftSection={<IconCopyPlus size={16} aria-hidden />}
            onClick={() => setOpen('duplicate')}
          >{`Duplicate${saved}`}</Menu.Item>
          <Menu.Item
            leftSection={<IconFileExport size={16} aria-hidden />}
            onClick={() => void exportTestbed(testbed)}
          >{`Export as file${saved}`}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <VersionsDialog
        testbed={testbed}
        opened={open === 'versions'}
        edited={edited}
        onClose={() => setOpen(null)}
        {...(onRestored ? { onRestored } : {})}
      />
      <DuplicateDialog
        testbed={testbed}
        opened={open === 'duplicate'}
        onClose={() => setOpen(null)}
      />
    </>
  );
}
