import { ActionIcon, Button } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';

import { useProfileForm } from './profileForm.ts';

/** Removes a row of a list; not there where the profile cannot be changed. */
export function RemoveRow({ what, onRemove }: { what: string; onRemove: () => void }) {
  const { readOnly } = useProfileForm();
  if (readOnly) return null;
  return (
    <ActionIcon
      mt={22}
      variant="subtle"
      color="red.8"
      aria-label={`Remove ${what}`}
      onClick={onRemove}
    >
      <IconTrash size={16} aria-hidden />
    </ActionIcon>
  );
}

/** Adds a row to a list; not there where the profile cannot be changed. */
export function AddRow({ label, onAdd }: { label: string; onAdd: () => void }) {
  const { readOnly } = useProfileForm();
  if (readOnly) return null;
  return (
    <div>
      <Button
        size="compact-xs"
        variant="default"
        leftSection={<IconPlus size={12} aria-hidden />}
        onClick={onAdd}
      >
        {label}
      </Button>
    </div>
  );
}
