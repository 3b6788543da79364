import { sha256 } from './sha256.ts';
import { canonicalText, type Snapshot, type Thing } from './snapshot.ts';

/** What may not change between a check and the launch, of each kind of thing. */
const guarded: Readonly<Partial<Record<Thing['kind'], readonly string[]>>> = {
  vm: ['powerState', 'host', 'datastores', 'vcpus', 'memoryMb'],
  host: ['connectionState', 'maintenance', 'build', 'version'],
  datastore: ['accessible'],
  cluster: ['drsEnabled', 'drsBehavior', 'drsVmotionRate'],
};
const words: Readonly<Record<string, string>> = {
  powerState: 'power', host: 'host', datastores: 'datastores', vcpus: 'vCPUs', memoryMb: 'memory in MB', connectionState: 'connection', maintenance: 'maintenance mode', build: 'ESXi build', version: 'ESXi version',
  accessible: 'accessible', drsEnabled: 'DRS', drsBehavior: 'DRS automation', drsVmotionRate: 'DRS migration threshold',
};
const kindNames: Readonly<Partial<Record<Thing['kind'], string>>> = { vm: 'VM', host: 'Host', datastore: 'Datastore', cluster: 'Cluster' };

/** One guarded figure of one thing; `id` and `key` name it, `name` and `value` are for people. */
export interface LaunchFact { id: string; key: string; name: string; value: string; shown: string }

/** The guarded figures of a snapshot: power, host, datastore and size of VMs, state and build of hosts, accessibility of datastores, DRS settings. */
export function launchFacts(snapshot: Snapshot): LaunchFact[] {
  return snapshot.things.flatMap((thing) => (guarded[thing.kind] ?? []).map((key): LaunchFact => {
    const value = thing.values[key];
    const shown = value === undefined ? 'not told' : Array.isArray(value) ? value.map((id) => snapshot.names[id] ?? id).join(', ') : String(value);
    return { id: thing.id, key, name: `${kindNames[thing.kind] ?? thing.kind} ${thing.name}`, value: canonicalText(value ?? null), shown };
  }));
}

/** SHA-256 of `launchFacts`: two snapshots with the same digest allow the launch that one of them was checked for. Names do not matter. */
export function launchDigest(snapshot: Snapshot): string {
  return sha256(canonicalText(launchFacts(snapshot).map(({ id, key, value }) => [id, key, value]).sort()));
}

/** What differs between the checked snapshot and the one at launch, a sentence each; empty where the digests are equal. */
export function launchDifferences(checked: Snapshot, now: Snapshot): string[] {
  const at = (fact: LaunchFact): string => `${fact.id}\n${fact.key}`;
  const before = new Map(launchFacts(checked).map((fact) => [at(fact), fact]));
  const after = new Map(launchFacts(now).map((fact) => [at(fact), fact]));
  const gone = new Set([...before].filter(([key]) => !after.has(key)).map(([, fact]) => fact.name));
  const come = new Set([...after].filter(([key]) => !before.has(key)).map(([, fact]) => fact.name));
  return [
    ...[...gone].map((name) => `${name} is not there any more.`), ...[...come].map((name) => `${name} was not part of the check.`),
    ...[...before].flatMap(([key, was]) => {
      const is = after.get(key);
      return is === undefined || is.value === was.value ? [] : [`${is.name}: ${words[was.key] ?? was.key} was ${was.shown}, is ${is.shown}.`];
    }),
  ];
}
