import * as z from 'zod';

import { fail } from '../../../src/core/base/errors.ts';
import type { SshHost } from '../deps/ssh.ts';
import { quote } from './shell.ts';

/**
 * Folders whose entries are devices and switches of the system: nothing is made or removed there.
 */
const systemFolder = /^\/+(dev|proc|sys)(\/|$)/;

/** A directory for test files: absolute, of one line, and none of the system's own. */
export const testDirectory = (description: string) =>
  z
    .string()
    .max(1_000)
    .regex(/^$|^\/[^\0-\x1f\x7f]*$/, 'an absolute path of one line')
    .refine((path) => !systemFolder.test(path) && !path.split('/').includes('..'), {
      message: 'not in /dev, /proc or /sys, and without ..',
    })
    .default('')
    .describe(description);

/** What a script below says, and what that means. */
const refusals: Readonly<Record<string, [message: string, hint: string]>> = {
  'not-a-file': [
    'is there already and is no regular file',
    'Give another file name or directory. Links, devices and folders are never written.',
  ],
  'not-ours': [
    'is there already and was not made by Tilebench',
    'Give another file name, or move the file away. A file of somebody else is never overwritten.',
  ],
};

/**
 * Makes an empty regular file that Tilebench owns, or finds it again. The owner's mark lies beside
 * it and names the file by device and inode, so that a file that took its place is not ours. Throws
 * conflict for anything that was there before.
 */
export async function ownFile(host: SshHost, path: string, signal?: AbortSignal): Promise<void> {
  const made = await host.exec(
    `f=${quote(path)}; m="$f.tilebench"
if [ -L "$f" ] || { [ -e "$f" ] && [ ! -f "$f" ]; }; then echo not-a-file; exit 9; fi
if [ -e "$f" ]; then [ "$(cat -- "$m" 2>/dev/null)" = "$(stat -c %d:%i -- "$f")" ] || { echo not-ours; exit 9; }
else (set -C; : > "$f") 2>&1 && stat -c %d:%i -- "$f" > "$m"; fi`,
    signal ? { signal } : {},
  );
  if (made.code === 0) return;
  const said = made.stdout.trim();
  const [message, hint] = refusals[said] ?? [
    `cannot be made: ${said || made.stderr.trim()}`,
    'Check the space and the permissions of the directory.',
  ];
  throw fail('conflict', `The test file ${path} ${message}.`, hint);
}

/**
 * To be run after a tool that replaces the file while it fills it, as fio does with one that is too
 * small: the new one is ours too.
 */
export const markOwnFile = (path: string): string =>
  `f=${quote(path)}; stat -c %d:%i -- "$f" > "$f.tilebench"`;

/** Removes the file that `ownFile` made, and its mark; whatever else stands there stays. */
export async function removeOwnFile(
  host: SshHost,
  path: string,
  signal?: AbortSignal,
): Promise<void> {
  const removed = await host.exec(
    `f=${quote(path)}; m="$f.tilebench"
if [ -f "$f" ] && [ ! -L "$f" ] && [ "$(cat -- "$m" 2>/dev/null)" = "$(stat -c %d:%i -- "$f")" ]; then rm -f -- "$f" "$m"; fi`,
    signal ? { signal } : {},
  );
  if (removed.code !== 0)
    throw fail(
      'conflict',
      `The test file ${path} cannot be removed: ${removed.stderr.trim()}`,
      'Remove it by hand.',
    );
}
