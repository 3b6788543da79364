import { join } from 'node:path';

import BetterSqlite from 'better-sqlite3';

import type { Client } from '../src/wire/contract.ts';
import { openLabEngine } from './data/labEngine.ts';
import { storedRuns } from './data/storedRuns.ts';
import type { BenchResult, BenchRow } from './row.ts';
import { middle, type Took, took } from './time.ts';

/**
 * Does it on an engine that was just started over the stored history: nothing of it has been read
 * before. The median of three.
 */
async function cold(dataDir: string, work: (client: Client) => Promise<unknown>): Promise<Took> {
  const times: Took[] = [];
  for (let i = 0; i < 3; i += 1) {
    const lab = await openLabEngine(dataDir);
    try {
      times.push(await took(() => work(lab.client)));
    } finally {
      await lab.close();
    }
  }
  return middle(times);
}

/**
 * The slowest, by processor time, of several requests to an engine that has answered a first one.
 */
async function warm(
  dataDir: string,
  requests: (client: Client) => (() => Promise<unknown>)[],
): Promise<Took> {
  const lab = await openLabEngine(dataDir);
  try {
    const [first, ...rest] = requests(lab.client);
    await first!();
    const times: Took[] = [];
    for (const request of rest) times.push(await took(request));
    return times.reduce((slowest, one) => (one.cpuMs > slowest.cpuMs ? one : slowest));
  } finally {
    await lab.close();
  }
}

/** Anchors: what SQLite and JSON alone take for the same, on a file that was just opened. */
async function bare(dataDir: string, work: (db: BetterSqlite.Database) => unknown): Promise<Took> {
  const times: Took[] = [];
  for (let i = 0; i < 3; i += 1) {
    const db = new BetterSqlite(join(dataDir, 'tilebench.sqlite'), { readonly: true });
    try {
      times.push(await took(() => work(db)));
    } finally {
      db.close();
    }
  }
  return middle(times);
}
/** The parts of a record, each parsed. */
const recordOf = (db: BetterSqlite.Database, id: string): unknown[] =>
  db
    .prepare<{ id: string }, string>(
      `SELECT record_json FROM runs WHERE id = :id
      UNION ALL SELECT json FROM run_parts JOIN run_documents USING (hash) WHERE run_id = :id
      UNION ALL SELECT json FROM run_events WHERE run_id = :id`,
    )
    .pluck()
    .all({ id })
    .map((json) => JSON.parse(json) as unknown);
const chunksOf = (db: BetterSqlite.Database, id: string): number =>
  db
    .prepare<[string], Buffer>(
      'SELECT data FROM chunks JOIN run_keys USING (run_key) WHERE run_id = ?',
    )
    .pluck()
    .all(id)
    .reduce((sum, { length }) => sum + length, 0);

/**
 * The requests that history, comparison and run page make of the engine, over 1,000 runs of the
 * simulated lab.
 */
export async function run(): Promise<BenchResult[]> {
  const { dataDir, biggestId, comparedIds, runs, bytes, seconds } = await storedRuns();
  const list = await cold(dataDir, (client) => client.call('run.list', {}));
  const find =
    (text: string) =>
    (client: Client): Promise<unknown> =>
      client.call('history.list', { text });
  const text = await cold(dataDir, find('nightly 7'));
  const column = await cold(dataDir, (client) =>
    client.call('history.list', { state: 'passed', profileId: 'wide', sort: 'score' }),
  );
  const again = await warm(dataDir, (client) =>
    ['upgrade', 'drs', 'array 12', 'web farm', 'esx', 'passed', 'smoke 3', 'datacenter'].map(
      (words) => () => find(words)(client),
    ),
  );
  const compare = await cold(dataDir, (client) =>
    client.call('run.compare', { baselineId: comparedIds[0]!, ids: comparedIds.slice(1) }),
  );
  let points = 0,
    charted = 0;
  const chart = await cold(dataDir, async (client) => {
    const overview = await client.call('run.overview', { id: biggestId });
    const ids = overview.series
      .filter(({ metric }) => metric === 'throughput')
      .slice(0, 20)
      .map(({ id }) => id);
    const data = await client.call('run.samples', {
      runId: biggestId,
      seriesIds: ids,
      maxPoints: 2_000,
    });
    charted = data.length;
    points = data.reduce((sum, { tMs }) => sum + tMs.length, 0);
  });
  const bareList = await bare(dataDir, (db) =>
    db
      .prepare<[], string>('SELECT summary_json FROM runs')
      .pluck()
      .all()
      .map((json) => JSON.parse(json) as unknown),
  );
  const bareCompare = await bare(dataDir, (db) =>
    comparedIds.map((id) => [recordOf(db, id), chunksOf(db, id)]),
  );
  const bareRun = await bare(dataDir, (db) => [recordOf(db, biggestId), chunksOf(db, biggestId)]);
  const row = (
    label: string,
    of: Took,
    budget: number,
    anchor: Took,
    times: number,
  ): BenchRow[] => [
    { label: `${label}, by the clock`, value: of.wallMs, unit: 'ms' },
    { label: `${label}, processor`, value: of.cpuMs, unit: 'ms', budget },
    {
      label: `${label}, against reading its bytes`,
      value: of.cpuMs,
      unit: 'ms',
      ratio: of.cpuMs / anchor.cpuMs,
      budget: times,
    },
  ];
  return [
    {
      name:
        `History: ${runs} runs of the simulated lab, ${(bytes / 1e6).toFixed(0)} MB, made in ` +
        `${seconds.toFixed(0)} s; the engine just started`,
      rows: [
        { label: 'anchor: summaries read and parsed', value: bareList.wallMs, unit: 'ms' },
        {
          label: 'anchor: records and samples of the compared runs read',
          value: bareCompare.cpuMs,
          unit: 'ms',
        },
        {
          label: 'anchor: record and samples of the biggest run read',
          value: bareRun.cpuMs,
          unit: 'ms',
        },
        // Shorter than what the processor's clock tells.
        { label: 'list of all runs, by the clock', value: list.wallMs, unit: 'ms', budget: 50 },
        ...row('history filtered by words', text, 50, bareList, 10),
        ...row('history filtered by columns', column, 50, bareList, 10),
        ...row('the next words, the slowest of seven', again, 50, bareList, 10),
        ...row(`compare of ${comparedIds.length} runs`, compare, 150, bareCompare, 10),
        ...row(
          `biggest run opened, first chart (${charted} series, ${points} points)`,
          chart,
          60,
          bareRun,
          3,
        ),
      ],
    },
  ];
}
