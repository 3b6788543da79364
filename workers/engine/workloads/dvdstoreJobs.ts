import { addressesOf } from './addressList.ts';
import type { DriverServer, DriverTiming } from './driver.ts';
import type { ShopParams } from './dvdstoreParams.ts';
import { kitCommand, removeKit } from './tilekitClient.ts';
import { jobHead } from './tilekitScenario.ts';

/** Chosen: no server of the shop has it by default. */
const tierPort = 8_080;
export const tiersOf = ({ through, webTiers }: ShopParams): string[] =>
  through === 'web' ? addressesOf(webTiers, tierPort) : [];

const usualPort = { mysql: 3_306, postgres: 5_432 } as const;

/** What tilekit is told of the database; the password stays in its file. */
const shopOf = (one: ShopParams) => ({
  version: Number(one.version),
  database: one.kind,
  host: one.host,
  port: one.port,
  user: one.user,
  name: one.database,
  size: one.size,
  pctNew: one.pctNew,
  searches: one.searches,
  items: one.items,
  ...(one.moreNodes === ''
    ? {}
    : { nodes: addressesOf(one.moreNodes, one.port || usualPort[one.kind]) }),
  ...(one.version === '3'
    ? {
        reviews: one.reviews,
        pctReview: one.pctReview,
        pctRating: one.pctRating,
        pctMember: one.pctMember,
        reviewsPerProduct: one.reviewsPerProduct,
      }
    : {}),
  ...(one.passwordFile === '' ? {} : { passwordFile: one.passwordFile }),
});
/** Its data are made and dropped on the database itself, whichever way users take. */
export const dataJob = (one: ShopParams) => ({ schema: 1, dvdstore: shopOf(one) });
/** Whether the run starts its web tiers. */
export const isServed = ({ through, tierStart }: ShopParams): boolean =>
  through === 'web' && tierStart === 'run';

/** The web tiers that a run starts and ends, each with what it is told. */
export const serversOf = (one: ShopParams): DriverServer[] =>
  isServed(one)
    ? tiersOf(one).map((tier) => {
        const [address = '', port = ''] = tier.split(':');
        return {
          name: 'The web tier',
          address,
          blames: 'webTiers',
          ready: '"listens"',
          prepare: async (host, signal) => {
            await host.putKit(signal);
          },
          command: kitCommand('serve', {
            ...dataJob(one),
            shopTier: { listen: `:${port}`, connections: one.tierConnections },
          }),
          cleanup: removeKit,
        };
      })
    : [];

/** The way that users take. */
export const usersOf = (one: ShopParams) => ({
  ...shopOf(one),
  ...(one.through === 'web' ? { tiers: tiersOf(one) } : {}),
});

const rateOf = ({ rate, rampS }: ShopParams) =>
  rampS > 0
    ? [
        { atS: 0, perS: 0 },
        { atS: rampS, perS: rate },
      ]
    : [{ atS: 0, perS: rate }];

/** When the users of each web tier are there: user i is of part i, modulo their number. */
function partsOf(one: ShopParams): { startS: number; onS?: number; offS?: number }[] {
  if (one.through === 'database' || one.tierPattern === 'together') return [{ startS: 0 }];
  return tiersOf(one).map((_, index) =>
    index === 0
      ? { startS: 0 }
      : {
          startS: one.joinAfterS + (index - 1) * one.joinEveryS,
          ...(one.tierPattern === 'bursts' ? { onS: one.onS, offS: one.offS } : {}),
        },
  );
}

/** The load of a run. */
export function runJob(one: ShopParams, timing: DriverTiming) {
  const parts = partsOf(one);
  return {
    ...jobHead('dvdstore', one, timing),
    durationS: timing.durationS,
    drainS: 2,
    users: one.users,
    mode: one.mode,
    ...(one.mode === 'open'
      ? { arrivals: { kind: one.arrivals, rate: rateOf(one) } }
      : {
          thinkS: one.thinkS,
          rampUpS: Math.min(one.users / parts.length / one.usersPerS, timing.durationS / 2),
        }),
    ...(parts.length > 1 ? { parts } : {}),
    dvdstore: usersOf(one),
  };
}
