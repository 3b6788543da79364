import { type GuestItem, type GuestJob, isPreparing } from '../../src/core/roles/job.ts';
import { placeText } from '../../src/core/roles/words.ts';
import type { Client } from '../../src/wire/contract.ts';
import type { Terminal } from './output.ts';
import type { Interrupts } from './run.ts';

const stepWords = { done: 'done', already: 'nothing to do', failed: 'failed' } as const;

/**
 * Begins a job and tells each step on stderr, to the end of the job. After a second interrupt the
 * job as it is then: machines end the step under way by themselves.
 */
export async function followGuests(
  client: Client,
  testbedId: string,
  terminal: Terminal,
  interrupts: Interrupts,
  begin: () => Promise<GuestJob>,
): Promise<GuestJob> {
  const told = new Set<string>();
  let last: GuestJob | null = null;
  let end: (job: GuestJob) => void = () => undefined;
  const ended = new Promise<GuestJob>((resolve) => {
    end = resolve;
  });
  const take = (job: GuestJob): void => {
    if (job.testbedId !== testbedId || (last !== null && job.rev <= last.rev)) return;
    last = job;
    for (const item of job.items) tellSteps(item, told, terminal);
    if (!isPreparing(job)) end(job);
  };
  const stopHearing = client.on('guest.changed', take);
  const stopInterrupts = interrupts.on((count) => {
    if (count > 1 && last !== null) {
      terminal.err('Left: the step under way on each machine ends there by itself.');
      end(last);
      return;
    }
    terminal.err('Each step under way ends first; interrupt again to leave that to the machines.');
    client
      .call('guest.cancel', { testbedId })
      .catch((thrown: unknown) => terminal.err(String(thrown)));
  });
  try {
    take(await begin());
    return await ended;
  } finally {
    stopHearing();
    stopInterrupts();
  }
}

function tellSteps(item: GuestItem, told: Set<string>, terminal: Terminal): void {
  for (const { id, title, state, note } of item.steps) {
    if (state === 'waiting' || state === 'running' || told.has(`${item.key} ${id}`)) continue;
    told.add(`${item.key} ${id}`);
    const words = note === '' ? '' : `. ${note.charAt(0).toUpperCase()}${note.slice(1)}`;
    terminal.err(`  ${item.vm ?? placeText(item)}: ${title}: ${stepWords[state]}${words}`);
  }
}
