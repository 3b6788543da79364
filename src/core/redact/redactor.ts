import type * as z from 'zod';

import { fail } from '../base/errors.ts';
import type { FieldMeaning } from '../base/field.ts';
import { byNaturalOrder } from '../base/naturalOrder.ts';
import { type Allowed, createAllowed } from './allowed.ts';
import { createFreeText } from './freeText.ts';
import {
  idParts,
  isOpen,
  isPlainPart,
  isPlatformName,
  isTelling,
  type Known,
  learnNames,
  type Source,
} from './learn.ts';
import { mapStrings, type Place } from './walk.ts';

/** What was replaced by what, for the preview of what leaves. */
export interface Replacement {
  kind: string;
  from: string;
  to: string;
  count: number;
}
/**
 * A word of a text that may name somebody and is no known name, or a known name that is a plain
 * word too: a person must look at it.
 */
export interface Doubt {
  text: string;
  /** As it leaves; the same as `text` where it stays. */
  to: string;
  count: number;
  why: 'unknown' | 'plainWord';
}
export interface Redactor {
  text(text: string): string;
  /**
   * A copy of the data with every string as its schema says it may leave; what the schema does not
   * know does not leave.
   */
  value<S extends z.ZodType>(schema: S, data: z.output<S>): z.output<S>;
  /** All names known or met, with how often each was replaced so far. */
  replacements(): Replacement[];
  /** What a person must look at before any of it leaves, of all that was redacted so far. */
  doubts(): Doubt[];
}
/**
 * `keep`: words that a person looked at and lets leave as they are. `known`: names with the
 * pseudonyms they have elsewhere, as the bundle of a run gives them; they keep them.
 */
export interface RedactOptions {
  keep?: readonly string[];
  known?: readonly Pick<Replacement, 'kind' | 'from' | 'to'>[];
}

/**
 * Replaces names and addresses by pseudonyms that are the same throughout: `redacted-host-1`,
 * `redacted-vm-12`. Names are what the schemas of the sources say is one; texts pass patterns,
 * these names in every spelling, and an allow-list: a token that is in no list leaves as
 * `redacted-word-N`.
 */
export function createRedactor(sources: readonly Source[], options: RedactOptions = {}): Redactor {
  const allowed = createAllowed(options.keep);
  const names = learnNames(sources, allowed, options.known);
  const free = createFreeText(names, allowed);
  const visit = (meaning: FieldMeaning, text: string, place: Place): string =>
    redactString(meaning, text, place, {
      known: names.known,
      allowed,
      redact: (given, product) => free.redact(given, product),
    });
  return {
    text: (text) => free.redact(text),
    // The shape is kept: only what strings say changes.
    value: <S extends z.ZodType>(schema: S, data: z.output<S>) =>
      mapStrings(schema, data, visit) as z.output<S>,
    replacements: () =>
      [...new Set(names.known.values())]
        .filter((one) => !free.unknown.has(one))
        .sort((a, b) => byNaturalOrder(a.kind, b.kind)),
    doubts: () => [
      ...[...free.unknown].map(({ from, to, count }): Doubt => ({
        text: from,
        to,
        count,
        why: 'unknown',
      })),
      ...[...free.ambiguous].map(([text, count]): Doubt => ({
        text,
        to: text,
        count,
        why: 'plainWord',
      })),
    ],
  };
}

/** What nobody has looked at yet. Throws `conflict` with the words where `confirmed` lacks one. */
export function demandConfirmed(redactor: Redactor, confirmed: readonly string[]): void {
  const seen = new Set(confirmed.map((word) => word.toLowerCase()));
  const open = redactor.doubts().filter(({ text }) => !seen.has(text.toLowerCase()));
  if (open.length === 0) return;
  const shown = open.slice(0, 12).map(({ text }) => text);
  throw fail(
    'conflict',
    `${open.length} ${open.length === 1 ? 'word' : 'words'} may name somebody and nobody has ` +
      `looked at ${open.length === 1 ? 'it' : 'them'}: ` +
      `${shown.join(', ')}${open.length > shown.length ? ', …' : ''}.`,
    'Look at the preview and confirm it; on the command line, --confirm.',
  );
}

interface Means {
  known: ReadonlyMap<string, Known>;
  allowed: Allowed;
  redact: (text: string, product?: boolean) => string;
}

function redactString(meaning: FieldMeaning, text: string, place: Place, means: Means): string {
  const { known, redact } = means;
  const whole = (of: string): string => known.get(of.trim().toLowerCase())?.to ?? redact(of);
  const counted = (of: string): string => {
    const entry = known.get(of.trim().toLowerCase());
    if (entry === undefined) return isPlatformName(of) ? of : redact(of);
    entry.count += 1;
    return entry.to;
  };
  switch (meaning.is) {
    case 'name':
    case 'address':
      return isOpen(meaning.of) ? redact(text) : counted(text);
    case 'path':
      return text
        .split(/(\/|%2f)/i)
        .map((part, i) => (i % 2 === 1 || part === '' ? part : counted(part)))
        .join('');
    case 'id':
      return redactId(text, means);
    case 'byKey':
      return isTelling(place.key) ? counted(text) : redact(text, true);
    case 'byMember':
      return meaning.names[String(place.owner?.[meaning.member])] === undefined
        ? redact(text)
        : counted(text);
    case 'word':
      return redact(text, true);
    case 'hash':
      return /^[0-9a-f]{8,128}$/i.test(text) && !known.has(text.toLowerCase()) ? text : whole(text);
    case 'source':
    case 'text':
      return redact(text);
  }
}

/** An id as a whole, or each strange part of it; what composes it stays. */
function redactId(id: string, { known, allowed, redact }: Means): string {
  const entry = known.get(id.trim().toLowerCase());
  if (entry) {
    entry.count += 1;
    return entry.to;
  }
  if (idParts(id).length === 0) return redact(id);
  return id
    .split(/([./:;=|@]+)/)
    .map((part, i) => {
      if (i % 2 === 1 || part === '') return part;
      const one = known.get(part.toLowerCase());
      if (one) one.count += 1;
      if (one) return one.to;
      return isPlainPart(part, allowed) ? part : redact(part);
    })
    .join('');
}
