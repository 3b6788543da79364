import { Button, Group, Stack, Text, TextInput } from '@mantine/core';

import type { Connection } from '../../../core/testbed/connection.ts';
import { kindWords } from '../../kit/connectionWords.ts';
import { DialogFoot } from '../../kit/DialogFoot.tsx';
import { Failure } from '../../kit/LoadState.tsx';
import { dim } from '../../kit/tones.ts';
import { asksTrust } from './attempt.ts';
import { AttemptTable } from './AttemptTable.tsx';
import { guardsOf, membersOf, withMembers } from './formValues.ts';
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
import { ReadingsOffered } from './ReadingsOffered.tsx';
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
 * One connection, or as many client machines as a pattern stands for: fill in, connect, trust what
 * the other end presents, and it is saved. What is typed survives closing the form.
 */
export function ConnectionForm({ kind, id, existing, others, onDone }: Props) {
  const form = useConnectionForm({ kind, id, existing, onDone });
  const { values, set } = form;
  const clients = others.filter((other) => other.kind === 'client' && other.id !== id);
  const many = (form.made?.length ?? 0) > 1;
  return (
    <form
      aria-label={`${kindWords[kind]} connection`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.goOn();
      }}
    >
      <Stack gap="sm">
        <TextInput
          label="Name"
          description={
            kind === 'client' && !existing
              ? 'Left empty: the address. Several at once: client{1..20}'
              : 'Stands on charts and in findings'
          }
          data-autofocus
          {...textField(form, 'name')}
        />
        {kind === 'power' && (
          <PowerFields
            values={values}
            errors={form.errors}
            others={others}
            onType={(type) => set('powerType', type)}
            onMember={(members) =>
              set('sources', withMembers(values, members), `source.${Object.keys(members)[0]}`)
            }
            login={<LoginFields form={form} existing={existing} />}
          />
        )}
        {kind !== 'power' && (
          <AddressFields form={form} several={kind === 'client' && existing === undefined} />
        )}
        {kind === 'client' && <AuthFields form={form} />}
        {kind !== 'power' && (
          <>
            <SecretField form={form} existing={existing} />
            <SecretConsent form={form} />
          </>
        )}
        {kind === 'client' && <ClientFields form={form} clients={clients} />}
        {kind !== 'power' && !many && <FingerprintField form={form} />}
        <Outcome form={form} />
        <FormFoot form={form} onDone={onDone} />
      </Stack>
    </form>
  );
}

/** What a power source needs where it logs in, and shows where it has a certificate. */
function LoginFields({
  form,
  existing,
}: {
  form: ConnectionFormState;
  existing: Connection | undefined;
}) {
  const { powerType } = form.values;
  return (
    <>
      <SecretField form={form} existing={existing} />
      <SecretConsent form={form} />
      {guardsOf(powerType).certificate?.(membersOf(form.values)) && (
        <FingerprintField form={form} />
      )}
    </>
  );
}

/** What would be made, and what the other end presented and said. */
function Outcome({ form }: { form: ConnectionFormState }) {
  const { made, connecting, values, failure } = form;
  const attempt = made?.length === 1 ? connecting.attempts[made[0].id] : undefined;
  const error = failure ?? attempt?.failure;
  const shown = attempt !== undefined && !attempt.busy;
  return (
    <>
      {made !== null && made.length > 1 && (
        <AttemptTable connections={made} attempts={connecting.attempts} />
      )}
      {shown && (
        <div
          // Below what was typed: brought into sight, above the buttons.
          ref={(card) => card?.scrollIntoView({ block: 'end' })}
          style={{ scrollMarginBottom: 72 }}
        >
          {asksTrust(attempt) && attempt.identity ? (
            <IdentityCard identity={attempt.identity} trusted={values.fingerprint} />
          ) : (
            attempt.report && (
              <>
                <TestSteps report={attempt.report} />
                <ReadingsOffered
                  report={attempt.report}
                  onChoose={(reading) =>
                    form.set('sources', withMembers(values, { reading }), 'source.reading')
                  }
                />
              </>
            )
          )}
        </div>
      )}
      {values.kind === 'power' && connecting.busy && guardsOf(values.powerType).watches && (
        <Text size="sm" c={dim} role="status">
          Connecting, then watching how often a new value comes: up to a minute.
        </Text>
      )}
      {error && <Failure title="That did not work" error={error} />}
    </>
  );
}

const nextWords: Readonly<Record<ConnectionFormState['next'], string>> = {
  connect: 'Connect',
  trust: 'Trust and save',
  save: 'Save',
};

function FormFoot({ form, onDone }: { form: ConnectionFormState; onDone: () => void }) {
  const changed =
    form.next === 'trust' &&
    Object.values(form.connecting.attempts).some(({ identity }) => identity?.trust === 'changed');
  return (
    <DialogFoot apart>
      <Button variant="subtle" onClick={onDone}>
        Close
      </Button>
      <Group gap={8}>
        {form.next !== 'save' && (
          <Button variant="default" disabled={form.busy} onClick={() => void form.saveAnyway()}>
            Save without connecting
          </Button>
        )}
        <Button type="submit" loading={form.busy} {...(changed ? { color: 'red.8' } : {})}>
          {nextWords[form.next]}
        </Button>
      </Group>
    </DialogFoot>
  );
}
