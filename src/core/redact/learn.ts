import type * as z from 'zod';

import type { FieldMeaning } from '../base/field.ts';
import { sha256 } from '../base/sha256.ts';
import { metricNames } from '../metric/metric.ts';
import { canonicalText } from '../snapshot/snapshot.ts';
import type { Allowed } from './allowed.ts';
import { coreWords } from './fieldTerms.ts';
import { mapStrings, type Place } from './walk.ts';

/** Data that leaves, or that names what leaves, with the schema that says what its strings are. */
export interface Source {
  schema: z.core.$ZodType;
  data: unknown;
}
export const sourceOf = <S extends z.ZodType>(schema: S, data: z.output<S>): Source => ({
  schema,
  data,
});

/** A name or address, and what stands in its place. */
export interface Known {
  kind: string;
  from: string;
  to: string;
  count: number;
}

/** Members and parameters that name a machine, a person or a place. */
const telling =
  /host|machine|address|server|target|user|login|database|schema|url|uri|path|dir|file|device|disk|domain|mail|pass|secret|token|key$/i;
const secretKey = /pass|secret|token/i;
export const isTelling = (key: string): boolean => telling.test(key);
/** What every platform and tool calls its own things: tells nobody's name. */
const platformNames =
  /^(?:vSwitch\d+|Resources|vm|VM Network|Management Network|tile\{tile\}-\{workload\}|localhost|127\.0\.0\.1|::1|root|mysql|sbtest|\/tmp|\/var\/tmp|\d{1,6}|true|false)$/;
export const isPlatformName = (name: string): boolean => platformNames.test(name);
/**
 * Kinds whose names and ids are words of shipped profiles as a rule: read as text, so that only
 * what is strange goes.
 */
const openKinds: ReadonlySet<string> = new Set([
  'workload',
  'operation',
  'profile',
  'rule',
  'finding',
  'measure',
  'axis',
  'value',
  'point',
  'line',
  'gallery',
]);
export const isOpen = (of: string): boolean => openKinds.has(of);
const who = /^(?:vCenter|NUT|simulated meter|\/proc\/stat of|.+ on) (.+)$/;

/** Parts of an id that can be ids themselves. */
export const idParts = (id: string): string[] =>
  id.split(/[./:;=|@]+/).filter((part) => part !== '');

/** Words and figures joined by `-` and `_`. */
export const isPlainPart = (part: string, allowed: Allowed): boolean =>
  allowed(part) || part.split(/[_-]+/).every((atom) => atom === '' || allowed(atom));

type Learn = (kind: string, name: string) => void;

/** Every name and address that one string holds, by what its schema says it is. */
function learnString(
  meaning: FieldMeaning,
  text: string,
  place: Place,
  allowed: Allowed,
  learn: Learn,
): void {
  const strangeParts = (kind: string): void => {
    for (const part of idParts(text)) if (!isPlainPart(part, allowed)) learn(kind, part);
  };
  switch (meaning.is) {
    case 'name':
    case 'address':
      if (!isOpen(meaning.of)) learn(meaning.of, text);
      return;
    case 'path':
      for (const name of text.split(/\/|%2f/i)) learn(meaning.of, name);
      return;
    case 'id':
      if (isOpen(meaning.of) || meaning.of === 'ref' || meaning.of === 'entity')
        strangeParts(meaning.of);
      else learn(meaning.of, text);
      return;
    case 'byKey':
      if (isTelling(place.key) && (secretKey.test(place.key) || !isPlatformName(text)))
        learn(secretKey.test(place.key) ? 'secret' : 'parameter', text);
      return;
    case 'byMember': {
      const kind = meaning.names[String(place.owner?.[meaning.member])];
      if (kind !== undefined) learn(kind, text);
      return;
    }
    case 'source': {
      const name = who.exec(text)?.[1];
      if (name !== undefined && !name.startsWith('operations of')) learn('thing', name);
      return;
    }
    case 'word':
    case 'hash':
    case 'text':
      return;
  }
}

/** What a profile calls its workloads stands in every text of a run. */
const isOwnWord = (meaning: FieldMeaning): boolean =>
  (meaning.is === 'id' || meaning.is === 'name') &&
  (meaning.of === 'workload' || meaning.of === 'operation');
/** Kinds that say little give way to those that say more. */
const vague: readonly string[] = ['thing', 'entity', 'ref', 'parameter', 'address', 'connection'];
const rank = (kind: string): number => vague.indexOf(kind);

/** Pseudonyms where a schema takes only a certain form. */
function pseudonym(kind: string, number: number, from: string): string {
  if (/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/.test(from)) {
    const lastTwo = [number >> 8, number & 255].map((byte) => byte.toString(16).padStart(2, '0'));
    return `${'00:'.repeat(30)}${lastTwo.join(':')}`.toUpperCase();
  }
  if (/^SHA256:[A-Za-z0-9+/]{43}$/.test(from)) return `SHA256:${String(number).padStart(43, '0')}`;
  if (kind === 'axis') return `redactedAxis${number}`;
  if (kind === 'variable') return `redacted_variable_${number}`;
  return `redacted-${kind}-${number}`;
}

export interface Names {
  /** By name in small letters; short forms of a host lead to the host's own entry. */
  known: Map<string, Known>;
  /** Words that stay whatever is called by them: a text without them could not be read. */
  core: ReadonlySet<string>;
  /** Takes a name met later, and gives its entry. */
  add(kind: string, name: string): Known;
}

/**
 * All names and addresses of the sources. Numbers are given in an order that tells nothing of the
 * names (by a hash that nobody can make who does not know all of them), and is the same whenever
 * the same sources are redacted. `given` names keep the pseudonyms they come with.
 */
export function learnNames(
  sources: readonly Source[],
  allowed: Allowed,
  given: readonly Omit<Known, 'count'>[] = [],
): Names {
  const met = new Map<string, { from: string; kind: string }>();
  const learn: Learn = (kind, name) => {
    const from = name.trim();
    const key = from.toLowerCase();
    if (from === '' || isPlatformName(from)) return;
    const before = met.get(key);
    if (before === undefined || rank(kind) < rank(before.kind)) met.set(key, { from, kind });
  };
  const core = new Set(
    [...metricNames, ...coreWords.trim().split(/\s+/)].map((w) => w.toLowerCase()),
  );
  for (const { schema, data } of sources)
    mapStrings(schema, data, (meaning, text, place) => {
      if (isOwnWord(meaning) && allowed(text)) core.add(text.toLowerCase());
      learnString(meaning, text, place, allowed, learn);
      return text;
    });
  const secret = sha256(canonicalText([...met.keys()].sort()));
  const known = new Map<string, Known>();
  const counters = new Map<string, number>();
  for (const { kind, from, to } of given) {
    known.set(from.toLowerCase(), { kind, from, to, count: 0 });
    // What is met later gets a number that nobody has.
    const number = Number(/(\d+)$/.exec(to)?.[1] ?? 0);
    counters.set(kind, Math.max(counters.get(kind) ?? 0, number));
  }
  const add = (kind: string, name: string): Known => {
    const number = (counters.get(kind) ?? 0) + 1;
    counters.set(kind, number);
    const entry = { kind, from: name, to: pseudonym(kind, number, name), count: 0 };
    known.set(name.toLowerCase(), entry);
    return entry;
  };
  const order = (key: string): string => sha256(`${secret} ${key}`);
  const shuffled = [...met].map(([key, one]) => ({ ...one, order: order(key) }));
  shuffled.sort((a, b) => (a.order < b.order ? -1 : 1));
  for (const { kind, from } of shuffled) if (!known.has(from.toLowerCase())) add(kind, from);
  addShortForms(known, add);
  return { known, core, add };
}

/**
 * `esx1` of `esx1.lab.example` is the same host; `lab.example` is a domain. A short form of two
 * hosts is neither's.
 */
function addShortForms(known: Map<string, Known>, add: Names['add']): void {
  const shorts = new Map<string, Known | null>();
  const domains = new Set<string>();
  for (const [key, entry] of known) {
    if (!/^[a-z0-9_][a-z0-9_-]*(?:\.[a-z0-9_-]+)+\.?$/.test(key) || /^[\d.]+$/.test(key)) continue;
    const [short = '', ...rest] = key.replace(/\.$/, '').split('.');
    if (rest.length > 1) domains.add(rest.join('.'));
    if (short.length > 1 && !/^\d+$/.test(short))
      shorts.set(short, shorts.has(short) ? null : entry);
  }
  for (const [short, entry] of shorts)
    if (!known.has(short)) {
      if (entry === null) add('host', short);
      else known.set(short, entry);
    }
  for (const domain of [...domains].sort()) if (!known.has(domain)) add('domain', domain);
}
