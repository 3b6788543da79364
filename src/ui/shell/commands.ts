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
import { useFindPracticeLab } from '../pages/plans/usePracticeLab.ts';
import { useToggleStudy } from '../pages/studies/useToggleStudy.ts';

const places: Readonly<Record<string, string>> = {
  'go.home': '/',
  'go.connections': '/connections',
  'go.testbeds': '/testbeds',
  'go.plans': '/plans',
  'go.runs': '/runs',
  'go.compare': '/compare',
  'go.studies': '/studies',
  'go.lab': '/lab',
  'study.new': '/studies/new',
  'go.settings': '/settings',
  'go.profiles': '/profiles',
  'run.new': '/plans/new',
  'testbed.new': '/testbeds/new',
  'connection.vcenter': '/connections?add=vcenter',
  'connection.client': '/connections?add=client',
  'connection.power': '/connections?add=power',
  'view.stories': '/present',
  'history.storage': '/runs?storage=1',
};
/** A command of a screen that is not open leads there. */
const pages: Readonly<Record<string, string>> = { Runs: '/runs', Compare: '/compare' };

const noRuns: readonly RunSummary[] = [];

interface CommandContext {
  go: (address: string) => void;
  pathname: string;
  runs: readonly RunSummary[];
  /** The run that goes on; null = none. */
  activeId: string | null;
  workspace: ReturnType<typeof useWorkspace>;
  lab: ReturnType<typeof useLabClock>;
  detach: (route: string) => void;
  importPlan: () => Promise<void>;
  openBundle: () => Promise<void>;
  findPracticeLab: () => Promise<void>;
  toggleStudy: () => void;
  toggleColorScheme: () => void;
  toggleRail: () => void;
}

const goToRun =
  (query = '') =>
  ({ go, activeId }: CommandContext): void =>
    go(activeId === null ? '/runs' : `/runs/${activeId}${query}`);

const withLabClock =
  (change: (lab: CommandContext['lab']) => void) =>
  ({ workspace, lab }: CommandContext): void => {
    if (workspace.kind === 'simulated') change(lab);
    else
      notifications.show({
        message: 'Only the simulated lab has a clock of its own. The demo lab opens it.',
      });
  };

const openModal = (modal: 'importFile' | 'shortcuts', title: string) => (): void => {
  modals.openContextModal({ modal, title, innerProps: {} });
};

/** The Lab: what is connected, or the simulated one. */
const labPlace = (workspace: CommandContext['workspace']): string =>
  workspace.kind === 'simulated' ? '/lab' : '/connections';

/** What commands do that do more than go to an address. */
const commands: Readonly<Record<string, (context: CommandContext) => void>> = {
  'go.labPlace': ({ go, workspace }) => go(labPlace(workspace)),
  'board.find': goToRun(),
  'board.follow': goToRun(),
  'run.active': goToRun(),
  'run.note': goToRun('?note=1'),
  'run.abort': goToRun('?abort=1'),
  'run.replay': ({ go, pathname, runs }) => go(replayTarget(pathname, runs)),
  'view.present': ({ go, pathname, activeId }) => go(presentTarget(pathname, activeId)),
  'view.detach': ({ pathname, activeId, detach }) => {
    const route = detachTarget(pathname, activeId);
    if (route === null)
      notifications.show({ message: 'No run to detach: open one, or start one.' });
    else detach(route);
  },
  'study.toggle': ({ toggleStudy }) => toggleStudy(),
  'lab.open': ({ go, workspace }) =>
    workspace.kind === 'simulated' ? go('/lab') : workspace.open('simulated', '/lab'),
  'lab.practice': ({ workspace, findPracticeLab }) =>
    workspace.kind === 'real' ? void findPracticeLab() : workspace.open('real', '/'),
  'lab.fault': ({ go, workspace }) =>
    workspace.kind === 'simulated'
      ? go('/lab?tab=faults')
      : workspace.open('simulated', '/lab?tab=faults'),
  'lab.close': ({ go, workspace }) =>
    workspace.kind === 'real' ? go('/') : workspace.open('real', '/'),
  'lab.pause': withLabClock((lab) => lab.setPaused(lab.status?.paused === false)),
  'lab.slower': withLabClock((lab) => lab.step(-1)),
  'lab.faster': withLabClock((lab) => lab.step(1)),
  'file.importPlan': ({ importPlan }) => void importPlan(),
  'file.openBundle': ({ openBundle }) => void openBundle(),
  'file.importResults': openModal('importFile', 'Import results of another tool'),
  'view.palette': () => spotlight.open(),
  'view.theme': ({ toggleColorScheme }) => toggleColorScheme(),
  'view.rail': ({ toggleRail }) => toggleRail(),
  'help.shortcuts': openModal('shortcuts', 'Keyboard shortcuts'),
};

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
  const findPracticeLab = useFindPracticeLab();
  const workspace = useWorkspace();
  const lab = useLabClock();
  const toggleStudy = useToggleStudy();
  const detach = useDetach();
  return useCallback(
    (id) => {
      if (runPageCommand(id)) return;
      const go = (address: string): void => void navigate(address);
      const place = places[id] ?? pages[commandSpecs.find((spec) => spec.id === id)?.on ?? ''];
      if (place !== undefined) go(place);
      else
        commands[id]?.({
          go,
          pathname,
          runs,
          activeId: active?.id ?? null,
          workspace,
          lab,
          detach,
          importPlan,
          openBundle,
          findPracticeLab,
          toggleStudy,
          toggleColorScheme,
          toggleRail: () => dispatch(railToggled()),
        });
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
      findPracticeLab,
      workspace,
      lab,
      toggleStudy,
      detach,
    ],
  );
}
