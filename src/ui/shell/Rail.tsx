import { Box, Group, NavLink, Text, Tooltip, UnstyledButton } from '@mantine/core';
import {
  IconArrowsDiff,
  IconChartDots,
  IconChevronsLeft,
  IconChevronsRight,
  IconClipboardList,
  IconHome,
  IconPlayerPlay,
  IconServer2,
  IconSettings,
} from '@tabler/icons-react';
import { NavLink as RouterLink } from 'react-router';

import { labParts } from './labParts.ts';
import classes from './shell.module.css';

interface RailEntry {
  path: string;
  name: string;
  icon: typeof IconHome;
  /** Beginnings of the addresses that belong to it. */
  holds: readonly string[];
}

const rail: readonly RailEntry[] = [
  { path: '/', name: 'Home', icon: IconHome, holds: [] },
  {
    path: '/connections',
    name: 'Lab',
    icon: IconServer2,
    holds: labParts.map(({ path }) => path),
  },
  { path: '/plans', name: 'Plans', icon: IconClipboardList, holds: ['/plans'] },
  { path: '/runs', name: 'Runs', icon: IconPlayerPlay, holds: ['/runs'] },
  { path: '/studies', name: 'Studies', icon: IconChartDots, holds: ['/studies'] },
  { path: '/compare', name: 'Compare', icon: IconArrowsDiff, holds: ['/compare'] },
  { path: '/settings', name: 'Settings', icon: IconSettings, holds: ['/settings', '/profiles'] },
];

/** What stands in the rail in a workspace: the lab of the simulated one is its gallery. */
export const railOf = (simulated: boolean): readonly RailEntry[] =>
  rail.map((entry) => (simulated && entry.name === 'Lab' ? { ...entry, path: '/lab' } : entry));

interface PlaceList {
  path: string;
  name: string;
  /** A tab above the page says where one is. */ hasTab: boolean;
}
export interface Place {
  here: RailEntry | undefined;
  /** Within it, where it holds several. */
  list: PlaceList | null;
}
/** The place of the rail that an address belongs to, and the list within it. */
export function placeOf(pathname: string, simulated: boolean): Place {
  const begins = (path: string): boolean => pathname === path || pathname.startsWith(`${path}/`);
  const here = railOf(simulated).find(({ path, holds }) =>
    path === '/' ? pathname === '/' : holds.some(begins),
  );
  return { here, list: lists.find(({ path }) => begins(path)) ?? null };
}

/** Lists that have no place of their own in the rail. */
const lists: readonly PlaceList[] = [
  ...labParts.map((part) => ({ ...part, hasTab: true })),
  { path: '/profiles', name: 'Profiles', hasTab: false },
];

interface Props {
  collapsed: boolean;
  entries: readonly RailEntry[];
  here: RailEntry | undefined;
  onToggle: () => void;
}

/** The way to every place, with names or without. */
export function Rail({ collapsed, entries, here, onToggle }: Props) {
  return (
    <>
      <Box style={{ flex: 1 }}>
        {entries.map(({ path, name, icon: Icon }) => {
          const link = (
            <NavLink
              component={RouterLink}
              to={path}
              end={path === '/'}
              key={path}
              active={here?.name === name}
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
