import { useEffect, useState } from 'react';

import { type AppErrorShape, toAppError } from '../../../core/base/errors.ts';
import { secretUseOf, targetWords } from '../../../core/plan/secretUse.ts';
import type { Connection } from '../../../core/testbed/connection.ts';
import { type SendCommand, useSendCommand } from '../../engine/sendCommand.ts';
import { draftDropped, drafted, useAppDispatch, useAppSelector } from '../../engine/store.ts';
import { asksTrust, trusting, works } from './attempt.ts';
import {
  type ConnectionValues,
  emptyValues,
  type FieldErrors,
  toConnections,
  valuesOf,
} from './formValues.ts';
import { askedAgain } from './secretAsked.ts';
import { type Connecting, useConnecting } from './useConnecting.ts';

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
  /** What the form stands for now; null = something is missing. */
  made: readonly [Connection, ...Connection[]] | null;
  connecting: Connecting;
  /** What the button does that comes next. */ next: 'connect' | 'trust' | 'save';
  failure: AppErrorShape | null;
  busy: boolean;
  goOn: () => Promise<void>;
  /** Keeps it as it is, whether it works or not. */ saveAnyway: () => Promise<void>;
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

/** The secret that is typed, whether the stored one may follow, and what is wrong with it. */
function useTypedSecret() {
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [allowed, setAllowed] = useState(false);
  return {
    typed,
    error,
    allowed,
    complain: setError,
    type: (next: string): void => {
      setTyped(next);
      setError(null);
    },
    allow: (next: boolean): void => {
      setAllowed(next);
      setError(null);
    },
    /** Another field was changed: what was allowed was for what stood there before. */
    reconsider: (): void => {
      setError(null);
      setAllowed(false);
    },
  };
}

/** Saves what was typed, once its other ends are trusted. */
function useKeeping(
  existing: Connection | undefined,
  secret: ReturnType<typeof useTypedSecret>,
  connecting: Connecting,
  done: () => void,
) {
  const send = useSendCommand();
  const [saving, setSaving] = useState(false);
  const keep = async (connections: readonly Connection[]): Promise<void> => {
    setSaving(true);
    try {
      await saveThem(send, connections, secret.typed, secret.allowed);
    } finally {
      setSaving(false);
    }
  };
  const trust = async (connections: readonly Connection[]): Promise<void> => {
    const stays = existing !== undefined && secret.typed === '' && secretUseOf(existing) !== null;
    if (stays) {
      // What is stored follows to the new certificate or key when the connection is saved.
      await keep(connections.map((one) => trusting(one, connecting.attempts[one.id]!)));
      done();
      return;
    }
    const ready = await connecting.trust(connections, secret.typed);
    if (ready.length > 0) await keep(ready);
    if (ready.length === connections.length) done();
  };
  return { saving, keep, trust };
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
  const secret = useTypedSecret();
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<AppErrorShape | null>(null);
  const connecting = useConnecting();
  const done = (): void => {
    dropDraft();
    onDone();
  };
  const { saving, keep, trust } = useKeeping(existing, secret, connecting, done);
  const typed = toConnections(values, existing, secret.typed !== '');
  const made = 'connections' in typed ? typed.connections : null;
  const again = made === null ? null : askedAgain(existing, made[0]);
  const next = nextOf(made ?? [], connecting.attempts);

  const set: SetValue = (field, value, complained = field) => {
    change({ [field]: value });
    setErrors(({ [complained]: _gone, ...rest }) => rest);
    setFailure(null);
    connecting.forget();
    secret.reconsider();
  };
  /** Work that shows a secret to the peer: not with one that was entered for another. */
  const whenItFits = async (
    work: (connections: readonly [Connection, ...Connection[]]) => Promise<void>,
  ): Promise<void> => {
    setFailure(null);
    if ('errors' in typed) {
      setErrors(typed.errors);
      return;
    }
    if (again !== null && secret.typed === '' && !secret.allowed) {
      secret.complain(`Enter it again: what is stored is for ${targetWords(again.before)}`);
      return;
    }
    try {
      await work(typed.connections);
    } catch (error) {
      setFailure(toAppError(error).toShape());
    }
  };
  return {
    values,
    errors,
    set,
    secret: {
      typed: secret.typed,
      type: (next) => {
        secret.type(next);
        connecting.forget();
      },
      error: secret.error,
      again,
      allowed: secret.allowed,
      allow: secret.allow,
    },
    made,
    connecting,
    next,
    failure,
    busy: saving || connecting.busy,
    goOn: () =>
      whenItFits(async (connections) => {
        if (next === 'connect') {
          const [first] = connections;
          if (
            existing === undefined &&
            secret.typed === '' &&
            secretUseOf(first)?.what === 'password'
          ) {
            secret.complain('Enter the password');
            return;
          }
          await connecting.connect(connections, secret.typed);
        } else if (next === 'trust') await trust(connections);
        else {
          await keep(connections);
          done();
        }
      }),
    saveAnyway: () =>
      whenItFits(async (connections) => {
        await keep(connections);
        done();
      }),
  };
}

/** A connection that works is saved; one whose other end is not trusted yet is trusted first. */
function nextOf(
  made: readonly Connection[],
  attempts: Connecting['attempts'],
): ConnectionFormState['next'] {
  const tried = made.flatMap(({ id }) => attempts[id] ?? []);
  if (tried.some(asksTrust)) return 'trust';
  return tried.length > 0 && tried.length === made.length && tried.every(works)
    ? 'save'
    : 'connect';
}

async function saveThem(
  send: SendCommand,
  connections: readonly Connection[],
  secret: string,
  allowSecret: boolean,
): Promise<void> {
  const [first, ...others] = connections;
  const typedSecret = secret === '' ? {} : { secret };
  if (first === undefined) return;
  if (others.length === 0)
    await send(
      'connection.save',
      { connection: first, ...typedSecret, allowSecret },
      { refusal: 'here' },
    );
  else
    await send(
      'connection.saveAll',
      { connections: [...connections], ...typedSecret },
      { refusal: 'here' },
    );
}
