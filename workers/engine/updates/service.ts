import { fail, toAppError } from '../../../src/core/base/errors.ts';
import type { Emit, Handlers } from '../../../src/wire/contract.ts';
import type { UpdateState } from '../../../src/wire/contract/app.ts';
import type { Deps } from '../deps.ts';
import type { Feed } from '../deps/updates.ts';
import { holdNamed, isNewer } from './feed.ts';

type Methods = Pick<Handlers, 'update.state' | 'update.check' | 'update.hold'>;

/** After the start, so that nothing at the start waits for a share or an address. */
const firstLookMs = 60_000;
const dayMs = 86_400_000;
/** While a run goes on nothing is looked for; asked again after this. */
const busyMs = 600_000;

export interface UpdateService {
  methods: Methods;
  /** The newer version that is offered, for who shows it in passing. */
  newer(): { newer?: string };
  /** Looks once a day, until the signal fires. */
  watch(signal: AbortSignal): Promise<void>;
}

/**
 * Looks once a day whether the feed that an administrator set offers a newer version, never while a
 * run goes on. Nothing is fetched but the feed, and nothing is installed.
 */
export function createUpdateService(options: {
  deps: Deps;
  emit: Emit;
  isRunning: () => boolean;
}): UpdateService {
  const { deps, emit, isRunning } = options;
  const { updates } = deps;
  let looked: Pick<UpdateState, 'checkedAtMs' | 'offered' | 'fault'> = {
    checkedAtMs: null,
    offered: null,
    fault: null,
  };
  const state = (): UpdateState => ({
    installed: deps.version,
    setIn: updates?.setIn ?? '',
    ...looked,
    ...settingOf(deps),
  });
  async function look(): Promise<UpdateState> {
    const checkedAtMs = deps.clock.now();
    try {
      const feed = await readFeed(deps);
      looked = { checkedAtMs, offered: offerOf(feed, deps.version), fault: null };
    } catch (thrown) {
      // What was offered before stays offered: it was signed.
      looked = { ...looked, checkedAtMs, fault: wordsOf(thrown) };
      deps.log.warn('The feed of updates cannot be used', { error: looked.fault });
    }
    emit('update.changed', state());
    return state();
  }
  return {
    methods: {
      'update.state': async () => state(),
      'update.check': look,
      'update.hold': async (file) => {
        const feed = await readFeed(deps);
        holdNamed(feed, file);
        return { version: feed.version, newer: isNewer(feed.version, deps.version) };
      },
    },
    newer: () => (looked.offered === null ? {} : { newer: looked.offered.version }),
    async watch(signal) {
      if (updates === undefined) return;
      for (let waitMs = firstLookMs; !signal.aborted;) {
        try {
          await deps.clock.sleep(waitMs, signal);
        } catch (thrown) {
          if (signal.aborted) return;
          throw thrown;
        }
        const busy = isRunning();
        if (!busy && settingOf(deps).feed !== null) await look();
        waitMs = busy ? busyMs : dayMs;
      }
    },
  };
}

/** The feed that is set, or what is wrong with the setting. */
function settingOf({ updates }: Deps): Pick<UpdateState, 'feed'> & { fault?: string } {
  try {
    return { feed: updates?.feed() ?? null };
  } catch (thrown) {
    return { feed: null, fault: wordsOf(thrown) };
  }
}

async function readFeed({ updates }: Deps): Promise<Feed> {
  if (updates === undefined || updates.feed() === null)
    throw fail(
      'invalidInput',
      'No feed of updates is set, and nothing is looked for.',
      updates && `An administrator names one in ${updates.setIn}.`,
    );
  return updates.read();
}

const offerOf = (feed: Feed, installed: string): UpdateState['offered'] =>
  isNewer(feed.version, installed)
    ? { version: feed.version, publishedAt: feed.publishedAt, notes: feed.notes }
    : null;

function wordsOf(thrown: unknown): string {
  const { message, hint } = toAppError(thrown);
  return hint === undefined ? message : `${message} ${hint}`;
}
