import { parseDuration } from '../../../core/base/duration.ts';
import { clientPlaces, splitPort } from '../../../core/testbed/clientPattern.ts';
import { type Connection, connectionSchema } from '../../../core/testbed/connection.ts';
import { powerSources } from '../../../core/testbed/power/index.ts';
import type { PowerField, PowerSourceKind } from '../../../core/testbed/power/kind.ts';
import {
  certificateOf,
  loginOfSource,
  type PowerType,
  powerTypes,
} from '../../../core/testbed/powerSources.ts';
import { fieldFault } from './fieldFault.ts';

/**
 * The form as typed: flat, strings where the user types. Never a secret: those have a field of
 * their own.
 */
export interface ConnectionValues {
  kind: Connection['kind'];
  id: string;
  name: string;
  host: string;
  port: number | string;
  user: string;
  fingerprint: string;
  method: 'key' | 'agent' | 'password';
  keyPath: string;
  jumpId: string;
  allowSha1: boolean;
  powerType: PowerType;
  /** Members of the power source by name, for each type: also of those that are not chosen. */
  sources: Readonly<Partial<Record<PowerType, SourceMembers>>>;
}
export type SourceMembers = Readonly<Record<string, number | string>>;

/** What stands in the fields of the chosen type of power source. */
export const membersOf = ({
  powerType,
  sources,
}: Pick<ConnectionValues, 'powerType' | 'sources'>): SourceMembers => sources[powerType] ?? {};

export const withMembers = (
  values: Pick<ConnectionValues, 'powerType' | 'sources'>,
  members: SourceMembers,
): ConnectionValues['sources'] => ({
  ...values.sources,
  [values.powerType]: { ...membersOf(values), ...members },
});

export function emptyValues(kind: Connection['kind'], id: string): ConnectionValues {
  return {
    kind,
    id,
    name: '',
    host: '',
    port: kind === 'vcenter' ? 443 : 22,
    user: kind === 'vcenter' ? 'administrator@vsphere.local' : kind === 'client' ? 'root' : '',
    fingerprint: '',
    method: 'key',
    keyPath: '',
    jumpId: '',
    allowSha1: false,
    powerType: powerTypes[0]!,
    sources: Object.fromEntries(
      powerTypes.map((type) => [
        type,
        Object.fromEntries(fieldsOf(type).map(({ name, initial }) => [name, initial])),
      ]),
    ),
  };
}

const fieldsOf = (type: PowerType): readonly PowerField[] =>
  rowsOf(type).flatMap((row) => (row === 'login' ? [] : row));

export const rowsOf = (type: PowerType): PowerSourceKind['rows'] => powerSources[type].rows;

/** What a source has of what the form asks for, as typed. */
function sourceOf(
  values: ConnectionValues,
  before: Connection | undefined,
): Record<string, unknown> {
  const { powerType, fingerprint, id } = values;
  const source = membersOf(values);
  const members = fieldsOf(powerType)
    .filter((field) => field.isHelper !== true && isAsked(field, source))
    .flatMap(({ name, input, initial, required }): [string, unknown][] => {
      const value = source[name] ?? '';
      const typed = typeof value === 'string' ? value.trim() : value;
      const known = typed === '' && required !== true ? initial : typed;
      if (known === '' && required !== true) return [];
      return [[name, read(input, known)]];
    });
  const { login, certificate } = guardsOf(powerType);
  const kept = before?.kind === 'power' ? loginOfSource(before.source)?.secret : undefined;
  return {
    type: powerType,
    ...Object.fromEntries(members),
    ...(login?.asks(source) ? { password: kept ?? { keychain: id } } : {}),
    ...(certificate?.(source) && fingerprint !== '' ? { fingerprint256: fingerprint } : {}),
  };
}

/** What was typed as the member of the source that it stands for; NaN where it is none. */
function read(input: PowerField['input'], typed: number | string): number | string {
  if (input === 'number') return Number(typed);
  if (input !== 'duration' || typeof typed === 'number') return typed;
  return (parseDuration(typed) ?? Number.NaN) * 1_000;
}

/** Whether the form asks for this field, as the others stand. */
export const isAsked = ({ when }: PowerField, source: SourceMembers): boolean =>
  when === undefined || when.is.includes(String(source[when.member] ?? ''));

/** What a type of source has beside its fields. */
export const guardsOf = (
  type: PowerType,
): Pick<PowerSourceKind, 'login' | 'certificate' | 'watches' | 'note'> =>
  powerSources[type] as unknown as PowerSourceKind;

export function valuesOf(connection: Connection): ConnectionValues {
  const base = { ...emptyValues(connection.kind, connection.id), name: connection.name };
  if (connection.kind === 'vcenter')
    return {
      ...base,
      host: connection.host,
      port: connection.port,
      user: connection.user,
      fingerprint: connection.fingerprint256 ?? '',
    };
  if (connection.kind === 'client')
    return {
      ...base,
      host: connection.host,
      port: connection.port,
      user: connection.user,
      fingerprint: connection.hostKeySha256 ?? '',
      method: connection.auth.method,
      keyPath: connection.auth.method === 'key' ? connection.auth.path : '',
      jumpId: connection.jumpId ?? '',
      allowSha1: connection.allowSha1 ?? false,
    };
  const { type, ...members } = connection.source;
  const typed = Object.entries(members).filter(
    (entry): entry is [string, number | string] =>
      typeof entry[1] === 'number' || typeof entry[1] === 'string',
  );
  return {
    ...base,
    powerType: type,
    fingerprint: certificateOf(connection.source)?.pinned ?? '',
    sources: {
      ...base.sources,
      [type]: { ...base.sources[type], ...Object.fromEntries(typed) },
    },
  };
}

/** Labels of the fields, by the path of the schema's complaint. */
const fieldOf: Readonly<Record<string, keyof ConnectionValues>> = {
  host: 'host',
  port: 'port',
  user: 'user',
  name: 'name',
  fingerprint256: 'fingerprint',
  hostKeySha256: 'fingerprint',
  'auth.path': 'keyPath',
  'source.fingerprint256': 'fingerprint',
};

/** By field; of a power source `source.` and its member. */
export type FieldErrors = Readonly<Record<string, string>>;

/**
 * The checked connections, or what is wrong by field. New client machines are as many as the
 * patterns of name and address stand for. `before` keeps secret references that the form does not
 * show.
 */
export function toConnections(
  values: ConnectionValues,
  before: Connection | undefined,
  hasPassphrase: boolean,
): { connections: readonly [Connection, ...Connection[]] } | { errors: FieldErrors } {
  const all: Connection[] = [];
  if (values.kind === 'client' && before === undefined) {
    const made = clientPlaces(values);
    if ('problem' in made) return { errors: { [made.field]: made.problem } };
    for (const [index, place] of made.places.entries()) {
      const id = index === 0 ? values.id : `${values.id}-${index + 1}`;
      const one = toConnection({ ...values, ...place, id }, undefined, hasPassphrase);
      if ('errors' in one) return one;
      all.push(one.connection);
    }
  } else {
    const { host, port } = splitPort(values.host.trim());
    const place = { host, port: port ?? values.port };
    const proposed = values.kind === 'power' ? powerSources[values.powerType].label : values.host;
    const name = values.name.trim() || proposed;
    const one = toConnection({ ...values, ...place, name }, before, hasPassphrase);
    if ('errors' in one) return one;
    all.push(one.connection);
  }
  return { connections: all as [Connection, ...Connection[]] };
}

function toConnection(
  values: ConnectionValues,
  before: Connection | undefined,
  hasPassphrase: boolean,
): { connection: Connection } | { errors: FieldErrors } {
  const common = { id: values.id, name: values.name.trim() };
  const place = { host: values.host.trim(), port: Number(values.port) };
  const kept = before?.kind === 'vcenter' ? before.password : undefined;
  const keychain = { keychain: values.id };
  const oldAuth = before?.kind === 'client' ? before.auth : undefined;
  const auth =
    values.method === 'agent'
      ? { method: 'agent' }
      : values.method === 'password'
        ? {
            method: 'password',
            password: oldAuth?.method === 'password' ? oldAuth.password : keychain,
          }
        : {
            method: 'key',
            path: values.keyPath.trim(),
            ...(oldAuth?.method === 'key' && oldAuth.passphrase
              ? { passphrase: oldAuth.passphrase }
              : hasPassphrase
                ? { passphrase: keychain }
                : {}),
          };
  const raw =
    values.kind === 'vcenter'
      ? {
          kind: 'vcenter',
          ...common,
          ...place,
          user: values.user.trim(),
          password: kept ?? keychain,
          ...(values.fingerprint ? { fingerprint256: values.fingerprint } : {}),
        }
      : values.kind === 'client'
        ? {
            kind: 'client',
            ...common,
            ...place,
            user: values.user.trim(),
            auth,
            ...(values.fingerprint ? { hostKeySha256: values.fingerprint } : {}),
            ...(values.jumpId ? { jumpId: values.jumpId } : {}),
            ...(values.allowSha1 ? { allowSha1: true } : {}),
          }
        : {
            kind: 'power',
            ...common,
            source: sourceOf(values, before),
          };
  const parsed = connectionSchema.safeParse(raw);
  if (parsed.success) return { connection: parsed.data };
  const errors: Record<string, string> = {};
  // A union tells no more of a number that is none than that no type fits: the chosen one does.
  const ofSource =
    values.kind === 'power'
      ? (powerSources[values.powerType].schema
          .safeParse(sourceOf(values, before))
          .error?.issues.map((issue) => ({ ...issue, path: ['source', ...issue.path] })) ?? [])
      : [];
  const issues = parsed.error.issues.flatMap((issue) =>
    issue.code === 'invalid_union' ? ofSource : [issue],
  );
  for (const issue of issues) {
    const path = issue.path.join('.');
    const field = fieldOf[path] ?? (path.startsWith('source.') ? path : 'name');
    errors[field] ??= fieldFault(issue, {
      typed: path.startsWith('source.')
        ? membersOf(values)[path.slice('source.'.length)]
        : path === 'port'
          ? values.port
          : undefined,
      isDuration: fieldsOf(values.powerType).some(
        ({ name, input }) => `source.${name}` === path && input === 'duration',
      ),
    });
  }
  // A name is only missing where the address that it would be is.
  if (errors['host'] !== undefined && values.name.trim() === '') delete errors['name'];
  return { errors };
}
