import { AppShell } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useEffect } from 'react';
import { Outlet, useLocation } from 'react-router';

import { commandSpecs } from '../../wire/desktop.ts';
import { useActiveRun } from '../engine/activeRun.ts';
import { EngineRateContext } from '../engine/engineTime.ts';
import { rateOf, useLabClock } from '../engine/labClock.ts';
import { useDesktop, useWorkspace } from '../engine/services.ts';
import { opened, useAppDispatch, useAppSelector } from '../engine/store.ts';
import { ChartMarkContext, markOf } from '../kit/mark.ts';
import { BundleDrop } from '../pages/bundle/BundleDrop.tsx';
import { useRunCommand } from './commands.ts';
import { Palette } from './Palette.tsx';
import { placeOf, Rail, railOf } from './Rail.tsx';
import classes from './shell.module.css';
import { StatusBar } from './StatusBar.tsx';
import { TopBar } from './TopBar.tsx';

/** A page of one plan, testbed, run or study. */
const objectPage = /^\/(plans|testbeds|runs|studies)\/(?!new$)[^/]+$/;

/** The frame around every page: rail, top bar, status bar, palette and shortcuts. */
export function Shell() {
  const dispatch = useAppDispatch();
  const collapsed = useAppSelector((state) => state.preferences.railCollapsed);
  const runCommand = useRunCommand();
  const desktop = useDesktop();
  const active = useActiveRun();
  const workspace = useWorkspace();
  const simulated = workspace.kind === 'simulated';
  const clock = useLabClock();
  const { pathname } = useLocation();
  useEffect(() => desktop.onCommand(runCommand), [desktop, runCommand]);
  useEffect(() => {
    if (objectPage.test(pathname)) dispatch(opened(pathname));
  }, [dispatch, pathname]);
  useHotkeys(
    commandSpecs.flatMap(({ id, shortcut, on }) =>
      shortcut && on === undefined
        ? [[shortcut, () => runCommand(id)] as [string, () => void]]
        : [],
    ),
    [],
  );
  const width = collapsed ? 56 : 176;
  const place = placeOf(pathname, simulated);
  return (
    <EngineRateContext value={simulated ? rateOf(clock.status) : 1}>
      <ChartMarkContext value={simulated ? markOf('simulated') : null}>
        <AppShell
          header={{ height: 44 }}
          footer={{ height: 28 }}
          navbar={{ width, breakpoint: 0 }}
          padding="md"
          transitionDuration={0}
        >
          <a
            href="#main"
            className={classes.skip}
            onClick={(event) => {
              event.preventDefault();
              document.getElementById('main')?.focus();
            }}
          >
            Skip to content
          </a>
          <AppShell.Header className={classes.bar} data-simulated={simulated || undefined}>
            <TopBar place={place} active={active} onCommand={runCommand} />
          </AppShell.Header>
          <AppShell.Navbar aria-label="Main" p={4} className={classes.rail}>
            <Rail
              collapsed={collapsed}
              entries={railOf(simulated)}
              here={place.here}
              onToggle={() => runCommand('view.rail')}
            />
          </AppShell.Navbar>
          <AppShell.Main id="main" tabIndex={-1} className={classes.main}>
            <div className={classes.page}>
              <Outlet />
            </div>
          </AppShell.Main>
          <AppShell.Footer aria-label="Status">
            <StatusBar run={active} />
          </AppShell.Footer>
          {simulated && <div className={classes.frame} aria-hidden />}
          <Palette onCommand={runCommand} />
          <BundleDrop />
        </AppShell>
      </ChartMarkContext>
    </EngineRateContext>
  );
}
