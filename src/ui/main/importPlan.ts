import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';
import { useNavigate } from 'react-router';

import { toAppError } from '../../shared/errors.ts';
import { parsePlanFile } from '../../shared/planFile.ts';
import { useDesktop } from '../runs/services.ts';
import { usePlanImportMutation } from './api.ts';

/** Asks for a plan file, checks it with line and column, and takes its connections, testbed and plan in. */
export function useImportPlan(): () => Promise<void> {
  const desktop = useDesktop();
  const navigate = useNavigate();
  const [importPlan] = usePlanImportMutation();
  return useCallback(async () => {
    const file = await desktop.openFile(['json', 'jsonc']);
    if (!file) return;
    try {
      const plan = await importPlan(parsePlanFile(file.name, file.text)).unwrap();
      notifications.show({
        color: 'green',
        message: `Plan ${plan.name} imported with its testbed and connections.`,
      });
      void navigate(`/plans/${plan.id}`);
    } catch (thrown) {
      // What the engine refused was told by the store; only the file's own mistakes are left to tell.
      const error = toAppError(thrown);
      if (thrown instanceof Error)
        notifications.show({
          color: 'red',
          title: error.message,
          message: error.hint ?? '',
          autoClose: 12_000,
        });
    }
  }, [desktop, navigate, importPlan]);
}
