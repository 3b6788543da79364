import type { importBytes } from './importBytes.ts';

type Imported = ReturnType<typeof importBytes>;

/** How a file comes to harm; each keeps most of it. */
const damages: Readonly<Record<string, (bytes: Buffer, at: number, length: number) => Buffer>> = {
  cut: (bytes, at) => bytes.subarray(0, at),
  'a hole': (bytes, at, length) =>
    Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]),
  'a part twice': (bytes, at, length) =>
    Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]),
  'zeros in it': (bytes, at, length) =>
    Buffer.concat([bytes.subarray(0, at), Buffer.alloc(length), bytes.subarray(at + length)]),
  'another log in it': (bytes, at, length) =>
    Buffer.concat([
      bytes.subarray(0, at),
      bytes.subarray(Math.max(0, at - 3 * length), at - length),
      bytes.subarray(at),
    ]),
};
export const damageKinds = Object.keys(damages);

const figuresOf = ({ series }: Imported): string[] =>
  series.flatMap((s) => s.samples.map(([t, v]) => `${s.metric} ${t} ${v.toFixed(4)}`));

/**
 * Harms a file in 39 places and expects that no figure comes in that the whole file does not have,
 * unless something is said to be left out. Gives how often that was said, or the file refused. Where
 * a hole ends between lines nobody can know of it.
 */
export function toldDamages(
  read: (bytes: Uint8Array) => Imported,
  bytes: Buffer,
  kind: string,
): number {
  const all = new Set(figuresOf(read(bytes)));
  let told = 0;
  for (let i = 1; i < 40; i += 1) {
    const at = Math.floor((bytes.length * i) / 40);
    // What ends between two lines is a shorter log.
    if (kind === 'cut' && bytes[at - 1] === 10) continue;
    const hurt = damages[kind]!(bytes, at, Math.floor(bytes.length / 9));
    let found: Imported;
    try {
      found = read(hurt);
    } catch (thrown) {
      expect(thrown).toMatchObject({ kind: 'invalidInput' });
      told += 1;
      continue;
    }
    if (found.dropped > 0) told += 1;
    else if (kind !== 'a hole') expect(figuresOf(found).filter((one) => !all.has(one))).toEqual([]);
  }
  return told;
}
