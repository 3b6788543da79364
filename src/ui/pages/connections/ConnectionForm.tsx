import { Button, Group, Stack, TextInput } from '@mantine/core';

import type { Connection } from '../../../core/testbed/connection.ts';
import { kindWords } from '../../kit/connectionWords.ts';
import { DialogFoot } from '../../kit/DialogFoot.tsx';
import { Failure } from '../../kit/LoadState.tsx';
import { IdentityCard } from './IdentityCard.tsx';
import {
  AddressFields,
  AuthFields,
  ClientFields,
  FingerprintField,
  SecretConsent,
  SecretField,
  textField,
} from './PeerFields.tsx';
import { PowerFields } from './PowerFields.tsx';
import { TestSteps } from './TestSteps.tsx';
import { type ConnectionFormState, useConnectionForm } from './useConnectionForm.ts';

interface Props {
  kind: Connection['kind'];
  id: string;
  existing: Connection | undefined;
  others: readonly Connection[];
  onDone: () => void;
}

/**
 * One connection: fill in, read and pin what the other end presents, test, save. What is typed
 * survives closing the form.
 */
export function ConnectionForm({ kind, id, existing, others, onDone }: Props) {
  const form = useConnectionForm({ kind, id, existing, onDone });
  const { values, set } = form;
  const clients = others.filter((other) => other.kind === 'client' && other.id !== id);
  return (
    <form
      aria-label={`${kindWords[kind]} connection`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.save();
      }}
    >
      <Stack gap="sm">
        <TextInput
          label="Name"
          description="How it is called on charts and in findings"
          required
          data-autofocus
          {...textField(form, 'name')}
        />
        {kind === 'power' && (
          <PowerFields
            values={values}
            errors={form.errors}
            others={others}
            onType={(type) => set('powerType', type)}
            onMember={(name, value) =>
              set('source', { ...values.source, [name]: value }, `source.${name}`)
            }
          />
        )}
        {kind !== 'power' && <AddressFields form={form} />}
        {kind === 'client' && <AuthFields form={form} />}
        <SecretField form={form} existing={existing} />
        <SecretConsent form={form} />
        {kind === 'client' && <ClientFields form={form} clients={clients} />}
        {kind !== 'power' && <FingerprintField form={form} />}
        {form.identity && (
          <IdentityCard
            identity={form.identity}
            pinned={values.fingerprint}
            onPin={(fingerprint) => set('fingerprint', fingerprint)}
          />
        )}
        {form.report && <TestSteps report={form.report} />}
        {form.failure && <Failure title="That did not work" error={form.failure} />}
        <FormFoot form={form} onDone={onDone} />
      </Stack>
    </form>
  );
}

function FormFoot({ form, onDone }: { form: ConnectionFormState; onDone: () => void }) {
  const { kind } = form.values;
  return (
    <DialogFoot apart>
      <Group gap={8}>
        {kind !== 'power' && (
          <Button
            variant="default"
            loading={form.busy.identify}
            onClick={() => void form.identify()}
          >
            {kind === 'vcenter' ? 'Read certificate' : 'Read host key'}
          </Button>
        )}
        <Button variant="default" loading={form.busy.test} onClick={() => void form.test()}>
          Test
        </Button>
      </Group>
      <Group gap={8}>
        <Button variant="subtle" onClick={onDone}>
          Close
        </Button>
        <Button type="submit" loading={form.busy.save}>
          Save
        </Button>
      </Group>
    </DialogFoot>
  );
}
