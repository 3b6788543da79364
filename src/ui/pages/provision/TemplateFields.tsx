import { Select, SimpleGrid, Stack, Text } from '@mantine/core';

import type { Profile } from '../../../core/profile/profile.ts';
import type { Inventory } from '../../../core/testbed/inventory.ts';
import { layoutOf } from '../../../core/testbed/provision.ts';
import type { Testbed } from '../../../core/testbed/testbed.ts';
import { dim } from '../../kit/tones.ts';

interface Props {
  testbed: Testbed;
  profile: Pick<Profile, 'workloads'>;
  inventory: Inventory | null;
  onChange: (testbed: Testbed) => void;
}

/**
 * The template each workload's missing VMs are cloned from. Templates come first; any VM may serve.
 */
export function TemplateFields({ testbed, profile, inventory, onChange }: Props) {
  const layout = layoutOf(testbed);
  const option = (vm: { ref: string; name: string }): { value: string; label: string } => ({
    value: vm.ref,
    label: vm.name,
  });
  const vms = inventory?.vms ?? [];
  const data = [
    { group: 'Templates', items: vms.filter((vm) => vm.template).map(option) },
    { group: 'VMs', items: vms.filter((vm) => !vm.template).map(option) },
  ].filter(({ items }) => items.length > 0);
  const choose = (workloadId: string, ref: string | null): void => {
    const { [workloadId]: _old, ...others } = layout.templates;
    const vm = vms.find((one) => one.ref === ref);
    onChange({
      ...testbed,
      layout: {
        ...layout,
        templates: vm ? { ...others, [workloadId]: { ref: vm.ref, name: vm.name } } : others,
      },
    });
  };
  return (
    <Stack gap={6} component="section" aria-label="Templates">
      <Text size="sm" c={dim}>
        VMs that are missing are cloned from these.
      </Text>
      <SimpleGrid cols={{ base: 2, md: 3, lg: 4 }} spacing="sm">
        {profile.workloads.map(({ id, name }) => {
          const chosen = layout.templates[id];
          const gone =
            chosen !== undefined && inventory !== null && !vms.some((vm) => vm.ref === chosen.ref);
          return (
            <Select
              key={id}
              size="xs"
              label={name}
              placeholder={data.length === 0 ? 'No inventory yet' : 'None'}
              searchable
              clearable
              limit={200}
              data={
                gone || (chosen && data.length === 0)
                  ? [...data, { group: 'Not in vCenter', items: [option(chosen)] }]
                  : data
              }
              value={chosen?.ref ?? null}
              error={gone ? `${chosen.name} is not in vCenter` : undefined}
              onChange={(ref) => choose(id, ref)}
            />
          );
        })}
      </SimpleGrid>
    </Stack>
  );
}
