import { Button, Group, Modal, Stack } from '@mantine/core';

import { counted } from '../../../core/base/counted.ts';
import { assignVms } from '../../../core/layout/layoutEdit.ts';
import type { LayoutChange } from '../../../core/layout/layoutHistory.ts';
import { setNamePattern } from '../../../core/layout/layoutSettings.ts';
import type { Testbed } from '../../../core/testbed/testbed.ts';
import classes from './dialogs.module.css';
import {
  NamingFields,
  type NamingInput,
  type NamingValues,
  previewNames,
} from './NamingFields.tsx';

interface Props {
  testbed: Testbed;
  input: NamingInput;
  values: NamingValues;
  onValues: (values: NamingValues) => void;
  onApply: (change: LayoutChange) => void;
  onClose: () => void;
}

/**
 * Assigns VMs by a name pattern; what matches is shown first. The pattern stays with the testbed,
 * for clones.
 */
export function NamesDialog({ testbed, input, values, onValues, onApply, onClose }: Props) {
  const matched = previewNames(input, values).preview?.matched ?? [];
  const apply = (): void => {
    const change = assignVms(
      setNamePattern(testbed, values.pattern).testbed,
      new Map(matched.map(({ slot, vm }) => [slot.key, vm])),
    );
    onApply({
      ...change,
      label: `Assign ${counted(matched.length, 'VM')} by the name ${values.pattern}`,
    });
    onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title="Match VMs by name"
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 0 }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (matched.length > 0) apply();
        }}
      >
        <Stack gap="sm">
          <NamingFields input={input} values={values} onChange={onValues} />
          <Group justify="flex-end" className={classes.dialogFoot}>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              disabled={matched.length === 0}
            >{`Assign ${counted(matched.length, 'VM')}`}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
