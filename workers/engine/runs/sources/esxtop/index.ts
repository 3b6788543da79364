import type { EsxtopWish } from '../../../../../src/core/plan/esxtopWish.ts';
import type { Inventory } from '../../../../../src/core/testbed/inventory.ts';
import { esxiHostsOf } from '../../esxiHosts.ts';
import { watchedProviders, watchedVms, type WorkloadUnit } from '../../series.ts';
import type { Source } from '../types.ts';
import { startEsxtopReader } from './reader.ts';
import { type EsxtopScope, hostDrafts, vmDrafts } from './wanted.ts';

/** What is read of each host of a run, of those that can be logged in to. */
export function esxtopScopes<Login extends { ref: string }>(
  logins: readonly Login[],
  units: readonly WorkloadUnit[],
  inventory: Inventory | null,
  parts: EsxtopWish['parts'],
): { login: Login; scope: EsxtopScope }[] {
  const { hosts, datastores } = watchedProviders(units, inventory);
  const vms = watchedVms(units, inventory);
  return logins.flatMap((login) => {
    const host = hosts.find(({ ref }) => ref === login.ref);
    const luns = datastores
      .filter(({ hostRefs }) => hostRefs.includes(login.ref))
      .flatMap((store) => store.luns.map(({ canonicalName }) => canonicalName));
    return host === undefined
      ? []
      : [{ login, scope: { host, vms, luns: [...new Set(luns)], parts } }];
  });
}

/** What esxtop tells every two seconds, where the plan asks for it: vCenter's samples are 20 s. */
export const esxtop: Source = {
  series: ({ plan, esxiHosts = [], units, inventory }) => {
    if (!plan.esxtop) return [];
    const { everyS, parts } = plan.esxtop;
    const scopes = esxtopScopes(esxiHosts, units, inventory, parts).map(({ scope }) => scope);
    const [first] = scopes;
    if (first === undefined) return [];
    const facts = { periodMs: everyS * 1_000, lagMs: everyS * 1_000 };
    return [
      ...vmDrafts(first).map((draft) => ({ ...draft, ...facts, source: 'esxtop' })),
      ...scopes.flatMap((scope) =>
        hostDrafts(scope).map((draft) => ({
          ...draft,
          ...facts,
          source: `esxtop on ${scope.host.name}`,
        })),
      ),
    ];
  },
  polls(context) {
    const { testbed, plan, inventoryBefore } = context.run.record();
    if (!plan.esxtop) return [];
    const { everyS, parts } = plan.esxtop;
    return esxtopScopes(
      esxiHostsOf(context, testbed, inventoryBefore),
      context.units,
      inventoryBefore,
      parts,
    ).map(({ login, scope }) => ({
      name: `esxtop on ${scope.host.name}`,
      peerId: login.peerId,
      key: `esxtop.${scope.host.ref}`,
      periodMs: everyS * 1_000,
      start: (feed) => startEsxtopReader(context, scope, { login, everyS }, feed),
    }));
  },
};
