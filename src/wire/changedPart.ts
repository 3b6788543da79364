import type { AppErrorShape } from '../core/base/errors.ts';

/** What is told where a file at `path` is not the one that the package brought, and why not. */
export const changedPart = (path: string, why: string): AppErrorShape => ({
  kind: 'untrusted',
  message: `${path} is not the file that the package of Tilebench brought: ${why}.`,
  hint:
    'If Tilebench was upgraded while it was open, quit it and start it again. Else install the ' +
    'package again: the disk lost something, or somebody changed it. On Debian dpkg --verify ' +
    'tilebench names every file that differs.',
  details: { changedPart: path },
});

/** What it is started from is not what its package brought: trying again changes nothing. */
export const isChanged = (error: AppErrorShape | null): boolean =>
  error?.details?.['changedPart'] !== undefined;
