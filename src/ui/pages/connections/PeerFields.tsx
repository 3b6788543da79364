import {
  Checkbox,
  Group,
  NumberInput,
  PasswordInput,
  SegmentedControl,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';

import { sourceWords, targetWords } from '../../../core/plan/secretUse.ts';
import type { Connection } from '../../../core/testbed/connection.ts';
import { guardsOf, membersOf } from './formValues.ts';
import type { ConnectionFormState } from './useConnectionForm.ts';

interface Props {
  form: ConnectionFormState;
}

/** Value, complaint and change of a field of text. */
export const textField = (
  { values, errors, set }: ConnectionFormState,
  field: 'name' | 'host' | 'user' | 'keyPath' | 'fingerprint',
) => ({
  value: values[field],
  error: errors[field],
  onChange: (event: { currentTarget: { value: string } }) => set(field, event.currentTarget.value),
});

/** Where a vCenter or a client machine listens, and as whom Tilebench comes. */
export function AddressFields({ form, several }: Props & { several: boolean }) {
  return (
    <>
      <Group grow align="flex-start">
        <TextInput
          label="Address"
          description={
            several ? 'Name or IP address; several: 10.0.0.{11..30}' : 'Host name or IP address'
          }
          required
          {...textField(form, 'host')}
        />
        <NumberInput
          label="Port"
          description="TCP port"
          required
          min={1}
          max={65_535}
          allowDecimal={false}
          value={form.values.port}
          error={form.errors.port}
          onChange={(value) => form.set('port', value)}
        />
      </Group>
      <TextInput label="User" required autoComplete="off" {...textField(form, 'user')} />
    </>
  );
}

/** How a client machine knows the user. */
export function AuthFields({ form }: Props) {
  const { method } = form.values;
  return (
    <>
      <Stack gap={4}>
        <Text size="sm" fw={500} id="auth-label">
          Authentication
        </Text>
        <SegmentedControl
          aria-labelledby="auth-label"
          value={method}
          onChange={(value) => form.set('method', value)}
          data={[
            { value: 'key', label: 'Key file' },
            { value: 'agent', label: 'SSH agent' },
            { value: 'password', label: 'Password' },
          ]}
        />
      </Stack>
      {method === 'key' && (
        <TextInput
          label="Private key"
          description="Path on this machine"
          placeholder="~/.ssh/id_ed25519"
          required
          classNames={{ input: 'mono' }}
          {...textField(form, 'keyPath')}
        />
      )}
    </>
  );
}

/** The password or passphrase, where there is one; never shown again. */
export function SecretField({ form, existing }: Props & { existing: Connection | undefined }) {
  const { secret, values } = form;
  const { again } = secret;
  const login = values.kind === 'power' ? guardsOf(values.powerType).login : undefined;
  if (
    (values.kind === 'power' && !login?.asks(membersOf(values))) ||
    (values.kind === 'client' && values.method === 'agent')
  )
    return null;
  const isPassword = values.kind !== 'client' || values.method === 'password';
  return (
    <PasswordInput
      label={login?.label ?? (isPassword ? 'Password' : 'Passphrase of the key')}
      error={secret.error}
      description={
        again
          ? `Asked for again: what is stored is for ${targetWords(again.before)} and goes nowhere else`
          : existing
            ? 'Left empty: the stored one is kept'
            : isPassword
              ? login?.description
              : 'Empty when the key has none'
      }
      autoComplete="new-password"
      value={secret.typed}
      onChange={(event) => secret.type(event.currentTarget.value)}
    />
  );
}

/** Consent to send a secret that lies outside the keychain to another peer than before. */
export function SecretConsent({ form: { secret } }: Props) {
  const { again } = secret;
  if (!again || 'keychain' in again.ref) return null;
  return (
    <Checkbox
      size="sm"
      label={`Send the content of ${sourceWords(again.ref)} to ${targetWords(again.after)}`}
      checked={secret.allowed}
      onChange={(event) => secret.allow(event.currentTarget.checked)}
    />
  );
}

/** The way to a client machine, and how old it is. */
export function ClientFields({ form, clients }: Props & { clients: readonly Connection[] }) {
  return (
    <>
      <Select
        label="Jump host"
        description="Another client machine to go through"
        placeholder="None"
        clearable
        searchable
        data={clients.map((other) => ({ value: other.id, label: other.name }))}
        value={form.values.jumpId || null}
        onChange={(value) => form.set('jumpId', value ?? '')}
      />
      <Checkbox
        label="Allow SHA-1 signatures (ssh-rsa)"
        description="For a server so old that it knows no other. SHA-1 can be forged."
        checked={form.values.allowSha1}
        onChange={(event) => form.set('allowSha1', event.currentTarget.checked)}
      />
    </>
  );
}

/** The certificate or host key that the other end must present. */
export function FingerprintField({ form }: Props) {
  const isCertificate = form.values.kind !== 'client';
  return (
    <TextInput
      label={isCertificate ? 'Trusted certificate (SHA-256)' : 'Trusted host key'}
      description={
        isCertificate
          ? 'Empty: the certificate must verify against the CAs of this machine'
          : 'Empty: the key must be in known_hosts'
      }
      classNames={{ input: 'mono' }}
      {...textField(form, 'fingerprint')}
    />
  );
}
