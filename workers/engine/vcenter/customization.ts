import { fail } from '../../../src/core/base/errors.ts';
import type { Core } from './core.ts';
import { element, escapeXml, faultName, returned } from './soap.ts';
import { child, type XmlNode } from './xml.ts';

/** A specification as vCenter gave it, to be sent back with a clone: types and references kept. */
export function writeXml(node: XmlNode, name = node.name): string {
  const type = node.type === null ? '' : ` xsi:type="${escapeXml(prefixed(node.type))}"`;
  const ref = node.refType === null ? '' : ` type="${escapeXml(node.refType)}"`;
  const namespace = builtIn.has(node.type ?? '')
    ? ' xmlns:xsd="http://www.w3.org/2001/XMLSchema"'
    : '';
  const content =
    node.children.length > 0
      ? node.children.map((one) => writeXml(one)).join('')
      : escapeXml(node.text);
  return `<${name}${namespace}${type}${ref}>${content}</${name}>`;
}
const prefixed = (type: string): string =>
  !type.includes(':') && builtIn.has(type) ? `xsd:${type}` : type;
const builtIn: ReadonlySet<string> = new Set([
  'string',
  'int',
  'long',
  'boolean',
  'dateTime',
  'base64Binary',
]);

/**
 * The `customization` element of a clone, from a specification stored in vCenter. To be called
 * within `withLogin`; throws notFound where there is none of that name.
 */
export async function customizationElement(
  core: Core,
  name: string,
  signal?: AbortSignal,
): Promise<string> {
  const missing = (): never => {
    throw fail(
      'notFound',
      `vCenter ${core.connection.name} has no customisation specification ${name}.`,
      'Choose another one in the testbed, or clone without.',
    );
  };
  const manager = core.content().customizationSpecManager ?? missing();
  let answer: XmlNode;
  try {
    answer = await core.call('GetCustomizationSpec', manager, element('name', name), { signal });
  } catch (error) {
    if (faultName(error) === 'NotFound') return missing();
    throw error;
  }
  const spec = child(returned(answer)[0], 'spec') ?? missing();
  return writeXml(spec, 'customization');
}
