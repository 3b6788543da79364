import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconPlayerPlay } from '@tabler/icons-react';

interface Props {
  /** A check of exactly this plan has passed: nothing is left but the launch. */
  ready: boolean;
  busy: boolean;
  onLaunch: () => void;
  onCheck: () => void;
  onSmoke: () => void;
}

/** The one thing a plan is for, and beside it the two lesser ways to begin. */
export function LaunchButton({ ready, busy, onLaunch, onCheck, onSmoke }: Props) {
  return (
    <Button.Group>
      <Button
        loading={busy}
        leftSection={<IconPlayerPlay size={14} aria-hidden />}
        title={
          ready
            ? 'Starts the run that was checked'
            : 'Checks everything; starts when nothing blocks'
        }
        onClick={onLaunch}
      >
        {ready ? 'Launch' : 'Check and launch'}
      </Button>
      <Menu position="bottom-end" withinPortal transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <Button
            px={8}
            aria-label="More ways to begin"
            title={busy ? 'A check or a start is under way' : 'More ways to begin'}
            disabled={busy}
            style={{ borderInlineStart: '1px solid var(--tb-surface)' }}
          >
            <IconChevronDown size={14} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={onCheck}>{ready ? 'Check again' : 'Check only'}</Menu.Item>
          <Menu.Item
            onClick={onSmoke}
            title="Checks and runs the first tile for a minute and a half"
          >
            Smoke run
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  );
}
