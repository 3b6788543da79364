import type { RunOverview } from '../../core/run/run.ts';
import type { Reader } from '../../wire/contract.ts';
import { connectLive, type LiveConnection } from './connectLive.ts';
import { createLiveSeries, type LiveSeries } from './liveSeries.ts';

/** Series whose past a follower reads; absent = all of the run. */
export type WantedSeries = (overview: RunOverview) => readonly number[];

export interface RunSession {
  readonly connection: Pick<LiveConnection, 'get' | 'subscribe' | 'retry'>;
  /** This follower needs the run no longer. */
  readonly leave: () => void;
}
export interface RunSessions {
  /** Follows a run, or joins those who do. */
  readonly open: (runId: string, wanted?: WantedSeries) => RunSession;
  /**
   * What the sessions read and hear. No other writes to it or frees of it: two clients may follow
   * runs of one id.
   */
  readonly live: LiveSeries;
  /** Runs whose samples are held. */
  readonly held: () => readonly string[];
}

interface Follower {
  wanted: WantedSeries | undefined;
}
interface Shared {
  connection: LiveConnection;
  followers: Set<Follower>;
  ending: ReturnType<typeof setTimeout> | null;
}

/**
 * A page that goes and the next that comes follow the same run: its samples outlive the moment
 * between.
 */
const lingerMs = 5_000;

/**
 * One connection a run, shared by all parts of a page that show it. It ends, and its samples are
 * freed, soon after the last part has left.
 */
export function createRunSessions(client: Reader): RunSessions {
  const live = createLiveSeries();
  const sessions = new Map<string, Shared>();

  const start = (runId: string): Shared => {
    const followers = new Set<Follower>();
    const wanted: WantedSeries = (overview) => [
      ...new Set(
        [...followers].flatMap(
          (one) => one.wanted?.(overview) ?? overview.series.map(({ id }) => id),
        ),
      ),
    ];
    const session = {
      connection: connectLive(client, live, runId, wanted),
      followers,
      ending: null,
    };
    sessions.set(runId, session);
    return session;
  };
  const end = (runId: string, { connection }: Shared): void => {
    connection.close();
    sessions.delete(runId);
    live.drop(runId);
  };
  return {
    open(runId, wanted) {
      const joined = sessions.get(runId);
      const session = joined ?? start(runId);
      if (session.ending !== null) clearTimeout(session.ending);
      session.ending = null;
      const follower: Follower = { wanted };
      session.followers.add(follower);
      // Others may have asked for less of the past than this one needs.
      joined?.connection.retry();
      return {
        connection: session.connection,
        leave() {
          if (!session.followers.delete(follower) || session.followers.size > 0) return;
          session.ending = setTimeout(() => end(runId, session), lingerMs);
        },
      };
    },
    live,
    held: () => [...sessions.keys()],
  };
}

const known = new WeakMap<Reader, RunSessions>();

/** The sessions of this window's client. */
export function runSessionsOf(client: Reader): RunSessions {
  const sessions = known.get(client) ?? createRunSessions(client);
  known.set(client, sessions);
  return sessions;
}
