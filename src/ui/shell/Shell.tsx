import {
  Anchor,
  AppShell,
  Badge,
  Box,
  Button,
  Group,
  NavLink,
  Text,
  Tooltip,
  UnstyledButton,
} from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import {
  IconArrowsDiff,
  IconChartDots,
  IconChevronsLeft,
  IconChevronsRight,
  IconClipboardList,
  IconFlask,
  IconHistory,
  IconHome,
  IconPlayerPlay,
  IconPlugConnected,
  IconSearch,
  IconServer2,
  IconSettings,
} from '@tabler/icons-react';
import { useEffect } from 'react';
import { Link, NavLink as RouterLink, Outlet, useLocation } from 'react-router';

import { commandSpecs } from '../../wire/desktop.ts';
import { useActiveRun } from '../engine/activeRun.ts';
import { EngineRateContext } from '../engine/engineTime.ts';
import { rateOf, useLabClock } from '../engine/labClock.ts';
import { useDesktop, useWorkspace } from '../engine/services.ts';
import { useAppSelector } from '../engine/store.ts';
import { ChartMarkContext, markOf } from '../kit/mark.ts';
import { ReplayMark } from '../kit/ReplayMark.tsx';
import { SimulatedMark } from '../kit/SimulatedMark.tsx';
import { BundleDrop } from '../pages/bundle/BundleDrop.tsx';
import { ActiveRunPill } from './ActiveRunPill.tsx';
import { useRunCommand } from './commands.ts';
import { OtherVersion } from './OtherVersion.tsx';
import { Palette } from './Palette.tsx';
import classes from './shell.module.css';
import { StatusBar } from './StatusBar.tsx';

const rail = [
  { path: '/', name: 'Home', icon: IconHome, end: true },
  { path: '/connections', name: 'Connections', icon: IconPlugConnected },
  { path: '/testbeds', name: 'Testbeds', icon: IconServer2 },
  { path: '/plans', name: 'Plans', icon: IconClipboardList },
  { path: '/runs', name: 'Runs', icon: IconPlayerPlay },
  { path: '/studies', name: 'Studies', icon: IconChartDots },
  { path: '/history', name: 'History', icon: IconHistory },
  { path: '/compare', name: 'Compare', icon: IconArrowsDiff },
  { path: '/lab', name: 'Lab (simulated)', icon: IconFlask },
  { path: '/settings', name: 'Settings', icon: IconSettings },
] as const;

/** The frame around every page: rail, top bar, status bar, palette and shortcuts. */
export function Shell() {
  const collapsed = useAppSelector((state) => state.preferences.railCollapsed);
  const link = useAppSelector((state) => state.link.state);
  const runCommand = useRunCommand();
  const desktop = useDesktop();
  const active = useActiveRun();
  const workspace = useWorkspace();
  const simulated = workspace.kind === 'simulated';
  const clock = useLabClock();
  const { pathname } = useLocation();
  useEffect(() => desktop.onCommand(runCommand), [desktop, runCommand]);
  useHotkeys(
    commandSpecs.flatMap(({ id, shortcut, on }) =>
      shortcut && on === undefined
        ? [[shortcut, () => runCommand(id)] as [string, () => void]]
        : [],
    ),
    [],
  );
  const width = collapsed ? 56 : 176;
  // Profiles have no place of their own in the rail: they are reached from the settings.
  const inProfiles = pathname.startsWith('/profiles');
  const here = rail.find((entry) =>
    entry.path === '/'
      ? pathname === '/'
      : pathname.startsWith(entry.path) || (inProfiles && entry.path === '/settings'),
  );
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
            <Group h="100%" px="sm" justify="space-between" wrap="nowrap">
              <Group gap={8} wrap="nowrap" className={classes.place}>
                <Text fw={700} className={classes.product}>
                  Tilebench
                </Text>
                <Text c="dimmed" aria-hidden className={classes.product}>
                  /
                </Text>
                {here && (
                  <Anchor component={Link} to={here.path} size="sm">
                    {here.name}
                  </Anchor>
                )}
                {inProfiles && (
                  <>
                    <Text c="dimmed" aria-hidden>
                      /
                    </Text>
                    <Anchor component={Link} to="/profiles" size="sm">
                      Profiles
                    </Anchor>
                  </>
                )}
                <SimulatedMark />
                <ReplayMark />
              </Group>
              <Group gap="sm" wrap="nowrap" className={classes.acts}>
                {link === 'closed' && (
                  <Badge color="red" variant="filled" tt="none" role="status">
                    Engine not connected, trying again
                  </Badge>
                )}
                {link === 'otherVersion' && <OtherVersion />}
                {active && <ActiveRunPill run={active} />}
                {simulated && (
                  <Button variant="default" size="xs" onClick={() => runCommand('lab.close')}>
                    Back to the real lab
                  </Button>
                )}
                <Button
                  variant="default"
                  size="xs"
                  leftSection={<IconSearch size={14} aria-hidden />}
                  onClick={() => runCommand('view.palette')}
                >
                  Commands
                </Button>
              </Group>
            </Group>
          </AppShell.Header>
          <AppShell.Navbar p={4} className={classes.rail}>
            <Box component="nav" aria-label="Main" style={{ flex: 1 }}>
              {rail.map(({ path, name, icon: Icon, ...rest }) => {
                const link = (
                  <NavLink
                    component={RouterLink}
                    to={path}
                    end={'end' in rest}
                    key={path}
                    active={here?.path === path}
                    label={collapsed ? undefined : name}
                    aria-label={name}
                    leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
                    className={classes.link}
                  />
                );
                return collapsed ? (
                  <Tooltip key={path} label={name} position="right">
                    {link}
                  </Tooltip>
                ) : (
                  link
                );
              })}
            </Box>
            <UnstyledButton
              p={8}
              onClick={() => runCommand('view.rail')}
              aria-label={collapsed ? 'Expand the rail' : 'Collapse the rail'}
            >
              <Group gap={8}>
                {collapsed ? (
                  <IconChevronsRight size={16} aria-hidden />
                ) : (
                  <IconChevronsLeft size={16} aria-hidden />
                )}
                {!collapsed && (
                  <Text size="xs" c="dimmed">
                    Collapse
                  </Text>
                )}
              </Group>
            </UnstyledButton>
          </AppShell.Navbar>
          <AppShell.Main id="main" tabIndex={-1} className={classes.main}>
            <div className={classes.page}>
              <Outlet />
            </div>
          </AppShell.Main>
          <AppShell.Footer aria-label="Status">
            <StatusBar run={active} />
          </AppShell.Footer>
          <Palette onCommand={runCommand} />
          <BundleDrop />
        </AppShell>
      </ChartMarkContext>
    </EngineRateContext>
  );
}
