import {
  Button,
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
import { useEffect, useState } from 'react';

import type { AppErrorShape } from '../../../core/base/errors.ts';
import { sourceWords, targetWords } from '../../../core/plan/secretUse.ts';
import type { Connection } from '../../../core/testbed/testbed.ts';
import type { Identity, TestReport } from '../../../wire/contract/connections.ts';
import {
  useConnectionIdentifyMutation,
  useConnectionSaveMutation,
  useConnectionTestMutation,
} from '../../engine/api.ts';
import { draftDropped, drafted, useAppDispatch, useAppSelector } from '../../engine/store.ts';
import { kindWords } from '../../kit/connectionWords.ts';
import { DialogFoot } from '../../kit/DialogFoot.tsx';
import { Failure } from '../../kit/LoadState.tsx';
import {
  type ConnectionValues,
  emptyValues,
  type FieldErrors,
  toConnection,
  valuesOf,
} from './formValues.ts';
import { IdentityCard } from './IdentityCard.tsx';
import { PowerFields } from './PowerFields.tsx';
import { askedAgain } from './secretAsked.ts';
import { TestSteps } from './TestSteps.tsx';

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
  const dispatch = useAppDispatch();
  const form = `connection ${existing ? id : `new ${kind}`}`;
  const draft = useAppSelector((state) => state.drafts[form] as ConnectionValues | undefined);
  const [values, setValues] = useState<ConnectionValues>(() => ({
    // A draft may be of an earlier version, and know less.
    ...emptyValues(kind, id),
    ...(draft ?? (existing && valuesOf(existing))),
    id,
  }));
  const [secret, setSecret] = useState('');
  const [secretError, setSecretError] = useState<string | null>(null);
  const [allowSecret, setAllowSecret] = useState(false);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [identity, setIdentity] = useState<Identity | null>(null);
  const [report, setReport] = useState<TestReport | null>(null);
  const [failure, setFailure] = useState<AppErrorShape | null>(null);
  const [identify, identifying] = useConnectionIdentifyMutation();
  const [test, testing] = useConnectionTestMutation();
  const [save, saving] = useConnectionSaveMutation();
  const [dirty, setDirty] = useState(false);
  useEffect(() => {
    if (dirty) dispatch(drafted({ form, values }));
  }, [dirty, dispatch, form, values]);

  const set = <K extends keyof ConnectionValues>(
    field: K,
    value: ConnectionValues[K],
    complained: string = field,
  ): void => {
    setDirty(true);
    setValues((now) => ({ ...now, [field]: value }));
    setErrors(({ [complained]: _gone, ...rest }) => rest);
    setReport(null);
    setSecretError(null);
    setAllowSecret(false);
  };
  const text = (field: 'name' | 'host' | 'user' | 'keyPath' | 'fingerprint') => ({
    value: values[field],
    error: errors[field],
    onChange: (event: { currentTarget: { value: string } }) =>
      set(field, event.currentTarget.value),
  });
  const whenValid = async (work: (connection: Connection) => Promise<void>): Promise<void> => {
    setFailure(null);
    const result = toConnection(values, existing, secret !== '');
    if ('errors' in result) {
      setErrors(result.errors);
      return;
    }
    try {
      await work(result.connection);
    } catch (error) {
      setFailure(error as AppErrorShape);
    }
  };
  const secretInput = secret === '' ? {} : { secret };
  const typed = toConnection(values, existing, secret !== '');
  const again = 'connection' in typed ? askedAgain(existing, typed.connection) : null;
  /** Work that shows a secret to the peer: not with one that was entered for another. */
  const whenSecretFits = (work: (connection: Connection) => Promise<void>): Promise<void> =>
    whenValid(async (connection) => {
      if (again === null || secret !== '' || allowSecret) await work(connection);
      else setSecretError(`Enter it again: what is stored is for ${targetWords(again.before)}`);
    });
  const clients = others.filter((other) => other.kind === 'client' && other.id !== id);
  const secretLabel =
    kind === 'vcenter'
      ? 'Password'
      : values.method === 'password'
        ? 'Password'
        : 'Passphrase of the key';
  const wantsSecret = kind === 'vcenter' || (kind === 'client' && values.method !== 'agent');

  return (
    <form
      aria-label={`${kindWords[kind]} connection`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void whenSecretFits(async (connection) => {
          await save({ connection, ...secretInput, allowSecret }).unwrap();
          dispatch(draftDropped(form));
          onDone();
        });
      }}
    >
      <Stack gap="sm">
        <TextInput
          label="Name"
          description="How it is called on charts and in findings"
          required
          data-autofocus
          {...text('name')}
        />
        {kind === 'power' && (
          <PowerFields
            values={values}
            errors={errors}
            others={others}
            onType={(type) => set('powerType', type)}
            onMember={(name, value) =>
              set('source', { ...values.source, [name]: value }, `source.${name}`)
            }
          />
        )}
        {kind !== 'power' && (
          <Group grow align="flex-start">
            <TextInput
              label="Address"
              description="Host name or IP address"
              required
              {...text('host')}
            />
            <NumberInput
              label="Port"
              description="TCP port"
              required
              min={1}
              max={65_535}
              allowDecimal={false}
              value={values.port}
              error={errors.port}
              onChange={(value) => set('port', value)}
            />
          </Group>
        )}
        {kind !== 'power' && (
          <TextInput label="User" required autoComplete="off" {...text('user')} />
        )}
        {kind === 'client' && (
          <>
            <Stack gap={4}>
              <Text size="sm" fw={500} id="auth-label">
                Authentication
              </Text>
              <SegmentedControl
                aria-labelledby="auth-label"
                value={values.method}
                onChange={(value) => set('method', value)}
                data={[
                  { value: 'key', label: 'Key file' },
                  { value: 'agent', label: 'SSH agent' },
                  { value: 'password', label: 'Password' },
                ]}
              />
            </Stack>
            {values.method === 'key' && (
              <TextInput
                label="Private key"
                description="Path on this machine"
                placeholder="~/.ssh/id_ed25519"
                required
                classNames={{ input: 'mono' }}
                {...text('keyPath')}
              />
            )}
          </>
        )}
        {wantsSecret && (
          <PasswordInput
            label={secretLabel}
            error={secretError}
            description={
              again
                ? `Asked for again: what is stored is for ${targetWords(again.before)} and goes nowhere else`
                : existing
                  ? 'Left empty: the stored one is kept'
                  : secretLabel === 'Password'
                    ? undefined
                    : 'Empty when the key has none'
            }
            autoComplete="new-password"
            value={secret}
            onChange={(event) => {
              setSecret(event.currentTarget.value);
              setSecretError(null);
              setReport(null);
            }}
          />
        )}
        {again && !('keychain' in again.ref) && (
          <Checkbox
            size="sm"
            label={`Send the content of ${sourceWords(again.ref)} to ${targetWords(again.after)}`}
            checked={allowSecret}
            onChange={(event) => {
              setAllowSecret(event.currentTarget.checked);
              setSecretError(null);
            }}
          />
        )}
        {kind === 'client' && (
          <Select
            label="Jump host"
            description="Another client machine to go through"
            placeholder="None"
            clearable
            searchable
            data={clients.map((other) => ({ value: other.id, label: other.name }))}
            value={values.jumpId || null}
            onChange={(value) => set('jumpId', value ?? '')}
          />
        )}
        {kind === 'client' && (
          <Checkbox
            label="Allow SHA-1 signatures (ssh-rsa)"
            description="For a server so old that it knows no other. SHA-1 can be forged."
            checked={values.allowSha1}
            onChange={(event) => set('allowSha1', event.currentTarget.checked)}
          />
        )}
        {kind !== 'power' && (
          <TextInput
            label={kind === 'vcenter' ? 'Pinned certificate (SHA-256)' : 'Pinned host key'}
            description={
              kind === 'vcenter'
                ? 'Empty: the certificate must verify against the CAs of this machine'
                : 'Empty: the key must be in known_hosts'
            }
            classNames={{ input: 'mono' }}
            {...text('fingerprint')}
          />
        )}
        {identity && (
          <IdentityCard
            identity={identity}
            pinned={values.fingerprint}
            onPin={(fingerprint) => set('fingerprint', fingerprint)}
          />
        )}
        {report && <TestSteps report={report} />}
        {failure && <Failure title="That did not work" error={failure} />}
        <DialogFoot apart>
          <Group gap={8}>
            {kind !== 'power' && (
              <Button
                variant="default"
                loading={identifying.isLoading}
                onClick={() =>
                  void whenValid(async (connection) => {
                    setIdentity(await identify({ connection }).unwrap());
                  })
                }
              >
                {kind === 'vcenter' ? 'Read certificate' : 'Read host key'}
              </Button>
            )}
            <Button
              variant="default"
              loading={testing.isLoading}
              onClick={() =>
                void whenSecretFits(async (connection) => {
                  setReport(await test({ connection, ...secretInput }).unwrap());
                })
              }
            >
              Test
            </Button>
          </Group>
          <Group gap={8}>
            <Button variant="subtle" onClick={onDone}>
              Close
            </Button>
            <Button type="submit" loading={saving.isLoading}>
              Save
            </Button>
          </Group>
        </DialogFoot>
      </Stack>
    </form>
  );
}
