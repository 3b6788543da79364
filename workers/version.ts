import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import * as z from 'zod';

/** The version in the package.json of the project folder. */
export function readVersion(rootDir: string): string {
  return z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(rootDir, 'package.json'), 'utf8'))).version;
}
