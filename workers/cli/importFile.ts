import { counted } from '../../src/core/base/counted.ts';
import { fail } from '../../src/core/base/errors.ts';
import { visibleLines, visibleText } from '../../src/core/base/visibleText.ts';
import { decideAll } from '../../src/core/planImport/decide.ts';
import type {
  ImportDecision,
  ImportPreview,
  ImportSource,
} from '../../src/core/planImport/schema.ts';
import type { Client, Output } from '../../src/wire/contract.ts';
import { importOwn } from '../../src/wire/importOwn.ts';
import type { Terminal } from './output.ts';

/** What the person said beforehand. */
export interface Consent {
  trust: boolean;
  clash: ImportDecision | null;
  /** In the simulated workspace nothing leaves the machine: nothing is asked. */ simulated: boolean;
}

/**
 * Takes a plan or study file in. One that nobody agreed to, or that clashes with what is stored, is
 * shown on stderr and refused as bad input; `trust` agrees, and prints to what.
 */
export async function importWithConsent(
  client: Client,
  source: ImportSource,
  { trust, clash, simulated }: Consent,
  terminal: Terminal,
  signal?: AbortSignal,
): Promise<Output<'plan.import'>> {
  if (simulated) return importOwn(client, source, signal);
  const preview = await client.call('plan.previewImport', source, signal);
  if (!preview.trusted)
    printPreview(terminal, preview, trust ? 'Trusted with --trust' : 'Not trusted yet');
  if (preview.clashes.length > 0) printClashes(terminal, preview, clash);
  const asked = [
    ...(!preview.trusted && !trust ? ['--trust to agree to the hosts, secrets and commands'] : []),
    ...(preview.clashes.length > 0 && clash === null
      ? ['--clash keep, new or replace for what is stored already']
      : []),
  ];
  if (asked.length > 0)
    throw fail(
      'invalidInput',
      `Nothing of plan ${visibleText(preview.plan.name)} was stored, sent or run.`,
      `If all of the above is right, run the command again with ${asked.join(', and with ')}.`,
    );
  return client.call(
    'plan.import',
    { ...source, trust: preview.digest, decisions: decideAll(preview, clash ?? 'keep') },
    signal,
  );
}

const secretWords = {
  none: '',
  allowed: ' (sent there already)',
  allow: ' (will be sent there)',
  enter: ' (asked for: not stored for this host)',
} as const;

function printPreview(
  terminal: Terminal,
  { plan, peers, loads, changes }: ImportPreview,
  title: string,
): void {
  terminal.err(`${title}: plan ${visibleText(plan.name)}`);
  terminal.err(`  Reaches (${counted(peers.length, 'connection')})`);
  for (const peer of peers) {
    const who = `${peer.user === null ? '' : `${peer.user}@`}${peer.address}`;
    const via = peer.via === null ? '' : ` through ${peer.via}`;
    terminal.err(visibleText(`    ${peer.kind} ${peer.name}: ${who}${via}`));
    if (peer.kind === 'power' && peer.secret === 'none') continue;
    terminal.err(visibleText(`      fingerprint  ${peer.pin ?? 'none'}`));
    terminal.err(visibleText(`      login        ${peer.login}${secretWords[peer.secret]}`));
  }
  terminal.err(`  Runs on client machines (${counted(loads.length, 'load')})`);
  for (const load of loads) {
    const on = load.clients.map(visibleText).join(', ');
    terminal.err(
      `    ${load.isCommand ? 'shell command' : visibleText(load.driver)}, ` +
        `${counted(load.workloads, 'workload')}, on ${on}`,
    );
    for (const line of visibleLines(load.text))
      if (line !== '') terminal.err(`      ${load.isCommand ? '$ ' : ''}${line}`);
  }
  if (changes.length > 0) terminal.err('  Changes in vCenter during a run');
  for (const change of changes) terminal.err(`    ${visibleText(change)}`);
}

function printClashes(
  terminal: Terminal,
  { clashes }: ImportPreview,
  clash: ImportDecision | null,
): void {
  const answers = { keep: 'kept as stored', new: 'gets a new id', replace: 'replaced' } as const;
  terminal.err(
    `Stored already, with other content (${clashes.length})${clash === null ? '' : `: ${answers[clash]}`}`,
  );
  for (const { kind, id, fields } of clashes) {
    terminal.err(`  ${kind} ${visibleText(id)}`);
    for (const { field, mine, theirs } of fields)
      terminal.err(visibleText(`    ${field}: ${mine} → ${theirs}`));
  }
}
