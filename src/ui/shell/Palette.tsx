import { Kbd } from '@mantine/core';
import { Spotlight } from '@mantine/spotlight';
import { useNavigate } from 'react-router';

import { commandSpecs } from '../../wire/desktop.ts';
import { usePlanListQuery, useRunListQuery, useTestbedListQuery } from '../engine/api.ts';
import { shortcutKeys } from '../kit/shortcutKeys.ts';

/** Every command, and every testbed, plan and run by name. */
export function Palette({ onCommand }: { onCommand: (id: string) => void }) {
  const navigate = useNavigate();
  const { data: testbeds = [] } = useTestbedListQuery({});
  const { data: plans = [] } = usePlanListQuery({});
  const { data: runs = [] } = useRunListQuery({});
  const go = (id: string, label: string, description: string, path: string) => ({
    id,
    label,
    description,
    onClick: () => void navigate(path),
  });
  return (
    <Spotlight
      shortcut={null}
      maxHeight={420}
      scrollable
      nothingFound="No command, testbed, plan or run has this name"
      // Open and focused before the next key: an animation or a later focus loses the first letters
      // of a quick typist.
      transitionProps={{ duration: 0 }}
      searchProps={{
        placeholder: 'Command, testbed, plan or run',
        'aria-label': 'Command palette',
        autoFocus: true,
      }}
      limit={60}
      actions={[
        {
          group: 'Commands',
          actions: commandSpecs
            .filter((c) => c.id !== 'view.palette')
            .map((c) => ({
              id: c.id,
              label: c.title,
              description: c.group,
              onClick: () => onCommand(c.id),
              ...(c.shortcut
                ? {
                    rightSection: (
                      <span>
                        {shortcutKeys(c.shortcut).map((key) => (
                          <Kbd key={key} mr={2}>
                            {key}
                          </Kbd>
                        ))}
                      </span>
                    ),
                  }
                : {}),
            })),
        },
        {
          group: 'Plans',
          actions: plans.map((p) => go(`plan ${p.id}`, p.name, 'Plan', `/plans/${p.id}`)),
        },
        {
          group: 'Testbeds',
          actions: testbeds.map((t) =>
            go(`testbed ${t.id}`, t.name, 'Testbed', `/testbeds/${t.id}`),
          ),
        },
        {
          group: 'Runs',
          actions: runs
            .slice(0, 200)
            .map((r) => go(`run ${r.id}`, r.name, `Run, ${r.profileName}`, `/runs/${r.id}`)),
        },
      ]}
    />
  );
}
