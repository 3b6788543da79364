import { notifications } from '@mantine/notifications';
import { useNavigate } from 'react-router';

import { rowsOfInventory } from '../../core/customerLab/fromInventory.ts';
import type { InventoryRows } from '../../core/customerLab/rows.ts';
import type { Inventory } from '../../core/testbed/inventory.ts';
import { useSimulated, useWorkspace } from './services.ts';
import { drafted, leaveDraftIn, useAppDispatch } from './store.ts';

/** Where an inventory waits for the form of a simulated lab, among the drafts. */
export const inventoryForm = 'customerLab.inventory';
export interface WaitingInventory {
  name: string;
  /** As a sentence of the lab's origin has it. */ origin: string;
  rows: InventoryRows;
}

const formRoute = '/lab/new';

/**
 * Hands the inventory of a vCenter to the form of a simulated lab and goes there, into the simulated
 * workspace where need be. Names of VMs stay behind: the form does not ask for them.
 */
export function useSimulateInventory(): (inventory: Inventory, name: string) => void {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const workspace = useWorkspace();
  const simulated = useSimulated();
  return (inventory, name) => {
    const rows = rowsOfInventory(inventory);
    const values: WaitingInventory = {
      name,
      origin: `the inventory of ${name}`,
      rows: { ...rows, vms: rows.vms.map((vm) => ({ ...vm, name: '' })) },
    };
    if (simulated) {
      dispatch(drafted({ form: inventoryForm, values }));
      void navigate(formRoute);
    } else if (leaveDraftIn('simulated', inventoryForm, values))
      workspace.open('simulated', formRoute);
    else
      notifications.show({
        color: 'red',
        title: 'The inventory is too large to be handed to the simulated lab.',
        message: 'Export it with RVTools, and choose the file there.',
      });
  };
}
