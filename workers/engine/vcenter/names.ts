import { printableLine } from '../../../src/core/base/bounds.ts';
import type { ManagedObject } from './properties.ts';
import { textOf } from './xml.ts';

/**
 * vCenter writes `%`, `/` and `\` in names as %25, %2f and %5c, and nothing else. What does not
 * print in a name that somebody gave there is left out: no record of a run could be read with it.
 */
export function decodeName(name: string): string {
  return printableLine(
    name.replace(/%(25|2f|5c)/gi, (escaped) => String.fromCharCode(parseInt(escaped.slice(1), 16))),
  );
}
/** Name of a managed object; its reference where it has none. */
export const nameOf = (object: ManagedObject): string =>
  decodeName(textOf(object.props.get('name')) ?? object.ref.id);
