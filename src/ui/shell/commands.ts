import { useMantineColorScheme } from '@mantine/core';
import { modals } from '@mantine/modals';
import { notifications } from '@mantine/notifications';
import { spotlight } from '@mantine/spotlight';
import { useCallback } from 'react';
import { useLocation, useNavigate } from 'react-router';

import type { RunSummary } from '../../core/run/run.ts';
import { commandSpecs } from '../../wire/desktop.ts';
import { detachTarget } from '../addresses/detachTarget.ts';
import { presentTarget, replayTarget } from '../addresses/presentTarget.ts';
import { useActiveRun } from '../engine/activeRun.ts';
import { useRunListQuery } from '../engine/api.ts';
import { useLabClock } from '../engine/labClock.ts';
import { useWorkspace } from '../engine/services.ts';
import { railToggled, useAppDispatch } from '../engine/store.ts';
import { runPageCommand } from '../kit/pageCommands.ts';
import { useDetach } from '../kit/useDetach.tsx';
import { useOpenBundle } from '../pages/bundle/useOpenBundle.tsx';
import { useImportPlan } from '../pages/plans/importPlan.ts';
import { useToggleStudy } from '../pages/studies/useToggleStudy.ts';

const places: Readonly<Record<string, string>> = {
  'go.home': '/',
  'go.connections': '/connections',
  'go.testbeds': '/testbeds',
  'go.plans': '/plans',
  'go.runs': '/runs',
  'go.history': '/history',
  'go.compare': '/compare',
  'go.studies': '/studies',
  'go.lab': '/lab',
  'study.new': '/studies/new',
  'go.settings': '/settings',
  'go.profiles': '/profiles',
  'run.new': '/plans/new',
  'view.stories': '/present',
  'history.storage': '/history?storage=1',
};
/** A command of a screen that is not open leads there. */
const pages: Readonly<Record<string, string>> = { History: '/history', Compare: '/compare' };

const noRuns: readonly RunSummary[] = [];

/** Runs a command by its id, wherever it came from: menu, palette or shortcut. */
export function useRunCommand(): (id: string) => void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { data: runs = noRuns } = useRunListQuery({});
  const dispatch = useAppDispatch();
  const { toggleColorScheme } = useMantineColorScheme();
  const active = useActiveRun();
  const importPlan = useImportPlan();
  const openBundle = useOpenBundle();
  const workspace = useWorkspace();
  const lab = useLabClock();
  const toggleStudy = useToggleStudy();
  const detach = useDetach();
  return useCallback(
    (id) => {
      if (runPageCommand(id)) return;
      const place = places[id] ?? pages[commandSpecs.find((spec) => spec.id === id)?.on ?? ''];
      if (place !== undefined) {
        void navigate(place);
        return;
      }
      switch (id) {
        case 'board.find':
        case 'board.follow':
        case 'run.active':
          void navigate(active ? `/runs/${active.id}` : '/runs');
          return;
        case 'run.note':
          void navigate(active ? `/runs/${active.id}?note=1` : '/runs');
          return;
        case 'run.abort':
          void navigate(active ? `/runs/${active.id}?abort=1` : '/runs');
          return;
        case 'run.replay':
          void navigate(replayTarget(pathname, runs));
          return;
        case 'view.present':
          void navigate(presentTarget(pathname, active?.id ?? null));
          return;
        case 'view.detach': {
          const route = detachTarget(pathname, active?.id ?? null);
          if (route === null)
            notifications.show({ message: 'No run to detach: open one, or start one.' });
          else detach(route);
          return;
        }
        case 'study.toggle':
          toggleStudy();
          return;
        case 'lab.open':
          if (workspace.kind === 'simulated') void navigate('/lab');
          else workspace.open('simulated', '/lab');
          return;
        case 'lab.close':
          if (workspace.kind === 'real') void navigate('/');
          else workspace.open('real', '/');
          return;
        case 'lab.pause':
        case 'lab.slower':
        case 'lab.faster':
          if (workspace.kind === 'real') {
            notifications.show({
              message: 'Only the simulated lab has a clock of its own. The demo lab opens it.',
            });
            return;
          }
          if (id === 'lab.pause') lab.setPaused(lab.status?.paused === false);
          else lab.step(id === 'lab.faster' ? 1 : -1);
          return;
        case 'file.importPlan':
          void importPlan();
          return;
        case 'file.openBundle':
          void openBundle();
          return;
        case 'file.importResults':
          modals.openContextModal({
            modal: 'importFile',
            title: 'Import results of another tool',
            innerProps: {},
          });
          return;
        case 'view.palette':
          spotlight.open();
          return;
        case 'view.theme':
          toggleColorScheme();
          return;
        case 'view.rail':
          dispatch(railToggled());
          return;
        case 'help.shortcuts':
          modals.openContextModal({
            modal: 'shortcuts',
            title: 'Keyboard shortcuts',
            innerProps: {},
          });
          return;
      }
    },
    [
      navigate,
      pathname,
      runs,
      dispatch,
      toggleColorScheme,
      active,
      importPlan,
      openBundle,
      workspace,
      lab,
      toggleStudy,
      detach,
    ],
  );
}
