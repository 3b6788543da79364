import {
  Alert,
  Button,
  Checkbox,
  Group,
  NativeSelect,
  Paper,
  Progress,
  SegmentedControl,
  Stack,
  Switch,
  Tabs,
  TextInput,
  Title,
} from '@mantine/core';

import { DrsSelect } from '../../src/ui/kit/DrsSelect.tsx';
import { DurationField } from '../../src/ui/kit/DurationField.tsx';
import { Figure } from '../../src/ui/kit/Figure.tsx';
import { MoreMenu } from '../../src/ui/kit/MoreMenu.tsx';
import { NumberField } from '../../src/ui/kit/NumberField.tsx';
import { SplitButton } from '../../src/ui/kit/SplitButton.tsx';
import { Table } from '../../src/ui/kit/Table.tsx';

const nothing = (): undefined => undefined;

const Buttons = () => (
  <Group mt="sm">
    <Button>Check and launch</Button>
    <Button variant="default">Compare with…</Button>
    <Button variant="subtle">All events</Button>
    <Button color="red">End load now</Button>
    <Button disabled>Save testbed</Button>
    <Button loading>Checking</Button>
    <SplitButton
      primary={{ id: 'launch', title: 'Check and launch', run: nothing }}
      others={[{ id: 'check', title: 'Check only', run: nothing }]}
      busy={false}
    />
    <MoreMenu sizePx={36}>Nothing</MoreMenu>
  </Group>
);

const Fields = () => (
  <Group mt="sm" align="start" grow>
    <TextInput label="Name" description="As in vCenter" value="vc.lab" onChange={nothing} />
    <TextInput label="Address" error="An address is needed." value="" onChange={nothing} />
    <NumberField label="Tiles" value={12} within={[1, 200]} onChange={nothing} />
    <DurationField label="Steady state" value={10_800} onChange={nothing} />
    <NativeSelect label="Sort by" data={['Score', 'Date']} />
    <DrsSelect drs={{ enabled: true, stars: 3, everyS: 300 }} apply={nothing} />
  </Group>
);

const Choices = () => (
  <Group mt="sm">
    <Checkbox label="Chosen" checked onChange={nothing} />
    <Checkbox label="Not chosen" checked={false} onChange={nothing} />
    <Switch label="Redact names" checked onChange={nothing} />
    <SegmentedControl data={['5 min', '30 min', 'All']} value="All" onChange={nothing} />
    <Tabs value="result">
      <Tabs.List>
        <Tabs.Tab value="result">Result</Tabs.Tab>
        <Tabs.Tab value="charts">Charts</Tabs.Tab>
      </Tabs.List>
    </Tabs>
    <Progress value={40} w={200} aria-label="Progress" />
  </Group>
);

const Figures = () => (
  <Table>
    <Table.Caption>Figures</Table.Caption>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>Workload</Table.Th>
        <Table.Th>Throughput</Table.Th>
        <Table.Th>Latency</Table.Th>
        <Table.Th>Power</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {([1_234.5, 0.0042, null] as const).map((value, at) => (
        <Table.Tr key={at}>
          <Table.Td>{`Tile ${at + 1} Database`}</Table.Td>
          <Table.Td>
            <Figure value={value} unit="tps" />
          </Table.Td>
          <Table.Td>
            <Figure value={value} unit="ms" />
          </Table.Td>
          <Table.Td>
            <Figure value={value} unit="W" decimals={0} />
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);

/** What is pressed, filled in and read in tables. */
export const ControlLooks = () => (
  <Paper component="section" p="md">
    <Title order={2}>Controls and tables</Title>
    <Buttons />
    <Fields />
    <Choices />
    <Stack mt="sm" gap="xs">
      <Alert title="Ready">26 checks passed.</Alert>
      <Alert color="yellow" title="Warning">
        The clock of client2 is 1.2 s ahead.
      </Alert>
      <Figures />
    </Stack>
  </Paper>
);
