import { dataJob, isServed, runJob, serversOf, tiersOf, usersOf } from './dvdstoreJobs.ts';
import { type ShopParams, shopParams } from './dvdstoreParams.ts';
import type { TilekitEnd } from './tilekitFormat.ts';
import { checkData, tilekitDriver } from './tilekitScenario.ts';

/** Which parameter each option of tilekit is. */
const parameters: Readonly<Record<string, keyof ShopParams>> = {
  host: 'host',
  port: 'port',
  user: 'user',
  passwordFile: 'passwordFile',
  name: 'database',
  nodes: 'moreNodes',
  size: 'size',
  tiers: 'webTiers',
};

const classWords: Readonly<Record<string, string>> = {
  connect: 'no connection',
  reset: 'connection cut',
  timeout: 'no answer in time',
  status: 'refused by the server',
  content: 'an answer that cannot be',
  busy: 'every connection of the web tier taken',
};

/** Which node or web tier failed orders, and how; null = none, or there is only one. */
function failuresByPlace({ counts }: TilekitEnd): string | null {
  const places = new Map<string, string[]>();
  for (const [name, n] of Object.entries(counts)) {
    const [, place, kind] = /^failed (.+) ([a-z]+)$/.exec(name) ?? [];
    if (place === undefined || kind === undefined) continue;
    places.set(place, [...(places.get(place) ?? []), `${n} × ${classWords[kind] ?? kind}`]);
  }
  if (places.size === 0) return null;
  return `orders failed at ${[...places].map(([place, how]) => `${place} (${how.join(', ')})`).join('; ')}.`;
}

const wordsOf = (one: ShopParams): Parameters<typeof checkData<ShopParams>>[1] => ({
  parameter: (option) => parameters[option],
  dataIs: 'size',
  isMade: 'It is made before the run begins.',
  makeIt: 'Switch load on, or make it on the client: tilekit load.',
  repair:
    one.through === 'web' && !isServed(one)
      ? 'Start tilekit serve on each web tier (docs/tilekit.md, Scenario dvdstore), or correct ' +
        'the addresses; the database behind must let it in.'
      : 'Start the database, or correct address, port, user and password file; the database ' +
        `${one.database} must exist.`,
});

/** Orders in the style of DVD Store 2 and 3, on a database or through web tiers, by the program of `kit/`. */
export const tilekitDvdstore = tilekitDriver<ShopParams>({
  id: 'tilekit-dvdstore',
  title: 'tilekit DVD Store',
  role: 'database',
  params: shopParams,
  unit: 'orders/min',
  reading: () => ({ perUnit: 60, warning: failuresByPlace }),
  unnamed: {
    server: 'database',
    fix: "Start VMware Tools in the guest, or give the database's address in the parameters.",
  },
  async check(host, kit, one, signal) {
    if (one.through === 'web' && one.webTiers === '')
      return {
        ok: false,
        version: null,
        problem: 'users go through web tiers, and no web tier is named',
        blames: 'webTiers',
        fix: 'Enter their addresses, or let users go straight on the database.',
      };
    const tiers = tiersOf(one).length;
    if (tiers > one.users)
      return {
        ok: false,
        version: null,
        problem: `${tiers} web tiers share ${one.users} users: one of them would have none`,
        blames: 'users',
        fix: 'Give each web tier a user at least.',
      };
    // Web tiers that the run starts are not there yet.
    const job = isServed(one) ? dataJob(one) : { schema: 1, dvdstore: usersOf(one) };
    return checkData({ host, kit, one, job }, wordsOf(one), signal);
  },
  servers: serversOf,
  data: {
    job: dataJob,
    loads: ({ load }) => load,
    unloads: ({ unload }) => unload,
    unloadMs: 600_000,
  },
  job: runJob,
});
