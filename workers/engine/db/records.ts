import { createHash } from 'node:crypto';

import type BetterSqlite from 'better-sqlite3';

/** A run's record, as far as its parts are concerned; of an earlier version it may lack members. */
export interface Partable {
  overview: { id: string; events: readonly unknown[]; series: readonly unknown[] };
  testbed?: object | null | undefined;
  inventoryBefore?: object | null | undefined;
  inventoryAfter?: object | null | undefined;
}

/**
 * A record as it lies in the tables: a head that is rewritten with each change, and what is written
 * only when it changed.
 */
export interface RecordStore {
  /** What is stored in `runs.record_json`. */
  head(record: Partable): string;
  /**
   * Writes the other parts, as far as they differ from the last time. The row of the run must be
   * there; in a transaction of the caller, who says `kept` after it or `lost`.
   */
  putParts(record: Partable): void;
  /** The last `putParts` of the run is on disk: what was written then is not written again. */
  kept(record: Partable): void;
  /** Nothing is known of what lies on disk: the next time all is written. */
  lost(id: string): void;
  /**
   * JSON of the whole record, put together again. A head that was stored whole by an earlier
   * version is given as it is; never throws.
   */
  whole(id: string, head: string): string;
}

interface Part {
  /** What lies beside the head; undefined = nothing. */
  of: (record: Partable) => object | null | undefined;
  /** Members that differ between two runs that have the rest in common. */
  own: readonly string[];
  within: 'record' | 'overview';
}
const parts: Readonly<Record<string, Part>> = {
  testbed: { of: (record) => record.testbed, own: [], within: 'record' },
  inventoryBefore: {
    of: (record) => record.inventoryBefore,
    own: ['takenAtMs'],
    within: 'record',
  },
  inventoryAfter: { of: (record) => record.inventoryAfter, own: ['takenAtMs'], within: 'record' },
  // Always there: a row with it is a head, a row without one is whole.
  series: { of: (record) => record.overview.series, own: [], within: 'overview' },
};

interface PartRow {
  part: string;
  own_json: string;
  json: string;
}
interface Written {
  parts: Map<string, unknown>;
  events: readonly unknown[];
}

export function createRecordStore(db: BetterSqlite.Database): RecordStore {
  const putDocument = db.prepare<[string, string]>(
    'INSERT OR IGNORE INTO run_documents (hash, json) VALUES (?, ?)',
  );
  const putPart = db.prepare<[string, string, string, string]>(`
    INSERT INTO run_parts (run_id, part, own_json, hash) VALUES (?, ?, ?, ?)
    ON CONFLICT (run_id, part) DO UPDATE SET own_json = excluded.own_json, hash = excluded.hash`);
  const dropPart = db.prepare<[string, string]>(
    'DELETE FROM run_parts WHERE run_id = ? AND part = ?',
  );
  const partsOf = db.prepare<[string], PartRow>(
    'SELECT part, own_json, json FROM run_parts JOIN run_documents USING (hash) WHERE run_id = ?',
  );
  const putEvent = db.prepare<[string, number, string]>(
    'INSERT OR REPLACE INTO run_events (run_id, place, json) VALUES (?, ?, ?)',
  );
  const dropEvents = db.prepare<[string, number]>(
    'DELETE FROM run_events WHERE run_id = ? AND place >= ?',
  );
  const eventsOf = db
    .prepare<[string], string>('SELECT json FROM run_events WHERE run_id = ? ORDER BY place')
    .pluck();
  const written = new Map<string, Written>();

  const put = (id: string, name: string, value: object | null | undefined, part: Part): void => {
    if (value === null || value === undefined) {
      dropPart.run(id, name);
      return;
    }
    const members = Object.entries(value);
    const json = JSON.stringify(
      part.own.length === 0
        ? value
        : Object.fromEntries(members.filter(([key]) => !part.own.includes(key))),
    );
    const own = Object.fromEntries(members.filter(([key]) => part.own.includes(key)));
    const hash = createHash('sha256').update(json).digest('hex');
    putDocument.run(hash, json);
    putPart.run(id, name, JSON.stringify(part.own.length === 0 ? {} : own), hash);
  };

  return {
    head(record) {
      const { overview, testbed: _testbed, inventoryBefore, inventoryAfter, ...rest } = record;
      const { events: _events, series: _series, ...state } = overview;
      return JSON.stringify({
        overview: state,
        ...rest,
        ...(inventoryBefore === null ? { inventoryBefore } : {}),
        ...(inventoryAfter === null ? { inventoryAfter } : {}),
      });
    },
    putParts(record) {
      const { id, events } = record.overview;
      const before = written.get(id);
      for (const [name, part] of Object.entries(parts)) {
        const value = part.of(record);
        if (before === undefined || before.parts.get(name) !== value) put(id, name, value, part);
      }
      if (before === undefined || before.events.length > events.length)
        dropEvents.run(id, events.length);
      events.forEach((event, place) => {
        if (before?.events[place] !== event) putEvent.run(id, place, JSON.stringify(event));
      });
    },
    kept(record) {
      written.set(record.overview.id, {
        parts: new Map(Object.entries(parts).map(([name, part]) => [name, part.of(record)])),
        events: record.overview.events,
      });
    },
    lost: (id) => {
      written.delete(id);
    },
    whole(id, head) {
      const rows = partsOf.all(id);
      return rows.length === 0 ? head : joinRecord(head, rows, eventsOf.all(id));
    },
  };
}

const opening = '{"overview":{';

/**
 * As text: what is damaged stays as damaged as it is stored, and the fault is found by who parses
 * the whole.
 */
function joinRecord(head: string, rows: readonly PartRow[], events: readonly string[]): string {
  if (!head.startsWith(opening)) return head;
  const textOf = (within: Part['within']): string =>
    rows
      .filter(({ part }) => parts[part]?.within === within)
      .map(({ part, own_json, json }) => `"${part}":${joinMembers(own_json, json)},`)
      .join('');
  return `{${textOf('record')}"overview":{${textOf('overview')}"events":[${events.join(',')}],${head.slice(opening.length)}`;
}

/** Two JSON objects as one; `own` may be empty, and then `json` may be of any kind. */
const joinMembers = (own: string, json: string): string =>
  own === '{}' ? json : `${own.slice(0, -1)},${json.slice(1)}`;
