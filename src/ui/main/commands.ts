import { useMantineColorScheme } from '@mantine/core';
import { modals } from '@mantine/modals';
import { spotlight } from '@mantine/spotlight';
import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { useActiveRun } from './activeRun.ts';
import { useImportPlan } from './importPlan.ts';
import { railToggled, useAppDispatch } from './store.ts';

const places: Readonly<Record<string, string>> = {
  'go.home': '/', 'go.connections': '/connections', 'go.testbeds': '/testbeds', 'go.plans': '/plans', 'go.runs': '/runs', 'go.history': '/history', 'go.compare': '/compare', 'go.settings': '/settings', 'run.new': '/plans/new',
};

/** Runs a command by its id, wherever it came from: menu, palette or shortcut. */
export function useRunCommand(): (id: string) => void {
  const navigate = useNavigate();
  const dispatch = useAppDispatch();
  const { toggleColorScheme } = useMantineColorScheme();
  const active = useActiveRun();
  const importPlan = useImportPlan();
  return useCallback((id) => {
    const place = places[id];
    if (place !== undefined) { void navigate(place); return; }
    switch (id) {
      case 'run.active': void navigate(active ? `/runs/${active.id}` : '/runs'); return;
      case 'run.note': void navigate(active ? `/runs/${active.id}?note=1` : '/runs'); return;
      case 'run.abort': void navigate(active ? `/runs/${active.id}?abort=1` : '/runs'); return;
      case 'file.importPlan': void importPlan(); return;
      case 'view.palette': spotlight.open(); return;
      case 'view.theme': toggleColorScheme(); return;
      case 'view.rail': dispatch(railToggled()); return;
      case 'help.shortcuts': modals.openContextModal({ modal: 'shortcuts', title: 'Keyboard shortcuts', innerProps: {} }); return;
    }
  }, [navigate, dispatch, toggleColorScheme, active, importPlan]);
}
