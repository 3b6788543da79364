import { ActionIcon, Menu } from '@mantine/core';
import { IconChartDots, IconDots, IconFileDownload, IconServer2 } from '@tabler/icons-react';
import { Link } from 'react-router';

import type { Plan } from '../../../core/plan/plan.ts';
import type { Testbed } from '../../../core/testbed/testbed.ts';
import { useSavePlanFile } from './useSavePlanFile.ts';

/** What is not done each time with a plan. */
export function PlanMenu({ plan, testbed }: { plan: Plan; testbed: Testbed | undefined }) {
  const saveFile = useSavePlanFile();
  return (
    <Menu position="bottom-end" withinPortal transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label="More actions" title="More actions">
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component={Link}
          to={`/studies/new?plan=${plan.id}`}
          leftSection={<IconChartDots size={14} aria-hidden />}
        >
          New study of this plan
        </Menu.Item>
        {testbed && (
          <>
            <Menu.Item
              component={Link}
              to={`/testbeds/${testbed.id}`}
              leftSection={<IconServer2 size={14} aria-hidden />}
            >
              Open its testbed
            </Menu.Item>
            <Menu.Item
              leftSection={<IconFileDownload size={14} aria-hidden />}
              onClick={() => void saveFile(plan, testbed)}
            >
              Save as plan file
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
