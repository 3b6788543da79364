import { useEffect, useState } from 'react';

import type { AppErrorShape } from '../../../core/base/errors.ts';
import { targetWords } from '../../../core/plan/secretUse.ts';
import type { Connection } from '../../../core/testbed/connection.ts';
import type { Identity, TestReport } from '../../../wire/contract/connections.ts';
import {
  useConnectionIdentifyMutation,
  useConnectionSaveMutation,
  useConnectionTestMutation,
} from '../../engine/api.ts';
import { draftDropped, drafted, useAppDispatch, useAppSelector } from '../../engine/store.ts';
import {
  type ConnectionValues,
  emptyValues,
  type FieldErrors,
  toConnection,
  valuesOf,
} from './formValues.ts';
import { askedAgain } from './secretAsked.ts';

type SetValue = <K extends keyof ConnectionValues>(
  field: K,
  value: ConnectionValues[K],
  /** The complaint that this answers. */ complained?: string,
) => void;

export interface ConnectionFormState {
  values: ConnectionValues;
  errors: FieldErrors;
  set: SetValue;
  secret: SecretState;
  /** What the other end presented. */ identity: Identity | null;
  report: TestReport | null;
  failure: AppErrorShape | null;
  /** Which call is under way. */ busy: Readonly<Record<'identify' | 'test' | 'save', boolean>>;
  identify: () => Promise<void>;
  test: () => Promise<void>;
  save: () => Promise<void>;
}

/** The secret as typed, and whether the stored one may go where the form says now. */
export interface SecretState {
  typed: string;
  type: (secret: string) => void;
  error: string | null;
  /** Why it is asked for again; null = it is not. */ again: ReturnType<typeof askedAgain>;
  /** The stored one is sent to another peer, on purpose. */ allowed: boolean;
  allow: (allowed: boolean) => void;
}

/** The values as typed; they survive closing the form. */
function useConnectionValues(
  kind: Connection['kind'],
  id: string,
  existing: Connection | undefined,
): {
  values: ConnectionValues;
  change: (patch: Partial<ConnectionValues>) => void;
  dropDraft: () => void;
} {
  const dispatch = useAppDispatch();
  const form = `connection ${existing ? id : `new ${kind}`}`;
  const draft = useAppSelector((state) => state.drafts[form] as ConnectionValues | undefined);
  const [values, setValues] = useState<ConnectionValues>(() => ({
    // A draft may be of an earlier version, and know less.
    ...emptyValues(kind, id),
    ...(draft ?? (existing && valuesOf(existing))),
    id,
  }));
  const [dirty, setDirty] = useState(false);
  useEffect(() => {
    if (dirty) dispatch(drafted({ form, values }));
  }, [dirty, dispatch, form, values]);
  return {
    values,
    change: (patch) => {
      setDirty(true);
      setValues((now) => ({ ...now, ...patch }));
    },
    dropDraft: () => dispatch(draftDropped(form)),
  };
}

/** What is typed into the form of a connection, and what is done with it. */
export function useConnectionForm({
  kind,
  id,
  existing,
  onDone,
}: {
  kind: Connection['kind'];
  id: string;
  existing: Connection | undefined;
  onDone: () => void;
}): ConnectionFormState {
  const { values, change, dropDraft } = useConnectionValues(kind, id, existing);
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
  const typed = toConnection(values, existing, secret !== '');
  const again = 'connection' in typed ? askedAgain(existing, typed.connection) : null;
  const secretInput = secret === '' ? {} : { secret };

  const set: SetValue = (field, value, complained = field) => {
    change({ [field]: value });
    setErrors(({ [complained]: _gone, ...rest }) => rest);
    setReport(null);
    setSecretError(null);
    setAllowSecret(false);
  };
  const whenValid = async (work: (connection: Connection) => Promise<void>): Promise<void> => {
    setFailure(null);
    if ('errors' in typed) {
      setErrors(typed.errors);
      return;
    }
    try {
      await work(typed.connection);
    } catch (error) {
      setFailure(error as AppErrorShape);
    }
  };
  /** Work that shows a secret to the peer: not with one that was entered for another. */
  const whenSecretFits = (work: (connection: Connection) => Promise<void>): Promise<void> =>
    whenValid(async (connection) => {
      if (again === null || secret !== '' || allowSecret) await work(connection);
      else setSecretError(`Enter it again: what is stored is for ${targetWords(again.before)}`);
    });
  return {
    values,
    errors,
    set,
    secret: {
      typed: secret,
      type: (next) => {
        setSecret(next);
        setSecretError(null);
        setReport(null);
      },
      error: secretError,
      again,
      allowed: allowSecret,
      allow: (allowed) => {
        setAllowSecret(allowed);
        setSecretError(null);
      },
    },
    identity,
    report,
    failure,
    busy: {
      identify: identifying.isLoading,
      test: testing.isLoading,
      save: saving.isLoading,
    },
    identify: () =>
      whenValid(async (connection) => setIdentity(await identify({ connection }).unwrap())),
    test: () =>
      whenSecretFits(async (connection) =>
        setReport(await test({ connection, ...secretInput }).unwrap()),
      ),
    save: () =>
      whenSecretFits(async (connection) => {
        await save({ connection, ...secretInput, allowSecret }).unwrap();
        dropDraft();
        onDone();
      }),
  };
}
