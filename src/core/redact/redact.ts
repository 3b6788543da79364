import { metricNames } from '../metric/metric.ts';
import { abortReasons, type RunRecord, runStates } from '../run/run.ts';

/** What was replaced by what, for the preview of what leaves. */
export interface Replacement {
  kind: string;
  from: string;
  to: string;
  count: number;
}
export interface Redactor {
  text(text: string): string;
  /** A copy of plain JSON data with every string gone through `text`; names of members stay. */
  value<T>(data: T): T;
  /** All names known or met, with how often each was replaced so far. */
  replacements(): Replacement[];
}

/** `keep`: words of the text itself, which tell nobody's name. `names`: further names by kind. */
export interface RedactOptions {
  keep?: readonly string[];
  names?: readonly (readonly [kind: string, name: string])[];
}

/** Parameters of drivers that name a machine, a person or a place. */
const tellingParam =
  /host|server|address|target|user|login|database|schema|url|uri|path|dir|file|device|disk|domain|mail/i;
const token = /[\p{L}\p{N}](?:[\p{L}\p{N}._-]*[\p{L}\p{N}])?/gu;
const addresses: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['address', /(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.]*\d)/g],
  [
    'address',
    /(?<![\w:])(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}(?![\w:])|(?<![\w:])(?:[0-9a-f]{1,4}:){1,6}(?::[0-9a-f]{1,4}){1,6}(?![\w:])/gi,
  ],
  ['mac', /(?<![\w:])(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}(?![\w:])/gi],
  ['uuid', /\b[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\b/gi],
  ['device', /\b(?:naa|eui|t10|iqn)\.[\w.:-]+/gi],
  ['person', /[\w.+-]+@[\w-]+(?:\.[\w-]+)*/g],
  // DOMAIN\user, as events of vCenter name who did something.
  ['person', /(?<![\w\\:./-])[A-Za-z][\w.-]*\\[\w.$-]+/g],
  ['fingerprint', /SHA256:[A-Za-z0-9+/]{43}/g],
];

/**
 * Replaces names and addresses of the testbeds of a run, or of several, by pseudonyms that are the same throughout: `host-1`, `vm-12`, `address-3`.
 * Names come from the record itself; addresses, hardware ids and people are found wherever they stand. Whole names only:
 * `esx1` inside `esx10` is another name. References of vCenter (`vm-42`) name nobody and stay.
 */
export function createRedactor(
  record: RunRecord | readonly RunRecord[],
  options: RedactOptions = {},
): Redactor {
  const records: readonly RunRecord[] = 'overview' in record ? [record] : record;
  const known = new Map<string, Replacement>();
  const counters = new Map<string, number>();
  /** Names of several words, by their first word. */
  const phrases = new Map<string, string[]>();
  const pseudonym = (kind: string): string => {
    const next = (counters.get(kind) ?? 0) + 1;
    counters.set(kind, next);
    return `redacted-${kind}-${next}`;
  };
  const words = new Set([
    ...records.flatMap((one) => [...fixedWords(one)]),
    ...(options.keep ?? []).map((word) => word.toLowerCase()),
  ]);
  const learn: Learn = (kind, name) => {
    const from = name?.trim() ?? '';
    const key = from.toLowerCase();
    if (from.length < 2 || known.has(key) || words.has(key)) return;
    known.set(key, { kind, from, to: pseudonym(kind), count: 0 });
    token.lastIndex = 0;
    const first = token.exec(from)?.[0].toLowerCase();
    token.lastIndex = 0;
    if (first === undefined || first === key) return;
    phrases.set(
      first,
      [...(phrases.get(first) ?? []), key].sort((a, b) => b.length - a.length),
    );
  };
  for (const one of records) learnNames(one, learn);
  for (const [kind, name] of options.names ?? []) learn(kind, name);

  const use = (entry: Replacement): string => {
    entry.count += 1;
    return entry.to;
  };
  /** A token, or the longest part of it between dots, dashes and underlines, that is a known name. */
  const ofToken = (word: string): string => {
    const whole = known.get(word.toLowerCase());
    if (whole) return use(whole);
    const cuts = [
      0,
      ...[...word.matchAll(/[._-]+/g)].flatMap((m) => [m.index, m.index + m[0].length]),
      word.length,
    ];
    if (cuts.length === 2) return word;
    for (let size = cuts.length - 1; size > 0; size -= 1)
      for (let from = 0; from + size < cuts.length; from += 1) {
        const [start, end] = [cuts[from]!, cuts[from + size]!];
        const found = known.get(word.slice(start, end).toLowerCase());
        if (found)
          return `${start > 0 ? ofToken(word.slice(0, start)) : ''}${use(found)}${end < word.length ? ofToken(word.slice(end)) : ''}`;
      }
    return word;
  };
  const names = (text: string): string => {
    let out = '';
    let done = 0;
    token.lastIndex = 0;
    const lower = text.toLowerCase();
    // Lower case of some letters has another length: places would not agree, so phrases are then compared as they are.
    const sameLength = lower.length === text.length;
    for (let match = token.exec(text); match !== null; match = token.exec(text)) {
      const word = match[0];
      const candidates =
        phrases.get(word.toLowerCase()) ??
        phrases.get(/^[\p{L}\p{N}]+/u.exec(word)?.[0].toLowerCase() ?? '') ??
        [];
      const phrase = candidates.find(
        (key) =>
          (sameLength ? lower : text).startsWith(key, match.index) &&
          !/[\p{L}\p{N}]/u.test(text[match.index + key.length] ?? ''),
      );
      out += text.slice(done, match.index);
      if (phrase !== undefined) {
        out += use(known.get(phrase)!);
        done = match.index + phrase.length;
        token.lastIndex = done;
        continue;
      }
      out += ofToken(word);
      done = match.index + word.length;
    }
    token.lastIndex = 0;
    return out + text.slice(done);
  };
  const text = (input: string): string => {
    let out = input;
    for (const [kind, pattern] of addresses) {
      out = out.replace(pattern, (found) => {
        learn(kind, found);
        const entry = known.get(found.toLowerCase());
        return entry ? use(entry) : found;
      });
    }
    return names(out);
  };
  const value = (data: unknown): unknown => {
    if (typeof data === 'string') return text(data);
    if (Array.isArray(data)) return data.map(value);
    if (data === null || typeof data !== 'object') return data;
    // Members are words of the format, not names: a plan called Plan must not take `plan` with it.
    return Object.fromEntries(Object.entries(data).map(([key, inner]) => [key, value(inner)]));
  };
  return {
    text,
    // The shape is kept: only what strings say changes.
    value: <T>(data: T): T => value(data) as T,
    replacements: () =>
      [...known.values()].sort((a, b) => (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0)),
  };
}

type Learn = (kind: string, name: string | null | undefined) => void;

/** Words the record is made of. A thing called by one of them (a VM named `database`) tells nobody's name, and a record without them could not be read. */
function fixedWords({ profile }: RunRecord): ReadonlySet<string> {
  const words = [
    ...metricNames,
    ...runStates,
    ...abortReasons,
    'real',
    'simulated',
    'replay',
    'host',
    'vm',
    'vms',
    'client',
    'workload',
    'tile',
    'operation',
    'uplink',
    'datastore',
    'power',
    'note',
    'state',
    'fault',
    'recovered',
    'abort',
    'vcenter',
    'drs',
    'clock',
    'warn',
    'info',
    'block',
    'mean',
    'median',
    'sum',
    'geometricMean',
    'connected',
    'poweredOn',
    'poweredOff',
    'true',
    'false',
    'null',
    'redacted',
    'localhost',
    'root',
    ...profile.workloads.flatMap((w) => [w.id, w.role, w.name, w.driver, w.unit]),
    profile.id,
    profile.name,
  ];
  return new Set(words.map((word) => word.toLowerCase()));
}

function learnNames(
  { testbed, plan, overview, clients, clientsAfter, inventoryBefore, inventoryAfter }: RunRecord,
  learn: Learn,
): void {
  learn('testbed', testbed.name);
  learn('plan', plan.name);
  learn('run', overview.name);
  for (const client of [...clients, ...(clientsAfter ?? [])]) {
    learn('client', client.name);
    learn('client', client.id);
    learn('machine', client.machineId);
    for (const [fact, text] of Object.entries(client.facts))
      if (/hostname|machine|address/i.test(fact)) learn('client', text);
  }
  for (const inventory of [inventoryBefore, inventoryAfter]) {
    if (inventory === null) continue;
    for (const host of inventory.hosts) {
      learnHost(learn, host.name);
      learn('serial', host.serial);
      for (const { name } of host.switches ?? [])
        if (!/^vSwitch\d+$/.test(name)) learn('switch', name);
    }
    for (const cluster of inventory.clusters) learn('cluster', cluster.name);
    for (const store of inventory.datastores) {
      learn('datastore', store.name);
      learn('volume', store.instanceUuid);
      for (const lun of store.luns) learn('lun', lun.canonicalName);
    }
    for (const network of inventory.networks) learn('network', network.name);
    for (const vm of inventory.vms) {
      learn('vm', vm.name);
      learn('address', vm.ip);
      learn('vm', vm.hostName);
    }
    // The root pool of a cluster is called Resources everywhere; the folder of all VMs vm.
    for (const { name, parentRef } of inventory.resourcePools ?? [])
      if (parentRef !== null) learn('pool', name);
    for (const { path } of inventory.folders ?? [])
      for (const name of path.split('/')) learn('folder', name);
  }
  for (const tile of testbed.tiles)
    for (const { vm, params, clientId } of tile.workloads) {
      learn('vm', vm?.name);
      learn('client', clientId);
      for (const [name, given] of Object.entries(params))
        if (typeof given === 'string' && tellingParam.test(name)) learn('parameter', given);
    }
  for (const { entity, source } of overview.series) {
    if (entity.kind === 'power' || entity.kind === 'client')
      learn(entity.kind === 'power' ? 'meter' : 'client', entity.name);
    if (entity.kind === 'host') learnHost(learn, entity.name);
    // `sysbench on client-1`, `vCenter lab-vc`, `NUT rack2`: what follows names a machine.
    learn('source', /^(?:vCenter|NUT|.+ on) (.+)$/.exec(source)?.[1]);
  }
}

/** A host is also called by the first part of its full name. */
function learnHost(learn: Learn, name: string): void {
  learn('host', name);
  const short = name.split('.')[0]!;
  if (short !== name && !/^\d+$/.test(short)) learn('host', short);
}
