export type Platform = 'linux' | 'win32' | 'darwin';
export type Arch = 'x64' | 'arm64';

/** One machine that packages are made for, and the Electron they carry. */
export interface Target {
  platform: Platform;
  arch: Arch;
  /** Folder of the zip and its version: `electron-v45.4.1-linux-x64.zip`. */
  zipDir: string;
  electronVersion: string;
}

/** What every package of one call has in common. */
export interface Release {
  root: string;
  /** Of the application; with the stand-in of the tests inside it says so. */
  version: string;
  /** Where the packages go. */
  outDir: string;
  /** Where they are put together; gone at the end. */
  workDir: string;
  /** Times in the packages are those of the commit, in seconds since 1970. */
  epochS: number;
  /** Packed quickly and not small: for tests. */
  fast: boolean;
}

/** Name of the window's program: `tilebench` is the command line's. */
export const windowProgram = 'tilebench-console';

/** Beside Electron's own files: what Node runs and reads, in no archive. */
export const consoleFolder = 'console';
