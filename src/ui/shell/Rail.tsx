import { Box, Group, NavLink, Text, Tooltip, UnstyledButton } from '@mantine/core';
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
  IconServer2,
  IconSettings,
} from '@tabler/icons-react';
import { NavLink as RouterLink } from 'react-router';

import classes from './shell.module.css';

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

export type RailEntry = (typeof rail)[number];

/** Profiles have no place of their own in the rail: they are reached from the settings. */
export const isInProfiles = (pathname: string): boolean => pathname.startsWith('/profiles');

/** The place of the rail that an address belongs to. */
export const railEntryOf = (pathname: string): RailEntry | undefined =>
  rail.find(({ path }) =>
    path === '/'
      ? pathname === '/'
      : pathname.startsWith(path) || (isInProfiles(pathname) && path === '/settings'),
  );

interface Props {
  collapsed: boolean;
  here: RailEntry | undefined;
  onToggle: () => void;
}

/** The way to every place, with names or without. */
export function Rail({ collapsed, here, onToggle }: Props) {
  return (
    <>
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
        onClick={onToggle}
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
    </>
  );
}
