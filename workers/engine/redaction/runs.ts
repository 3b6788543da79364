import { demandConfirmed, type Redactor } from '../../../src/core/redact/redactor.ts';
import { runRedactor } from '../../../src/core/redact/runRedactor.ts';
import { type RunRecord, runRecord } from '../../../src/core/run/run.ts';
import type { RedactionPreview } from '../../../src/wire/contract/leaving.ts';

/** What redaction did so far, for a person to look at. */
export const previewOf = (redactor: Redactor | null): RedactionPreview => ({
  replacements: redactor?.replacements().filter((one) => one.count > 0) ?? [],
  doubts: redactor?.doubts() ?? [],
});

interface Asked {
  redact: boolean;
  keep: readonly string[];
  confirmed: readonly string[];
}
/**
 * Runs as they may leave, the last one kept: pages of one export come one after the other. Throws
 * `conflict` where a doubt was not confirmed.
 */
export function createRunRedaction(): (record: RunRecord, asked: Asked) => RunRecord {
  let last: { key: string; out: RunRecord } | null = null;
  return (record, { redact, keep, confirmed }) => {
    if (!redact) return record;
    const key = JSON.stringify([record.overview.id, record.overview.rev, keep, confirmed]);
    if (last?.key !== key) {
      const redactor = runRedactor([record], keep);
      const out = redactor.value(runRecord, record);
      demandConfirmed(redactor, confirmed);
      last = { key, out };
    }
    return last.out;
  };
}
