import fs from 'node:fs';
import { release } from 'node:os';

import { type Crash, crashFile, keepReport } from '../src/wire/crashReport.ts';

/**
 * Keeps the report of a crash in `folder`; gives its path. Throws the system's error where it cannot
 * be written.
 */
export const keepCrash = (folder: string, crash: Crash, version: string): string =>
  keepReport(
    fs,
    folder,
    crashFile(crash, {
      Tilebench: version,
      Node: process.versions.node,
      System: `${process.platform} ${process.arch} ${release()}`,
    }),
  );
