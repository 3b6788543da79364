import {
  Alert,
  Button,
  Checkbox,
  Group,
  List,
  Select,
  Stack,
  Stepper,
  Text,
  TextInput,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';

import { counted } from '../../../core/base/counted.ts';
import type { AppErrorShape } from '../../../core/base/errors.ts';
import { commandsOf, loadsShown } from '../../../core/planImport/loads.ts';
import type { NamedRef } from '../../../core/testbed/testbed.ts';
import { applyMapping } from '../../../core/testbed/testbedApply.ts';
import type { TestbedFile } from '../../../core/testbed/testbedFileTypes.ts';
import {
  type ImportLab,
  importNotes,
  type ImportStep,
  importSteps,
  type Mapping,
  suggestedMapping,
  unresolved,
} from '../../../core/testbed/testbedImport.ts';
import {
  useConnectionListQuery,
  useInventoryDiscoverMutation,
  useInventoryGetQuery,
  useProfileListQuery,
  useTestbedImportMutation,
} from '../../engine/api.ts';
import { ImportLoads } from '../../kit/ImportLoads.tsx';
import { Failure, Nothing, Pending } from '../../kit/LoadState.tsx';
import { MappingTable } from './MappingTable.tsx';

interface Props {
  file: TestbedFile;
  onDone: () => void;
}
type Decisions = { of: string; map: Mapping };

/**
 * Takes a testbed of another lab over: what it is called, where it goes, then names kind by kind,
 * then what comes of it.
 */
export function ImportSteps({ file, onDone }: Props) {
  const navigate = useNavigate();
  const { data: connections } = useConnectionListQuery({});
  const { data: profiles } = useProfileListQuery({});
  const vcenters = useMemo(
    () => connections?.filter((one) => one.kind === 'vcenter') ?? [],
    [connections],
  );
  const [name, setName] = useState(file.testbed.name);
  const [chosenVcenter, setChosenVcenter] = useState<string | null>(null);
  const vcenterId =
    chosenVcenter ??
    vcenters.find((one) => one.name === file.from.vcenter)?.id ??
    vcenters[0]?.id ??
    null;
  const {
    data: inventory = null,
    error,
    isFetching,
  } = useInventoryGetQuery({ vcenterId: vcenterId ?? '' }, { skip: vcenterId === null });
  const [at, setAt] = useState(0);
  const [decided, setDecided] = useState<Decisions | null>(null);
  const [allowCommands, setAllowCommands] = useState(false);
  const commands = useMemo(() => {
    const names = new Map(file.clients.map((one) => [one.id, one.name]));
    return loadsShown(commandsOf(file.testbed), (id) => names.get(id) ?? id);
  }, [file]);
  const [take, taking] = useTestbedImportMutation();
  const profile = profiles?.find((one) => one.id === file.profile.id) ?? null;
  const lab = useMemo(
    (): ImportLab => ({
      inventory: vcenterId === null ? null : inventory,
      profile,
      clients: (connections ?? []).flatMap(({ kind, id, name: title }) =>
        kind === 'client' ? [{ ref: id, name: title }] : [],
      ),
    }),
    [vcenterId, inventory, profile, connections],
  );
  const steps = useMemo(() => importSteps(file, lab), [file, lab]);
  const suggested = useMemo(() => suggestedMapping(steps), [steps]);
  // What was chosen by hand is of one vCenter: another begins with its own suggestions.
  const mine = decided?.of === (vcenterId ?? '') ? decided.map : null;
  const mapping = useMemo(() => new Map([...suggested, ...(mine ?? [])]), [suggested, mine]);
  const decide = (changes: ReadonlyMap<string, NamedRef | null>): void =>
    setDecided({ of: vcenterId ?? '', map: new Map([...(mine ?? []), ...changes]) });
  const open = unresolved(steps, mapping);

  if (!connections || !profiles) return <Pending label="the lab" />;
  const submit = async (): Promise<void> => {
    const { testbed } = applyMapping(file, mapping, {
      id: 'import',
      name: name.trim(),
      vcenterId,
      profileId: file.profile.id,
    });
    const taken = await take({ testbed, allowCommands });
    if (taken.error) return;
    notifications.show({
      color: 'green',
      message: `${taken.data.name} imported with ${counted(taken.data.tiles.length, 'tile')}.`,
    });
    onDone();
    void navigate(`/testbeds/${taken.data.id}`);
  };
  const last = steps.length + 1;
  return (
    <Stack gap="md">
      <Stepper
        active={at}
        onStepClick={setAt}
        size="xs"
        iconSize={26}
        styles={{ steps: { flexWrap: 'wrap', rowGap: 8 } }}
      >
        <Stepper.Step label="File" />
        {steps.map((step) => (
          <Stepper.Step
            key={step.kind}
            label={step.title}
            description={stateOf(step, mapping)}
            {...(unresolved([step], mapping).length > 0
              ? {
                  color: 'orange.9',
                  completedIcon: <IconAlertTriangle size={15} aria-label="Not complete" />,
                }
              : {})}
          />
        ))}
        <Stepper.Step label="Import" />
      </Stepper>
      {at === 0 && (
        <Stack gap="sm">
          <Text size="sm">
            {`${counted(file.testbed.tiles.length, 'tile')} of ${file.profile.name} ` +
              `${file.profile.version}${file.from.vcenter ? `, laid out on ${file.from.vcenter}` : ''}${file.from.version ? ` (${file.from.version})` : ''}.`}
          </Text>
          <Group grow align="flex-start">
            <TextInput
              label="Name"
              description="As it is called in plans"
              required
              maxLength={120}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Select
              label="vCenter"
              description="Where its hosts, datastores and VMs are looked for"
              allowDeselect={false}
              placeholder="None connected"
              data={vcenters.map((one) => ({ value: one.id, label: one.name }))}
              value={vcenterId}
              onChange={setChosenVcenter}
            />
          </Group>
          {error ? (
            <Failure title="The inventory cannot be read" error={error as AppErrorShape} />
          ) : (
            vcenterId !== null && !inventory && !isFetching && <Discover vcenterId={vcenterId} />
          )}
          <Notes notes={importNotes(file, lab)} />
        </Stack>
      )}
      {steps.map(
        (step, i) =>
          at === i + 1 && (
            <MappingTable
              key={`${step.kind} ${vcenterId ?? ''}`}
              step={step}
              mapping={mapping}
              onMap={decide}
            />
          ),
      )}
      {at === last &&
        (open.length > 0 ? (
          <Nothing
            text={`${counted(open.length, 'name')} still to be chosen: ${steps
              .filter((step) => unresolved([step], mapping).length > 0)
              .map((step) => step.title)
              .join(', ')}.`}
            action={
              <Button
                size="xs"
                variant="default"
                onClick={() =>
                  setAt(1 + steps.findIndex((step) => unresolved([step], mapping).length > 0))
                }
              >
                Go to the first
              </Button>
            }
          />
        ) : (
          <Summary
            hindrance={
              profile === null
                ? `Profile ${file.profile.name} ${file.profile.version} (${file.profile.id}) ` +
                  'is not installed: import it under Profiles, then go on here.'
                : name.trim() === ''
                  ? 'The testbed has no name.'
                  : null
            }
            dropped={
              applyMapping(file, mapping, {
                id: 'import',
                name,
                vcenterId,
                profileId: file.profile.id,
              }).dropped
            }
          />
        ))}
      {at === last && commands.length > 0 && (
        <Stack gap={6}>
          <ImportLoads loads={commands} />
          <Checkbox
            size="sm"
            label="Client machines may run these commands"
            checked={allowCommands}
            onChange={(event) => setAllowCommands(event.currentTarget.checked)}
          />
        </Stack>
      )}
      <Group justify="space-between">
        <Button variant="default" disabled={at === 0} onClick={() => setAt(at - 1)}>
          Back
        </Button>
        {at < last ? (
          <Button onClick={() => setAt(at + 1)}>Next</Button>
        ) : (
          <Button
            disabled={
              open.length > 0 ||
              name.trim() === '' ||
              profile === null ||
              (commands.length > 0 && !allowCommands)
            }
            loading={taking.isLoading}
            onClick={() => void submit()}
          >
            Import testbed
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function stateOf(step: ImportStep, mapping: Mapping): string {
  const open = unresolved([step], mapping).length;
  return open > 0 ? `${open} of ${step.items.length} to choose` : `${step.items.length} decided`;
}

function Discover({ vcenterId }: { vcenterId: string }) {
  const [discover, discovering] = useInventoryDiscoverMutation();
  return (
    <Nothing
      text="This vCenter was not discovered yet: its names are needed to map those of the file."
      action={
        <Button
          size="xs"
          loading={discovering.isLoading}
          onClick={() => void discover({ vcenterId })}
        >
          Discover
        </Button>
      }
    />
  );
}

function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <Alert color="blue" icon={<IconInfoCircle aria-hidden />} title="To know before the import">
      <List size="sm">
        {notes.map((note) => (
          <List.Item key={note}>{note}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

const shownDropped = 20;
function Summary({ dropped, hindrance }: { dropped: readonly string[]; hindrance: string | null }) {
  return (
    <Stack gap="sm">
      <Text size="sm" fw={600} role="status">
        {dropped.length === 0
          ? 'Everything has its counterpart here.'
          : `${counted(dropped.length, 'thing')} left out:`}
      </Text>
      {dropped.length > 0 && (
        <List size="sm">
          {dropped.slice(0, shownDropped).map((text) => (
            <List.Item key={text}>{text}</List.Item>
          ))}
          {dropped.length > shownDropped && (
            <List.Item>{`and ${dropped.length - shownDropped} more`}</List.Item>
          )}
        </List>
      )}
      {hindrance !== null && (
        <Alert color="orange" p="xs" icon={<IconAlertTriangle aria-hidden />}>
          <Text size="sm">{hindrance}</Text>
        </Alert>
      )}
      <Text size="sm">
        It becomes a testbed of its own. VMs that are missing can then be made under Provision.
      </Text>
    </Stack>
  );
}
