import type { RunRecord } from '../../../src/core/run/run.ts';
import type { Output } from '../../../src/wire/contract.ts';
import type { Database } from '../db/types.ts';

export type Samples = Pick<Database, 'samples'>;
/** One page of an export; the bytes of all pages, joined, are the file. */
export type Page = Omit<Output<'run.export'>, 'fileName'>;

/**
 * Gives the pages of one form. `id` is the run's as stored; `record` may be redacted. The cursor of
 * the first page is null, of each other the one the page before it gave. Throws `badCursor` for any
 * other.
 */
export type PageWriter = (id: string, record: RunRecord, cursor: string | null) => Page;
