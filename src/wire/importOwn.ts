import type { PlanFile } from '../core/plan/plan.ts';
import { decideAll } from '../core/planImport/decide.ts';
import type { ImportSource } from '../core/planImport/schema.ts';
import type { Client, Output } from './contract.ts';

/** A plan file alone. */
export const sourceOf = (file: PlanFile): ImportSource => ({
  file,
  testbeds: [],
  profiles: [],
  study: null,
});

/**
 * Takes in a file that the caller made itself, or that stays in the simulated workspace: agrees to
 * what it holds and replaces what is stored under its ids.
 */
export async function importOwn(
  client: Pick<Client, 'call'>,
  source: ImportSource,
  signal?: AbortSignal,
): Promise<Output<'plan.import'>> {
  const preview = await client.call('plan.previewImport', source, signal);
  return client.call(
    'plan.import',
    { ...source, trust: preview.digest, decisions: decideAll(preview, 'replace') },
    signal,
  );
}
