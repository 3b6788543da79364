import { Alert, Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';

import type { LayoutChange } from '../../../core/layout/layoutHistory.ts';
import type { LayoutView } from '../../../core/testbed/layoutModel.ts';
import classes from './dialogs.module.css';
import { generated, type GenerateValues, usablePlaces } from './generate.ts';
import { GenerateFields } from './GenerateFields.tsx';
import { NamingFields, type NamingInput } from './NamingFields.tsx';

interface Props {
  view: LayoutView;
  clients: readonly { id: string; name: string }[];
  input: Omit<NamingInput, 'tiles'>;
  values: GenerateValues;
  onValues: (values: GenerateValues) => void;
  onApply: (change: LayoutChange) => void;
  onClose: () => void;
}

/**
 * N tiles laid out by policy. What cannot be held is said before anything is changed; nothing typed
 * is lost by closing.
 */
export function GenerateDialog({
  view,
  clients,
  input,
  values,
  onValues,
  onApply,
  onClose,
}: Props) {
  const usable = useMemo(() => usablePlaces(view), [view]);
  const { result, error } = useMemo(
    () => generated(view, clients, values, usable),
    [view, clients, values, usable],
  );
  const set = (patch: Partial<GenerateValues>): void => onValues({ ...values, ...patch });
  const apply = (): void => {
    if (result) {
      onApply(result.change);
      onClose();
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title="Generate a layout"
      size="xl"
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 0 }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          apply();
        }}
      >
        <Stack gap="sm">
          <GenerateFields
            view={view}
            usable={usable}
            clients={clients}
            values={values}
            onChange={set}
          />
          <Checkbox
            label="Match VMs by name"
            checked={values.names}
            onChange={(event) => set({ names: event.currentTarget.checked })}
          />
          {values.names && (
            <NamingFields
              input={{ ...input, tiles: Math.min(400, Math.max(1, values.tiles)) }}
              values={values}
              onChange={(naming) => set(naming)}
            />
          )}
          {result && result.notes.length > 0 && <NotHeld notes={result.notes} />}
          {error !== null && (
            <Text size="sm" c="var(--tb-bad)" role="alert">
              {error}
            </Text>
          )}
          {view.testbed.tiles.length > values.tiles && (
            <Text size="sm" role="status">
              {`${view.testbed.tiles.length - values.tiles} of the tiles that are there will be ` +
                'removed. Undo brings them back.'}
            </Text>
          )}
          <Group justify="flex-end" className={classes.dialogFoot}>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              disabled={!result}
            >{`Lay out ${values.tiles} ${values.tiles === 1 ? 'tile' : 'tiles'}`}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** What the policies ask for and the layout cannot hold. */
function NotHeld({ notes }: { notes: readonly string[] }) {
  return (
    <Alert color="yellow" title="Not everything can be held" p="xs">
      <ul style={{ margin: 0, paddingLeft: 18 }}>
        {notes.map((note) => (
          <li key={note}>
            <Text size="sm">{note}</Text>
          </li>
        ))}
      </ul>
    </Alert>
  );
}
