import { readFileSync } from 'node:fs';

/** What a driver's check says of the tilekit that is built from this repository. */
export const kitVersion = `tilekit ${
  /^const version = "([\d.]+)"$/m.exec(readFileSync('kit/main.go', 'utf8'))?.[1] ??
  'without version'
}`;
