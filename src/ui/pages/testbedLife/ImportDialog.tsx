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
import { commandsOf, loadsShown } from '../../../core/planImport/loads.ts';
import { applyMapping } from '../../../core/testbed/testbedApply.ts';
import type { TestbedFile } from '../../../core/testbed/testbedFileTypes.ts';
import {
  importNotes,
  type ImportStep,
  type Mapping,
  unresolved,
} from '../../../core/testbed/testbedImport.ts';
import { useInventoryDiscoverMutation, useTestbedImportMutation } from '../../engine/api.ts';
import { ImportLoads } from '../../kit/ImportLoads.tsx';
import { Failure, Nothing, Pending } from '../../kit/LoadState.tsx';
import { MappingTable } from './MappingTable.tsx';
import { type TargetLab, useImportMapping, useTargetLab } from './useTargetLab.ts';

interface Props {
  file: TestbedFile;
  onDone: () => void;
}

/**
 * Takes a testbed of another lab over: what it is called, where it goes, then names kind by kind,
 * then what comes of it.
 */
export function ImportSteps({ file, onDone }: Props) {
  const navigate = useNavigate();
  const target = useTargetLab(file);
  const { steps, mapping, decide } = useImportMapping(file, target);
  const [name, setName] = useState(file.testbed.name);
  const [at, setAt] = useState(0);
  const [allowCommands, setAllowCommands] = useState(false);
  const commands = useMemo(() => {
    const names = new Map(file.clients.map((one) => [one.id, one.name]));
    return loadsShown(commandsOf(file.testbed), (id) => names.get(id) ?? id);
  }, [file]);
  const [take, taking] = useTestbedImportMutation();
  const open = steps.filter((step) => unresolved([step], mapping).length > 0);
  if (!target.loaded) return <Pending label="the lab" />;
  const { vcenterId } = target;
  const { profile } = target.lab;
  const apply = () =>
    applyMapping(file, mapping, {
      id: 'import',
      name: name.trim(),
      vcenterId,
      profileId: file.profile.id,
    });
  const submit = async (): Promise<void> => {
    const taken = await take({ testbed: apply().testbed, allowCommands });
    if (taken.error) return;
    notifications.show({
      color: 'green',
      message: `${taken.data.name} imported with ${counted(taken.data.tiles.length, 'tile')}.`,
    });
    onDone();
    void navigate(`/testbeds/${taken.data.id}`);
  };
  const last = steps.length + 1;
  const step = steps[at - 1];
  return (
    <Stack gap="md">
      <Way steps={steps} mapping={mapping} at={at} onAt={setAt} />
      {at === 0 && <FileStep file={file} target={target} name={name} onName={setName} />}
      {step && (
        <MappingTable
          key={`${step.kind} ${vcenterId ?? ''}`}
          step={step}
          mapping={mapping}
          onMap={decide}
        />
      )}
      {at === last &&
        (open.length > 0 ? (
          <StillOpen
            steps={open}
            mapping={mapping}
            onFirst={() => setAt(1 + steps.indexOf(open[0]!))}
          />
        ) : (
          <Summary
            hindrance={hindranceOf(file, profile !== null, name)}
            dropped={apply().dropped}
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

/** Where in the import one is, and which steps are not complete. */
function Way({
  steps,
  mapping,
  at,
  onAt,
}: {
  steps: readonly ImportStep[];
  mapping: Mapping;
  at: number;
  onAt: (at: number) => void;
}) {
  return (
    <Stepper
      active={at}
      onStepClick={onAt}
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
  );
}

function stateOf(step: ImportStep, mapping: Mapping): string {
  const open = unresolved([step], mapping).length;
  return open > 0 ? `${open} of ${step.items.length} to choose` : `${step.items.length} decided`;
}

/** What the file holds, what it is called here, and where it goes. */
function FileStep({
  file,
  target,
  name,
  onName,
}: {
  file: TestbedFile;
  target: TargetLab;
  name: string;
  onName: (name: string) => void;
}) {
  const { vcenters, vcenterId } = target;
  return (
    <Stack gap="sm">
      <Text size="sm">{fileWords(file)}</Text>
      <Group grow align="flex-start">
        <TextInput
          label="Name"
          description="Shown in plans"
          required
          maxLength={120}
          value={name}
          onChange={(event) => onName(event.currentTarget.value)}
        />
        <Select
          label="vCenter"
          description="Where its hosts, datastores and VMs are looked for"
          allowDeselect={false}
          placeholder="None connected"
          data={vcenters.map((one) => ({ value: one.id, label: one.name }))}
          value={vcenterId}
          onChange={target.chooseVcenter}
        />
      </Group>
      {target.error ? (
        <Failure title="The inventory cannot be read" error={target.error} />
      ) : (
        target.undiscovered && vcenterId !== null && <Discover vcenterId={vcenterId} />
      )}
      <Notes notes={importNotes(file, target.lab)} />
    </Stack>
  );
}

const fileWords = ({ testbed, profile, from }: TestbedFile): string =>
  `${counted(testbed.tiles.length, 'tile')} of ${profile.name} ${profile.version}` +
  (from.vcenter ? `, laid out on ${from.vcenter}` : '') +
  `${from.version ? ` (${from.version})` : ''}.`;

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
    <Alert color="blue" icon={<IconInfoCircle aria-hidden />} title="Before the import">
      <List size="sm">
        {notes.map((note) => (
          <List.Item key={note}>{note}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

/** Which steps have names without a counterpart. */
function StillOpen({
  steps,
  mapping,
  onFirst,
}: {
  steps: readonly ImportStep[];
  mapping: Mapping;
  onFirst: () => void;
}) {
  return (
    <Nothing
      text={
        `${counted(unresolved(steps, mapping).length, 'name')} still to be chosen: ` +
        `${steps.map((step) => step.title).join(', ')}.`
      }
      action={
        <Button size="xs" variant="default" onClick={onFirst}>
          Go to the first
        </Button>
      }
    />
  );
}

/** Why nothing can be imported though every name is decided; null = it can. */
function hindranceOf(
  { profile }: TestbedFile,
  profileInstalled: boolean,
  name: string,
): string | null {
  if (!profileInstalled)
    return (
      `Profile ${profile.name} ${profile.version} (${profile.id}) ` +
      'is not installed: import it under Profiles, then go on here.'
    );
  return name.trim() === '' ? 'The testbed has no name.' : null;
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
