import { resolve } from 'node:path';

import { bundleText } from '../../src/core/roles/words.ts';
import { makeBundle } from '../engine/guests/bundle/makeBundle.ts';
import { roleNamed, settingsOf } from './guests.ts';
import type { Terminal } from './output.ts';
import type { Interrupts } from './run.ts';

/** Makes a bundle of roles. An interrupt ends it and leaves no file. */
export async function bundleRoles(
  ids: readonly string[],
  given: { out: string; for?: string; architecture?: string; mirror?: string; json?: boolean },
  terminal: Terminal,
  interrupts: Interrupts,
): Promise<void> {
  const roles = [...new Set(ids)].map(roleNamed);
  const mirror = settingsOf(given.mirror ?? '').mirror;
  const stop = new AbortController();
  const stopHearing = interrupts.on(() => stop.abort());
  try {
    const bundle = await makeBundle({
      roles,
      out: resolve(given.out),
      nowMs: Date.now(),
      signal: stop.signal,
      onProgress: (text) => terminal.err(text),
      ...(given.for === undefined ? {} : { release: given.for }),
      ...(given.architecture === undefined ? {} : { architecture: given.architecture }),
      ...(mirror === '' ? {} : { mirror }),
    });
    if (given.json) terminal.out(JSON.stringify({ path: resolve(given.out), ...bundle }));
    else terminal.out(`${given.out}: ${bundleText(bundle)}\nSHA-256 ${bundle.sha256}`);
  } finally {
    stopHearing();
  }
}
