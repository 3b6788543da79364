import { AppError, type ErrorKind, fail } from '../../../src/core/base/errors.ts';
import { child, childrenNamed, textOf, type XmlNode } from './xml.ts';

/** A managed object: its type and its id, e.g. HostSystem `host-23`. */
export interface MoRef {
  type: string;
  id: string;
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
/** Text made safe for XML. Characters that XML 1.0 cannot carry are left out. */
export function escapeXml(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
    .replace(/[&<>"']/g, (c) => escapes[c] ?? c);
}
/**
 * An element with text. `undefined` leaves it out: optional parameters need no condition at the
 * caller.
 */
export function element(name: string, value: string | number | boolean | undefined): string {
  return value === undefined ? '' : `<${name}>${escapeXml(String(value))}</${name}>`;
}
/** An element that refers to a managed object. */
export function refElement(name: string, ref: MoRef | undefined): string {
  return ref === undefined
    ? ''
    : `<${name} type="${escapeXml(ref.type)}">${escapeXml(ref.id)}</${name}>`;
}
/** Element around ready XML. */
export function group(name: string, ...content: string[]): string {
  return `<${name}>${content.join('')}</${name}>`;
}

/**
 * The SOAP request of one method of one managed object. `args` is ready XML, in the order of the
 * API's schema.
 */
export function envelope(method: string, target: MoRef, args: string): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?>' +
    '<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" ' +
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><soapenv:Body>' +
    `<${method} xmlns="urn:vim25">${refElement('_this', target)}${args}</${method}>` +
    '</soapenv:Body></soapenv:Envelope>'
  );
}

export function refOf(node: XmlNode | null | undefined): MoRef | null {
  const id = textOf(node);
  return id === null || !node?.refType ? null : { type: node.refType, id };
}

interface FaultWords {
  kind: ErrorKind;
  message?: string;
  hint?: string;
}
/**
 * What vCenter's faults mean to the rest of the app. Everything else is `internal` with the fault's
 * name.
 */
const faults: Record<string, FaultWords> = {
  NotAuthenticated: { kind: 'authFailed', message: 'The vCenter session has ended.' },
  InvalidLogin: {
    kind: 'authFailed',
    message: 'vCenter refused the user name or password.',
    hint: 'Check the user (user@domain) and the password.',
  },
  InvalidLocale: { kind: 'authFailed' },
  PasswordExpired: {
    kind: 'authFailed',
    message: 'The password of the vCenter user has expired.',
    hint: 'Set a new password in vCenter.',
  },
  NoPermission: {
    kind: 'authFailed',
    message: 'The vCenter user lacks a privilege.',
    hint: 'Give the user the role described in docs/vcenter-role.md.',
  },
  RestrictedVersion: {
    kind: 'authFailed',
    message: 'The licence of this host does not allow the operation.',
  },
  ManagedObjectNotFound: {
    kind: 'notFound',
    message: 'The object does not exist in vCenter any more.',
    hint: 'Discover the inventory again.',
  },
  NotFound: { kind: 'notFound' },
  DuplicateName: { kind: 'conflict', message: 'The name is taken already.' },
  AlreadyExists: { kind: 'conflict' },
  InvalidState: { kind: 'conflict' },
  InvalidPowerState: { kind: 'conflict', message: 'The VM is in the wrong power state for this.' },
  ResourceInUse: { kind: 'conflict' },
  TaskInProgress: {
    kind: 'conflict',
    message: 'Another task runs on this object.',
    hint: 'Wait until it has ended.',
  },
  InsufficientResourcesFault: { kind: 'conflict', message: 'The target has not enough resources.' },
  RequestCanceled: { kind: 'aborted', message: 'The task was cancelled.' },
  InvalidArgument: { kind: 'invalidInput' },
  InvalidName: { kind: 'invalidInput' },
  HostNotReachable: { kind: 'unreachable', message: 'vCenter does not reach the host.' },
  HostCommunication: { kind: 'unreachable', message: 'vCenter does not reach the host.' },
  Timedout: { kind: 'timedOut' },
};

/** A vCenter fault as AppError. `what` names the operation, `text` is vCenter's own sentence. */
function faultError(
  what: string,
  type: string,
  text: string | null,
  privilege: string | null = null,
): AppError {
  const words = faults[type] ?? { kind: 'internal' as const };
  const said = text && !text.includes(type) ? ` vCenter says: ${text.slice(0, 500)}` : '';
  return fail(words.kind, `${what}: ${words.message ?? `${type}.`}${said}`, words.hint, {
    fault: type,
    ...(privilege ? { privilege } : {}),
  });
}
export function faultName(error: unknown): string | null {
  const name = error instanceof AppError ? error.details?.['fault'] : undefined;
  return typeof name === 'string' ? name : null;
}
export const isNotAuthenticated = (error: unknown): boolean =>
  faultName(error) === 'NotAuthenticated';

/** The type of a fault: by `xsi:type`, or by the name of its element. */
function faultType(node: XmlNode | null): string {
  return node?.type ?? node?.name.replace(/Fault$/, '') ?? 'UnknownFault';
}
/** LocalizedMethodFault, as it stands in missingSet and in a task's error. */
export function localizedFault(what: string, node: XmlNode): AppError {
  const fault = child(node, 'fault');
  return faultError(
    what,
    fault?.type ?? 'UnknownFault',
    textOf(child(node, 'localizedMessage')),
    textOf(child(fault, 'privilegeId')),
  );
}

/**
 * The `<…Response>` element of a SOAP answer. Throws AppError for a fault, and `unreachable` when
 * it is no SOAP answer.
 */
export function openEnvelope(what: string, root: XmlNode): XmlNode {
  const content = root.name === 'Envelope' ? child(root, 'Body')?.children[0] : undefined;
  if (!content)
    throw fail(
      'unreachable',
      `${what}: the answer is not one of a vCenter.`,
      'Check that the address and port are those of a vCenter.',
    );
  if (content.name !== 'Fault') return content;
  const detail = child(content, 'detail')?.children[0] ?? null;
  throw faultError(
    what,
    faultType(detail),
    textOf(child(content, 'faultstring')),
    textOf(child(detail, 'privilegeId')),
  );
}

export interface ServiceContent {
  rootFolder: MoRef;
  propertyCollector: MoRef;
  viewManager: MoRef;
  sessionManager: MoRef;
  perfManager: MoRef;
  authorizationManager: MoRef;
  /** Absent on a single host. */
  eventManager: MoRef | null;
  customizationSpecManager: MoRef | null;
  about: {
    fullName: string;
    version: string;
    build: string;
    apiVersion: string;
    apiType: string;
    instanceUuid: string;
  };
}
/** Decodes RetrieveServiceContent. Throws `unreachable` when what answers is not a vCenter. */
export function decodeServiceContent(what: string, response: XmlNode): ServiceContent {
  const value = child(response, 'returnval');
  const required = (name: string): MoRef => {
    const ref = refOf(child(value, name));
    if (!ref)
      throw fail(
        'unreachable',
        `${what}: ${name} is missing; what answers is not a vCenter.`,
        'Check that the address and port are those of a vCenter, not of a single host.',
      );
    return ref;
  };
  const about = child(value, 'about');
  const text = (name: string): string => textOf(child(about, name)) ?? '';
  return {
    rootFolder: required('rootFolder'),
    propertyCollector: required('propertyCollector'),
    viewManager: required('viewManager'),
    sessionManager: required('sessionManager'),
    perfManager: required('perfManager'),
    authorizationManager: required('authorizationManager'),
    eventManager: refOf(child(value, 'eventManager')),
    customizationSpecManager: refOf(child(value, 'customizationSpecManager')),
    about: {
      fullName: text('fullName'),
      version: text('version'),
      build: text('build'),
      apiVersion: text('apiVersion'),
      apiType: text('apiType'),
      instanceUuid: text('instanceUuid'),
    },
  };
}

/** All `returnval` elements of a response. */
/** Ids of an array of references. */
export const idsOf = (list: XmlNode | undefined): string[] =>
  (list?.children ?? []).flatMap((item) => textOf(item) ?? []);

export const returned = (response: XmlNode): XmlNode[] => childrenNamed(response, 'returnval');
