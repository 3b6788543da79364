import { fail } from '../../../../src/core/base/errors.ts';
import type { HostedLab } from '../lab.ts';
import { splitHost } from '../names.ts';

/** Every hosted lab by id. */
export type Labs = ReadonlyMap<string, HostedLab>;

/**
 * The lab and the machine an address means. Throws unreachable, as a name that does not resolve.
 */
export function find(labs: Labs, host: string): { lab: HostedLab; name: string } {
  const split = splitHost(host, labs.keys());
  const lab = split && labs.get(split.labId);
  if (!split || !lab)
    throw fail(
      'unreachable',
      `${host} is not part of the simulated world.`,
      labs.size > 0
        ? `Simulated labs here: ${[...labs.keys()].map((id) => `${id}.sim`).join(', ')}.`
        : 'No simulated lab is loaded: install a study of the gallery first.',
      { step: 'name' },
    );
  return { lab, name: split.name };
}

/** A small, even and repeatable number in [0, 1) from words and numbers (FNV-1a). */
export function evenly(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const char of parts.join('\u0000')) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  return (hash >>> 0) / 2 ** 32;
}
