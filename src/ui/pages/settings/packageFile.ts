import { fail } from '../../../core/base/errors.ts';
import type { DesktopApi } from '../../../wire/desktop.ts';

const pieceBytes = 4 * 1024 * 1024;
/** A package is a quarter of it; it is read into memory as a whole. */
const maxBytes = 1024 * 1024 * 1024;

/**
 * Name, length and SHA-256 (in hex) of a package that somebody chooses; null = nothing was chosen.
 * `onChosen` hears its name before it is read. Throws invalidInput for a file that is too large.
 */
export async function chooseFile(
  desktop: Pick<DesktopApi, 'openBinary'>,
  onChosen: (name: string) => void,
): Promise<{ name: string; bytes: number; sha256: string } | null> {
  const file = await desktop.openBinary(['deb', 'rpm', 'gz', 'zip', 'exe']);
  if (file === null) return null;
  onChosen(file.name);
  try {
    if (file.size > maxBytes)
      throw fail('invalidInput', `${file.name} is larger than 1 GiB.`, 'It is no package of ours.');
    const whole = new Uint8Array(file.size);
    for (let at = 0; at < file.size;) {
      const piece = await file.read(at, Math.min(file.size, at + pieceBytes));
      if (piece.length === 0)
        throw fail('invalidInput', `${file.name} ended while it was read.`, 'Choose it again.');
      whole.set(piece, at);
      at += piece.length;
    }
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', whole));
    const sha256 = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    return { name: file.name, bytes: file.size, sha256 };
  } finally {
    file.close();
  }
}
