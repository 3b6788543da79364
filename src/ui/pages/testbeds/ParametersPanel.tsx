import { Button, Drawer, Group, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';

import { byNaturalOrder } from '../../../core/base/naturalOrder.ts';
import type { DriverParams, Profile } from '../../../core/profile/profile.ts';
import type { Inventory } from '../../../core/testbed/inventory.ts';
import type { Assignment, Testbed } from '../../../core/testbed/testbed.ts';
import type { DriverInfo } from '../../../wire/contract/plans.ts';
import { checkAddress, type OpenParameters } from '../../addresses/parameterAddress.ts';
import { useDriverListQuery } from '../../engine/api.ts';
import { DialogFoot } from '../../kit/DialogFoot.tsx';
import { dim } from '../../kit/tones.ts';
import { withAssignment, withParams } from './layout.ts';
import { ParamFields } from './ParamFields.tsx';
import type { TestbedDraft } from './useTestbedDraft.ts';

type Scope = 'tile' | 'all';
interface Props {
  place: OpenParameters;
  draft: TestbedDraft;
  profile: Profile;
  inventory: Inventory | null;
  /** Why the testbed cannot be saved yet; null = it can. */
  incomplete: string | null;
  onClose: () => void;
}

/**
 * One workload of one tile beside the page: its VM, and what its driver is told beyond the profile,
 * here or in all tiles. Nothing is changed before Apply.
 */
export function ParametersPanel(props: Props) {
  const { place, draft, profile, onClose } = props;
  const { testbed } = draft.edits;
  const { data: drivers } = useDriverListQuery({});
  const workload = profile.workloads.find(({ id }) => id === place.workloadId);
  const assignment = testbed.tiles
    .find(({ index }) => index === place.tile)
    ?.workloads.find(({ workloadId }) => workloadId === place.workloadId);
  // The field that has the focus at first must be there when the panel opens.
  if (!drivers) return null;
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={480}
      title={
        workload && assignment
          ? `Parameters of tile ${place.tile + 1} ${workload.name}`
          : 'Parameters'
      }
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {workload && assignment ? (
        <PanelForm
          {...props}
          workload={workload}
          assignment={assignment}
          driver={drivers.find(({ id }) => id === workload.driver)}
        />
      ) : (
        <Text size="sm">The testbed has no such workload any more.</Text>
      )}
    </Drawer>
  );
}

interface FormProps extends Props {
  workload: Profile['workloads'][number];
  assignment: Assignment;
  driver: DriverInfo | undefined;
}

function PanelForm(props: FormProps) {
  const { place, draft, inventory, incomplete, workload, assignment, driver, onClose } = props;
  const { edits } = draft;
  const navigate = useNavigate();
  const [params, setParams] = useState<DriverParams>(assignment.params);
  const [vm, setVm] = useState(assignment.vm);
  const [scope, setScope] = useState<Scope>('tile');
  const changed = (): Testbed =>
    withParams(
      withAssignment(edits.testbed, place.tile, workload.id, { vm }),
      workload.id,
      scope === 'all' ? edits.testbed.tiles.map(({ index }) => index) : [place.tile],
      { before: assignment.params, after: params },
    );
  const apply = (): Testbed => {
    const testbed = changed();
    edits.apply({
      label: `Set parameters of ${scope === 'all' ? `all ${workload.name}` : `tile ${place.tile + 1} ${workload.name}`}`,
      testbed,
    });
    return testbed;
  };
  const saveAndCheck = async (planId: string): Promise<void> => {
    if (await draft.save(apply())) void navigate(checkAddress(planId));
  };
  const { planId } = place;
  return (
    <Stack
      component="form"
      gap="sm"
      onSubmit={(event) => {
        event.preventDefault();
        if (planId !== null && incomplete === null) void saveAndCheck(planId);
        else {
          apply();
          onClose();
        }
      }}
    >
      <Text size="sm" c={dim}>
        {`${driver?.title ?? workload.driver}. An empty field takes the value of the profile.`}
      </Text>
      <ScopeChoice workload={workload.name} scope={scope} onScope={setScope} />
      {scope === 'tile' && (
        <VmField
          inventory={inventory}
          vm={vm}
          focused={planId !== null && place.parameter === null}
          onVm={setVm}
        />
      )}
      <ParamFields
        driver={driver}
        profileParams={workload.params}
        params={params}
        focused={place.parameter}
        onChange={setParams}
      />
      {planId !== null && incomplete !== null && (
        <Text size="sm" role="status">{`The testbed cannot be saved yet: ${incomplete}`}</Text>
      )}
      <DialogFoot apart>
        <Button
          variant="subtle"
          disabled={Object.keys(params).length === 0}
          title={
            Object.keys(params).length === 0
              ? 'Nothing differs from the profile'
              : 'Takes every value of the profile'
          }
          onClick={() => setParams({})}
        >
          Reset to profile
        </Button>
        <Group gap={8}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={draft.saving}>
            {planId !== null && incomplete === null ? 'Save and check again' : 'Apply'}
          </Button>
        </Group>
      </DialogFoot>
    </Stack>
  );
}

function ScopeChoice({
  workload,
  scope,
  onScope,
}: {
  workload: string;
  scope: Scope;
  onScope: (scope: Scope) => void;
}) {
  return (
    <Stack gap={4}>
      <SegmentedControl
        fullWidth
        aria-label="Applies to"
        value={scope}
        onChange={onScope}
        data={[
          { value: 'tile', label: 'This tile' },
          { value: 'all', label: `All ${workload}` },
        ]}
      />
      {scope === 'all' && (
        <Text size="xs" c={dim}>
          {'Every tile takes what you change here and keeps the rest. {tile} stands for its ' +
            'number: db{tile} is db1, db2 …'}
        </Text>
      )}
    </Stack>
  );
}

function VmField({
  inventory,
  vm,
  focused,
  onVm,
}: {
  inventory: Inventory | null;
  vm: Assignment['vm'];
  focused: boolean;
  onVm: (vm: Assignment['vm']) => void;
}) {
  const known = (inventory?.vms ?? [])
    .filter(({ template }) => !template)
    .map(({ ref, name }) => ({ value: ref, label: name }))
    .sort((a, b) => byNaturalOrder(a.label, b.label));
  const lost = vm !== null && !known.some(({ value }) => value === vm.ref);
  return (
    <Select
      label="VM"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Clear VM' }}
      limit={100}
      placeholder="No VM"
      nothingFoundMessage="No VM has this name"
      data-autofocus={focused || undefined}
      data={
        lost ? [...known, { value: vm.ref, label: `${vm.name} (not in the inventory)` }] : known
      }
      value={vm?.ref ?? null}
      onChange={(ref, option) =>
        onVm(ref === null ? null : ref === vm?.ref ? vm : { ref, name: option?.label ?? ref })
      }
    />
  );
}
