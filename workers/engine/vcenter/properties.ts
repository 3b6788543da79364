import { fail } from '../../../src/core/base/errors.ts';
import type { Core } from './core.ts';
import {
  element,
  faultName,
  group,
  localizedFault,
  type MoRef,
  refElement,
  refOf,
  returned,
} from './soap.ts';
import { child, childrenNamed, textOf, type XmlNode } from './xml.ts';

/**
 * One object as the property collector gives it. What the user may not see, or what is not set, is
 * absent.
 */
export interface ManagedObject {
  ref: MoRef;
  props: ReadonlyMap<string, XmlNode>;
}
/** Type → property paths. */
export type Wanted = Readonly<Record<string, readonly string[]>>;

const pageSize = 250;
const readLimitMs = 180_000;
/** Pages of one answer: a server that never ends its tokens must not hold us for ever. */
const maxPages = 4_000;

/**
 * Decodes one page. Throws the fault when the session has ended: vCenter reports that per property,
 * with HTTP 200.
 */
export function decodePage(
  what: string,
  page: XmlNode | null,
): { objects: ManagedObject[]; token: string | null } {
  const objects: ManagedObject[] = [];
  for (const node of childrenNamed(page, 'objects')) {
    const ref = refOf(child(node, 'obj'));
    if (!ref) continue;
    const props = new Map<string, XmlNode>();
    for (const part of node.children) {
      if (part.name === 'propSet') {
        const name = textOf(child(part, 'name'));
        const value = child(part, 'val');
        if (name !== null && value) props.set(name, value);
      } else if (part.name === 'missingSet') {
        const fault = child(part, 'fault');
        const error = fault && localizedFault(what, fault);
        if (error && faultName(error) === 'NotAuthenticated') throw error;
      }
    }
    objects.push({ ref, props });
  }
  return { objects, token: textOf(child(page, 'token')) };
}

async function collect(
  core: Core,
  specSet: string,
  signal?: AbortSignal,
): Promise<ManagedObject[]> {
  const collector = core.content().propertyCollector;
  const what = `Reading properties from vCenter ${core.connection.name}`;
  const options = { signal, limitMs: readLimitMs };
  const first = await core.call(
    'RetrievePropertiesEx',
    collector,
    specSet + group('options', element('maxObjects', pageSize)),
    options,
  );
  let page = decodePage(what, returned(first)[0] ?? null);
  const all = page.objects;
  for (let pages = 1; page.token !== null; pages += 1) {
    if (pages > maxPages)
      throw fail('internal', `${what}: the answer has more than ${maxPages} pages.`);
    // A token is good for one call.
    const next = await core.call(
      'ContinueRetrievePropertiesEx',
      collector,
      element('token', page.token),
      { ...options, repeatable: false },
    );
    page = decodePage(what, returned(next)[0] ?? null);
    for (const object of page.objects) all.push(object);
  }
  return all;
}

function propSets(wanted: Wanted): string {
  return Object.entries(wanted)
    .map(([type, paths]) =>
      group(
        'propSet',
        element('type', type),
        element('all', false),
        ...paths.map((path) => element('pathSet', path)),
      ),
    )
    .join('');
}

/**
 * Properties of every object of the wanted types below the root folder. To be called within
 * `withLogin`: the view belongs to the session.
 */
export async function readAll(
  core: Core,
  wanted: Wanted,
  signal?: AbortSignal,
): Promise<ManagedObject[]> {
  const { viewManager, rootFolder } = core.content();
  const types = Object.keys(wanted)
    .map((type) => element('type', type))
    .join('');
  const response = await core.call(
    'CreateContainerView',
    viewManager,
    refElement('container', rootFolder) + types + element('recursive', true),
    { signal },
  );
  const view = refOf(child(response, 'returnval'));
  if (!view)
    throw fail('internal', `vCenter ${core.connection.name} gave no view of its inventory.`);
  const traversal = [
    '<selectSet xsi:type="TraversalSpec">',
    element('name', 'view'),
    element('type', 'ContainerView'),
    element('path', 'view'),
    element('skip', false),
    '</selectSet>',
  ].join('');
  try {
    return await collect(
      core,
      group(
        'specSet',
        propSets(wanted),
        group('objectSet', refElement('obj', view), element('skip', true), traversal),
      ),
      signal,
    );
  } finally {
    // Also after a failure; where the session is gone the view is gone with it.
    await core.call('DestroyView', view, '', { limitMs: 10_000 }).catch((error: unknown) => {
      core.log.debug('A vCenter view was not destroyed', { error: String(error) });
    });
  }
}

/** Properties of the objects named. An object that no longer exists throws `notFound`. */
export async function readObjects(
  core: Core,
  refs: readonly MoRef[],
  wanted: Wanted,
  signal?: AbortSignal,
): Promise<ManagedObject[]> {
  if (refs.length === 0) return [];
  return collect(
    core,
    group(
      'specSet',
      propSets(wanted),
      ...refs.map((ref) => group('objectSet', refElement('obj', ref), element('skip', false))),
    ),
    signal,
  );
}

/** One object's properties. */
export async function readObject(
  core: Core,
  ref: MoRef,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<ManagedObject> {
  const found = (await readObjects(core, [ref], { [ref.type]: paths }, signal))[0];
  if (!found)
    throw fail(
      'notFound',
      `${ref.id} does not exist in vCenter ${core.connection.name}.`,
      'Discover the inventory again.',
    );
  return found;
}
