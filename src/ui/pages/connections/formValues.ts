import { type Connection, connectionSchema } from '../../../core/testbed/testbed.ts';

/** The form as typed: flat, strings where the user types. Never a secret: those have a field of their own. */
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
  powerType: 'nut' | 'vcenter';
  ups: string;
  variable: string;
  periodMs: number | string;
  vcenterId: string;
}

export const defaultPort: Readonly<Record<Connection['kind'], number>> = {
  vcenter: 443,
  client: 22,
  power: 3493,
};

export function emptyValues(kind: Connection['kind'], id: string): ConnectionValues {
  return {
    kind,
    id,
    name: '',
    host: '',
    port: defaultPort[kind],
    user: kind === 'vcenter' ? 'administrator@vsphere.local' : kind === 'client' ? 'root' : '',
    fingerprint: '',
    method: 'key',
    keyPath: '',
    jumpId: '',
    allowSha1: false,
    powerType: 'nut',
    ups: '',
    variable: 'ups.realpower',
    periodMs: 1_000,
    vcenterId: '',
  };
}

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
  const { source } = connection;
  return source.type === 'nut'
    ? {
        ...base,
        host: source.host,
        port: source.port,
        ups: source.ups,
        variable: source.variable,
        periodMs: source.periodMs,
      }
    : { ...base, powerType: 'vcenter', vcenterId: source.vcenterId };
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
  'source.host': 'host',
  'source.port': 'port',
  'source.ups': 'ups',
  'source.variable': 'variable',
  'source.periodMs': 'periodMs',
  'source.vcenterId': 'vcenterId',
};

export type FieldErrors = Partial<Record<keyof ConnectionValues, string>>;

/** A checked connection, or what is wrong by field. `before` keeps secret references that the form does not show. */
export function toConnection(
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
            source:
              values.powerType === 'nut'
                ? {
                    type: 'nut',
                    ...place,
                    ups: values.ups.trim(),
                    variable: values.variable.trim() || 'ups.realpower',
                    periodMs: Number(values.periodMs),
                  }
                : { type: 'vcenter', vcenterId: values.vcenterId },
          };
  const parsed = connectionSchema.safeParse(raw);
  if (parsed.success) return { connection: parsed.data };
  const errors: FieldErrors = {};
  for (const issue of parsed.error.issues) {
    const field = fieldOf[issue.path.join('.')] ?? 'name';
    errors[field] ??=
      issue.code === 'too_small' && issue.origin === 'string'
        ? 'Fill in this field'
        : issue.message;
  }
  return { errors };
}
