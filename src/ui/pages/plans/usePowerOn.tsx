import { Button, Group, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';

import { counted } from '../../../core/base/counted.ts';
import type { NamedRef } from '../../../core/testbed/testbed.ts';
import { useSendCommand } from '../../engine/sendCommand.ts';

/** How long a power-on can be taken back, in ms. */
const undoMs = 15_000;

/**
 * Powers VMs of a testbed on, after one question because it changes the lab; can be taken back.
 * `onDone` is called when vCenter has done either.
 */
export function usePowerOn(
  testbedId: string,
  onDone: () => void,
): { ask: (vms: readonly NamedRef[]) => void; busy: boolean } {
  const send = useSendCommand();
  const [busy, setBusy] = useState(false);
  const power = async (vms: readonly NamedRef[], on: boolean): Promise<void> => {
    setBusy(true);
    try {
      await send('testbed.power', { id: testbedId, vmRefs: vms.map(({ ref }) => ref), on });
    } catch {
      // The refusal is told as a notice; the VMs are as they were.
      return;
    } finally {
      setBusy(false);
    }
    if (on) tellPoweredOn(vms, () => void power(vms, false));
    onDone();
  };
  return { ask: (vms) => askPowerOn(vms, () => void power(vms, true)), busy };
}

/** One VM by its name, several by their number. */
const called = (vms: readonly NamedRef[]): string =>
  vms.length === 1 ? vms[0]!.name : counted(vms.length, 'VM');

function askPowerOn(vms: readonly NamedRef[], onConfirm: () => void): void {
  modals.openConfirmModal({
    title: `Power on ${called(vms)}`,
    labels: { confirm: 'Power on', cancel: 'Cancel' },
    closeButtonProps: { 'aria-label': 'Close' },
    children: (
      <Text size="sm">
        {`vCenter starts ${vms.length === 1 ? 'the VM' : vms.map(({ name }) => name).join(', ')}. ` +
          'Then the plan is checked again.'}
      </Text>
    ),
    onConfirm,
  });
}

function tellPoweredOn(vms: readonly NamedRef[], onUndo: () => void): void {
  const id = `power ${vms.map(({ ref }) => ref).join()}`;
  notifications.show({
    id,
    message: (
      <Group justify="space-between">
        <Text size="sm">{`${called(vms)} powered on.`}</Text>
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => {
            notifications.hide(id);
            onUndo();
          }}
        >
          Power off again
        </Button>
      </Group>
    ),
    autoClose: undoMs,
  });
}
