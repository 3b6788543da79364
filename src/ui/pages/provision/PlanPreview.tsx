import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';

import { counted } from '../../../core/base/counted.ts';
import type {
  ProvisionOptions,
  ProvisionPlan,
  ProvisionPlanItem,
} from '../../../core/testbed/provision.ts';
import { DurationField } from '../../kit/DurationField.tsx';
import { NumberField } from '../../kit/NumberField.tsx';
import { raw } from '../../kit/raw.ts';
import { Table } from '../../kit/Table.tsx';
import { bad, dim, good } from '../../kit/tones.ts';
import { useFirst } from '../../kit/useFirst.tsx';
import { gib, gibOf, placeText, planSentence } from './words.ts';

interface Props {
  plan: ProvisionPlan;
  options: ProvisionOptions;
  onOptions: (options: ProvisionOptions) => void;
  onStart: () => void;
  onRefresh: () => void;
  starting: boolean;
  refreshing: boolean;
  /** Why nothing can be started now; null = it can. */ hindrance: string | null;
}
const shownAtFirst = 120;
const nowrap = { whiteSpace: 'nowrap' } as const;

/**
 * What would be made, where, and whether it fits; what cannot be made comes first, with its reason
 * and remedy.
 */
export function PlanPreview({
  plan,
  options,
  onOptions,
  onStart,
  onRefresh,
  starting,
  refreshing,
  hindrance,
}: Props) {
  const items = [...plan.items].sort(
    (a, b) => Number(a.problem === null) - Number(b.problem === null),
  );
  const ready = items.filter((item) => item.problem === null).length;
  const { shown, more } = useFirst(items, shownAtFirst, (count) => counted(count, 'VM'));
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-end">
        <Text size="sm" fw={600} role="status">
          {planSentence(plan)}
        </Text>
        <Group gap={8}>
          <Button size="xs" variant="default" loading={refreshing} onClick={onRefresh}>
            Read vCenter again
          </Button>
          <Button
            size="xs"
            loading={starting}
            disabled={ready === 0 || hindrance !== null}
            onClick={onStart}
          >{`Make ${counted(ready, 'VM')}`}</Button>
        </Group>
      </Group>
      {hindrance !== null && (
        <Alert color="orange" p="xs" icon={<IconAlertTriangle aria-hidden />}>
          <Text size="sm">{hindrance}</Text>
        </Alert>
      )}
      {items.length > 0 && <PowerOnFields options={options} onOptions={onOptions} />}
      {plan.stores.length > 0 && <StoreTable stores={plan.stores} />}
      {items.length > 0 && <ItemTable items={shown} hindered={ready < items.length} />}
      {more}
    </Stack>
  );
}

/** Whether VMs that are made are powered on, and how many at a time. */
function PowerOnFields({ options, onOptions }: Pick<Props, 'options' | 'onOptions'>) {
  return (
    <Group gap="lg" align="flex-end">
      <Checkbox
        label="Power on what is made"
        checked={options.powerOn}
        onChange={(event) => onOptions({ ...options, powerOn: event.currentTarget.checked })}
        pb={6}
      />
      <NumberField
        size="xs"
        w={150}
        label="VMs a stage"
        within={[1, 64]}
        allowDecimal={false}
        disabled={!options.powerOn}
        value={options.stageSize}
        onChange={(stageSize) => onOptions({ ...options, stageSize })}
      />
      <DurationField
        size="xs"
        w={190}
        label="Pause between stages"
        disabled={!options.powerOn}
        within={[0, 3_600]}
        value={options.stagePauseS}
        onChange={(stagePauseS) => onOptions({ ...options, stagePauseS })}
      />
    </Group>
  );
}

function ItemTable({
  items,
  hindered,
}: {
  items: readonly ProvisionPlanItem[];
  /** Some cannot be made: the reasons need room. */ hindered: boolean;
}) {
  return (
    <Table.ScrollContainer
      minWidth={860}
      maxHeight={420}
      scrollAreaProps={{
        viewportProps: { tabIndex: 0, 'aria-label': 'VMs to make, scrollable' },
      }}
    >
      <Table
        aria-label="VMs to make"
        stickyHeader
        fz="sm"
        verticalSpacing={4}
        style={{ fontVariantNumeric: 'tabular-nums' }}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>VM</Table.Th>
            <Table.Th>For</Table.Th>
            <Table.Th>Template</Table.Th>
            <Table.Th>Host</Table.Th>
            <Table.Th>Datastore</Table.Th>
            <Table.Th ta="right" style={nowrap}>
              Space (GiB)
            </Table.Th>
            <Table.Th w={hindered ? '36%' : undefined}>Can be made</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((item) => (
            <Table.Tr key={item.key}>
              <Table.Td className="mono" style={nowrap}>
                {item.name}
              </Table.Td>
              <Table.Td style={nowrap}>{placeText(item)}</Table.Td>
              <Table.Td style={nowrap}>
                <Named name={item.template?.name} />
              </Table.Td>
              <Table.Td style={nowrap}>
                <Named name={item.host?.name} chosen={!item.hostPlanned} />
              </Table.Td>
              <Table.Td style={nowrap}>
                <Named name={item.datastore?.name} chosen={!item.datastorePlanned} />
              </Table.Td>
              <Table.Td ta="right" {...raw(gibOf(item.needBytes))}>
                {gib(item.needBytes)}
              </Table.Td>
              <Table.Td>
                <Verdict item={item} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Named({ name, chosen = false }: { name: string | undefined; chosen?: boolean }) {
  if (name === undefined)
    return (
      <Text span inherit c={dim}>
        not set
      </Text>
    );
  return (
    <>
      {name}
      {chosen && (
        <Text
          span
          inherit
          c={dim}
          title="Nothing is planned in the layout: this place was chosen here."
        >
          {' '}
          (chosen)
        </Text>
      )}
    </>
  );
}

function Verdict({ item }: { item: ProvisionPlanItem }) {
  if (item.problem === null)
    return (
      <Group gap={6} wrap="nowrap" align="flex-start">
        <IconCircleCheck
          size={15}
          aria-hidden
          color={good}
          style={{ flexShrink: 0, marginTop: 2 }}
        />
        <Text span inherit>
          {item.lost === null ? 'Yes' : `Yes: ${item.lost} is gone`}
        </Text>
      </Group>
    );
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <IconCircleX size={15} aria-hidden color={bad} style={{ flexShrink: 0, marginTop: 2 }} />
      <span>
        <Text span inherit>{`No. ${item.problem.text}.`}</Text>{' '}
        <Text span inherit c={dim}>
          {item.problem.hint}
        </Text>
      </span>
    </Group>
  );
}

function StoreTable({ stores }: { stores: ProvisionPlan['stores'] }) {
  return (
    <Table.ScrollContainer
      minWidth={420}
      maxHeight={180}
      scrollAreaProps={{
        viewportProps: { tabIndex: 0, 'aria-label': 'Space on datastores, scrollable' },
      }}
    >
      <Table
        aria-label="Space on datastores"
        stickyHeader
        fz="sm"
        verticalSpacing={3}
        w="auto"
        style={{ fontVariantNumeric: 'tabular-nums' }}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Datastore</Table.Th>
            <Table.Th ta="right">VMs</Table.Th>
            <Table.Th ta="right">Needed (GiB)</Table.Th>
            <Table.Th ta="right">Free now (GiB)</Table.Th>
            <Table.Th ta="right">Left (GiB)</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {stores.map((store) => (
            <Table.Tr key={store.ref}>
              <Table.Td>{store.name}</Table.Td>
              <Table.Td ta="right">{store.count}</Table.Td>
              <Table.Td ta="right" {...raw(gibOf(store.needBytes))}>
                {gib(store.needBytes)}
              </Table.Td>
              <Table.Td ta="right" {...raw(gibOf(store.freeBytes))}>
                {gib(store.freeBytes)}
              </Table.Td>
              <Table.Td
                ta="right"
                {...raw(
                  gibOf(
                    store.freeBytes === null || store.needBytes === null
                      ? null
                      : store.freeBytes - store.needBytes,
                  ),
                )}
              >
                {gib(
                  store.freeBytes === null || store.needBytes === null
                    ? null
                    : store.freeBytes - store.needBytes,
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
