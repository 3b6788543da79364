import { MultiSelect, Select, SimpleGrid } from '@mantine/core';

import type {
  DatastorePolicy,
  GenerateOptions,
  HostPolicy,
} from '../../../core/layout/layoutGenerate.ts';
import type { LayoutView } from '../../../core/testbed/layoutModel.ts';
import { NumberField } from '../../kit/NumberField.tsx';
import type { GenerateValues, UsablePlaces } from './generate.ts';

const datastorePolicies: { value: DatastorePolicy; label: string }[] = [
  { value: 'each', label: 'A LUN for each tile' },
  { value: 'one', label: 'All tiles on one LUN' },
  { value: 'roundRobin', label: 'VMs round-robin' },
  { value: 'asIs', label: 'As they are, by hand' },
];
const hostPolicies: { value: HostPolicy; label: string }[] = [
  { value: 'roundRobin', label: 'Round-robin' },
  { value: 'spread', label: 'Spread by load' },
  { value: 'pack', label: 'Pack: fill one, then the next' },
  { value: 'allOnOne', label: 'All on one host, DRS balances' },
  { value: 'asIs', label: 'As they are, by hand' },
];
const clientPolicies: { value: GenerateOptions['client']; label: string }[] = [
  { value: 'roundRobin', label: 'Workloads round-robin' },
  { value: 'onePerTile', label: 'One client per tile' },
  { value: 'asIs', label: 'As they are' },
];

interface Props {
  view: LayoutView;
  usable: UsablePlaces;
  clients: readonly { id: string; name: string }[];
  values: GenerateValues;
  onChange: (patch: Partial<GenerateValues>) => void;
}

/** How many tiles, and by which policy hosts, LUNs and clients take them. */
export function GenerateFields({ view, usable, clients, values, onChange }: Props) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing={8}>
      <NumberField
        data-autofocus
        label="Tiles"
        within={[1, 400]}
        allowDecimal={false}
        value={values.tiles}
        onChange={(tiles) => onChange({ tiles })}
      />
      <Select
        label="Place"
        allowDeselect={false}
        data={[
          { value: 'tile', label: 'Whole tiles' },
          { value: 'vm', label: 'Every VM by itself' },
        ]}
        value={values.unit}
        onChange={(unit) => onChange({ unit: unit === 'vm' ? 'vm' : 'tile' })}
      />
      <HostFields view={view} usable={usable} values={values} onChange={onChange} />
      <Select
        label="LUNs"
        allowDeselect={false}
        data={datastorePolicies}
        value={values.datastore}
        onChange={(datastore) => {
          if (datastore) onChange({ datastore });
        }}
      />
      <MultiSelect
        label="LUNs to use"
        searchable
        clearable
        disabled={values.datastore === 'asIs'}
        placeholder={
          values.datastoreRefs.length === 0
            ? everything(usable.datastores.length, 'without the maintenance LUN')
            : ''
        }
        data={options(view.datastores)}
        value={values.datastoreRefs}
        onChange={(datastoreRefs) => onChange({ datastoreRefs })}
      />
      <Select
        label="Clients"
        allowDeselect={false}
        data={clientPolicies}
        value={values.client}
        onChange={(client) => {
          if (client) onChange({ client });
        }}
      />
      <MultiSelect
        label="Clients to use"
        searchable
        clearable
        disabled={values.client === 'asIs'}
        placeholder={
          values.clientIds.length === 0
            ? clients.length === 0
              ? 'None is connected'
              : `All ${clients.length}`
            : ''
        }
        data={clients.map(({ id, name }) => ({ value: id, label: name }))}
        value={values.clientIds}
        onChange={(clientIds) => onChange({ clientIds })}
      />
    </SimpleGrid>
  );
}

/** How hosts take the tiles, which ones, and for packing how full each may be. */
function HostFields({ view, usable, values, onChange }: Omit<Props, 'clients'>) {
  return (
    <>
      <Select
        label="Hosts"
        allowDeselect={false}
        data={hostPolicies}
        value={values.host}
        onChange={(host) => {
          if (host) onChange({ host });
        }}
      />
      {values.host === 'allOnOne' ? (
        <Select
          label="Host that all start on"
          searchable
          allowDeselect={false}
          placeholder="The first"
          data={options(view.hosts)}
          value={values.hostRefs[0] ?? null}
          onChange={(ref) => onChange({ hostRefs: ref === null ? [] : [ref] })}
        />
      ) : (
        <MultiSelect
          label="Hosts to use"
          searchable
          clearable
          disabled={values.host === 'asIs'}
          placeholder={
            values.hostRefs.length === 0
              ? everything(usable.hosts.length, 'that are connected')
              : ''
          }
          data={options(view.hosts)}
          value={values.hostRefs}
          onChange={(hostRefs) => onChange({ hostRefs })}
        />
      )}
      {values.host === 'pack' && (
        <NumberField
          label="vCPUs for each core"
          description="Fill a host up to this"
          within={[0.1, 32]}
          step={0.5}
          decimalScale={2}
          value={values.vcpusPerCore}
          onChange={(vcpusPerCore) => onChange({ vcpusPerCore })}
        />
      )}
      {values.host === 'pack' && (
        <NumberField
          label="Memory (%)"
          description="And up to this share"
          within={[1, 400]}
          allowDecimal={false}
          value={values.memoryPct}
          onChange={(memoryPct) => onChange({ memoryPct })}
        />
      )}
    </>
  );
}

const options = (
  list: readonly { ref: string; name: string }[],
): { value: string; label: string }[] => list.map(({ ref, name }) => ({ value: ref, label: name }));

const everything = (count: number, what: string): string =>
  count === 0 ? `None is known: discover the vCenter` : `All ${count} ${what}`;
