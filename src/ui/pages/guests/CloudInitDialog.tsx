import { Button, Code, Group, Select, Stack, Text } from '@mantine/core';
import { IconCheck, IconClipboard } from '@tabler/icons-react';
import { useState } from 'react';

import { cloudInit } from '../../../core/roles/cloudInit.ts';
import { roles } from '../../../core/roles/roles.ts';
import { families, type Family, familyWords } from '../../../core/roles/systems.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { dim } from '../../kit/tones.ts';

/** A role as user-data, to be given to a template that is cloned. */
export function CloudInitDialog({ mirror, onClose }: { mirror: string; onClose: () => void }) {
  const [roleId, setRoleId] = useState(roles[0]!.id);
  const [said, setSaid] = useState<'Copied' | 'Not copied: mark it by hand' | null>(null);
  const role = roles.find(({ id }) => id === roleId) ?? roles[0]!;
  const [family, setFamily] = useState<Family>('debian');
  const text = cloudInit(role, { mirror: family === 'debian' ? mirror : '' }, family);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setSaid('Copied'),
      () => setSaid('Not copied: mark it by hand'),
    );
  };
  return (
    <Dialog title="Prepare a machine at its first start" size="xl" onClose={onClose}>
      <Stack gap="sm">
        <Text size="sm" c={dim}>
          Give this as user-data to a machine with cloud-init. It does the same steps as over SSH,
          once; Put back takes them away again.
        </Text>
        <Group align="flex-end">
          <Select
            label="Role"
            w={270}
            allowDeselect={false}
            data={roles.map(({ id, title }) => ({ value: id, label: title }))}
            value={roleId}
            onChange={(id) => {
              if (id !== null) setRoleId(id);
              setSaid(null);
            }}
          />
          <Select
            label="System"
            w={270}
            allowDeselect={false}
            data={families.map((one) => ({ value: one, label: familyWords[one] }))}
            value={family}
            onChange={(one) => {
              setFamily(families.find((known) => known === one) ?? 'debian');
              setSaid(null);
            }}
          />
          <Button
            ml="auto"
            leftSection={
              said === 'Copied' ? (
                <IconCheck size={14} aria-hidden />
              ) : (
                <IconClipboard size={14} aria-hidden />
              )
            }
            onClick={copy}
          >
            <span role="status">{said ?? 'Copy user-data'}</span>
          </Button>
        </Group>
        <Code
          block
          mah={420}
          tabIndex={0}
          aria-label={`User-data of ${role.title}, scrollable`}
          style={{ overflow: 'auto', fontVariantLigatures: 'none' }}
        >
          {text}
        </Code>
      </Stack>
    </Dialog>
  );
}
