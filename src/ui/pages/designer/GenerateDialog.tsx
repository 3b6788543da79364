import {
  Alert,
  Button,
  Checkbox,
  Group,
  Modal,
  MultiSelect,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Text,
} from '@mantine/core';
import { useMemo } from 'react';

import { toAppError } from '../../../core/base/errors.ts';
import {
  type DatastorePolicy,
  type Generated,
  generateLayout,
  type GenerateOptions,
  type HostPolicy,
} from '../../../core/layout/layoutGenerate.ts';
import type { LayoutChange } from '../../../core/layout/layoutHistory.ts';
import type { LayoutView } from '../../../core/testbed/layoutModel.ts';
import classes from './designer.module.css';
import { NamingFields, type NamingInput } from './NamingFields.tsx';

/** What the dialog holds: pools as refs; an empty pool = all that can be used. */
export interface GenerateValues {
  tiles: number;
  datastore: DatastorePolicy;
  host: HostPolicy;
  client: GenerateOptions['client'];
  unit: 'tile' | 'vm';
  hostRefs: string[];
  datastoreRefs: string[];
  clientIds: string[];
  vcpusPerCore: number;
  memoryPct: number;
  names: boolean;
  pattern: string;
  ignoreCase: boolean;
}

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
  { value: 'onePerTile', label: 'One client a tile' },
  { value: 'asIs', label: 'As they are' },
];

export const generateStart = (
  tiles: number,
  pattern: string,
  known: { hosts: boolean; datastores: boolean; clients: boolean },
): GenerateValues => ({
  tiles,
  datastore: known.datastores ? 'each' : 'asIs',
  host: known.hosts ? 'spread' : 'asIs',
  client: known.clients ? 'roundRobin' : 'asIs',
  unit: 'tile',
  hostRefs: [],
  datastoreRefs: [],
  clientIds: [],
  vcpusPerCore: 1,
  memoryPct: 90,
  names: known.hosts,
  pattern,
  ignoreCase: false,
});

interface Props {
  view: LayoutView;
  clients: readonly { id: string; name: string }[];
  input: Omit<NamingInput, 'tiles'>;
  values: GenerateValues;
  onValues: (values: GenerateValues) => void;
  onApply: (change: LayoutChange) => void;
  onClose: () => void;
}

/**
 * N tiles laid out by policy. What cannot be held is said before anything is changed; nothing typed
 * is lost by closing.
 */
export function GenerateDialog({
  view,
  clients,
  input,
  values,
  onValues,
  onApply,
  onClose,
}: Props) {
  const { usableHosts, usableStores } = useMemo(() => usable(view), [view]);
  const { result, error } = useMemo((): { result: Generated | null; error: string | null } => {
    const chosen = <T extends { ref: string; name: string }>(
      all: readonly T[],
      usable: readonly T[],
      refs: readonly string[],
    ): { ref: string; name: string }[] =>
      (refs.length === 0
        ? usable
        : refs.flatMap((ref) => all.find((one) => one.ref === ref) ?? [])
      ).map(({ ref, name }) => ({ ref, name }));
    try {
      return {
        error: null,
        result: generateLayout(view.testbed, view.inventory, view.profile, clients, {
          ...values,
          memoryShare: values.memoryPct / 100,
          hosts: chosen(view.hosts, usableHosts, values.hostRefs),
          datastores: chosen(view.datastores, usableStores, values.datastoreRefs),
          clientIds: values.clientIds.length > 0 ? values.clientIds : clients.map(({ id }) => id),
          pattern: values.names ? values.pattern : null,
        }),
      };
    } catch (thrown) {
      const { message, hint } = toAppError(thrown);
      return { result: null, error: [message, hint].filter(Boolean).join(' ') };
    }
  }, [view, clients, values, usableHosts, usableStores]);
  const set = (patch: Partial<GenerateValues>): void => onValues({ ...values, ...patch });
  const apply = (): void => {
    if (result) {
      onApply(result.change);
      onClose();
    }
  };
  const options = (
    list: readonly { ref: string; name: string }[],
  ): { value: string; label: string }[] =>
    list.map(({ ref, name }) => ({ value: ref, label: name }));
  const everything = (count: number, what: string): string =>
    count === 0 ? `None is known: discover the vCenter` : `All ${count} ${what}`;
  return (
    <Modal
      opened
      onClose={onClose}
      title="Generate a layout"
      size="xl"
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 0 }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          apply();
        }}
      >
        <Stack gap="sm">
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing={8}>
            <NumberInput
              data-autofocus
              label="Tiles"
              min={1}
              max={400}
              allowDecimal={false}
              value={values.tiles}
              onChange={(value) => {
                if (typeof value === 'number') set({ tiles: value });
              }}
            />
            <Select
              label="Place"
              allowDeselect={false}
              data={[
                { value: 'tile', label: 'Whole tiles' },
                { value: 'vm', label: 'Every VM by itself' },
              ]}
              value={values.unit}
              onChange={(unit) => set({ unit: unit === 'vm' ? 'vm' : 'tile' })}
            />
            <Select
              label="Hosts"
              allowDeselect={false}
              data={hostPolicies}
              value={values.host}
              onChange={(host) => {
                if (host) set({ host });
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
                onChange={(ref) => set({ hostRefs: ref === null ? [] : [ref] })}
              />
            ) : (
              <MultiSelect
                label="Hosts to use"
                searchable
                clearable
                disabled={values.host === 'asIs'}
                placeholder={
                  values.hostRefs.length === 0
                    ? everything(usableHosts.length, 'that are connected')
                    : ''
                }
                data={options(view.hosts)}
                value={values.hostRefs}
                onChange={(hostRefs) => set({ hostRefs })}
              />
            )}
            {values.host === 'pack' && (
              <NumberInput
                label="vCPUs for each core"
                description="Fill a host up to this"
                min={0.1}
                max={32}
                step={0.5}
                decimalScale={2}
                value={values.vcpusPerCore}
                onChange={(value) => {
                  if (typeof value === 'number' && value > 0) set({ vcpusPerCore: value });
                }}
              />
            )}
            {values.host === 'pack' && (
              <NumberInput
                label="Memory (%)"
                description="And up to this share"
                min={1}
                max={400}
                allowDecimal={false}
                value={values.memoryPct}
                onChange={(value) => {
                  if (typeof value === 'number' && value > 0) set({ memoryPct: value });
                }}
              />
            )}
            <Select
              label="LUNs"
              allowDeselect={false}
              data={datastorePolicies}
              value={values.datastore}
              onChange={(datastore) => {
                if (datastore) set({ datastore });
              }}
            />
            <MultiSelect
              label="LUNs to use"
              searchable
              clearable
              disabled={values.datastore === 'asIs'}
              placeholder={
                values.datastoreRefs.length === 0
                  ? everything(usableStores.length, 'without the maintenance LUN')
                  : ''
              }
              data={options(view.datastores)}
              value={values.datastoreRefs}
              onChange={(datastoreRefs) => set({ datastoreRefs })}
            />
            <Select
              label="Clients"
              allowDeselect={false}
              data={clientPolicies}
              value={values.client}
              onChange={(client) => {
                if (client) set({ client });
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
              onChange={(clientIds) => set({ clientIds })}
            />
          </SimpleGrid>
          <Checkbox
            label="Match VMs by name"
            checked={values.names}
            onChange={(event) => set({ names: event.currentTarget.checked })}
          />
          {values.names && (
            <NamingFields
              input={{ ...input, tiles: Math.min(400, Math.max(1, values.tiles)) }}
              values={values}
              onChange={(naming) => set(naming)}
            />
          )}
          {result && result.notes.length > 0 && (
            <Alert color="yellow" title="Not everything can be held" p="xs">
              <ul style={{ margin: 0, paddingLeft: 18 }}>
                {result.notes.map((note) => (
                  <li key={note}>
                    <Text size="sm">{note}</Text>
                  </li>
                ))}
              </ul>
            </Alert>
          )}
          {error !== null && (
            <Text size="sm" c="var(--tb-bad)" role="alert">
              {error}
            </Text>
          )}
          {view.testbed.tiles.length > values.tiles && (
            <Text size="sm" role="status">
              {`${view.testbed.tiles.length - values.tiles} of the tiles that are there will be ` +
                'removed. Undo brings them back.'}
            </Text>
          )}
          <Group justify="flex-end" className={classes.dialogFoot}>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              disabled={!result}
            >{`Lay out ${values.tiles} ${values.tiles === 1 ? 'tile' : 'tiles'}`}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** Places that can take VMs: discovered, connected, not set apart. */
function usable(view: LayoutView): {
  usableHosts: LayoutView['hosts'];
  usableStores: LayoutView['datastores'];
} {
  return {
    usableHosts: view.hosts.filter(
      (host) => host.info !== null && !host.maintenance && host.connected !== false,
    ),
    usableStores: view.datastores.filter(
      (store) => store.info !== null && store.accessible !== false && !store.maintenance,
    ),
  };
}
