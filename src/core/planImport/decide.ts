import { fail } from '../base/errors.ts';
import type { Plan } from '../plan/plan.ts';
import type { Profile } from '../profile/profile.ts';
import type { StudySpec } from '../study/study.ts';
import type { Connection } from '../testbed/connection.ts';
import { withVcenter } from '../testbed/powerSources.ts';
import type { Testbed } from '../testbed/testbed.ts';
import { clashKey } from './clashes.ts';
import { type ImportDoc, type ImportParts, sameDocument } from './parts.ts';
import {
  type ClashKind,
  clashKinds,
  type ImportClash,
  type ImportDecision,
  type ImportPreview,
} from './schema.ts';

/** By the key of the clash. */
export type ImportDecisions = Readonly<Record<string, ImportDecision>>;

export interface Decided {
  /** What is stored: not what was kept as it is here. References lead to the new ids. */ parts: ImportParts;
  /** Id of the plan to go on with: of the file's, or of the one that was kept. */ planId: string;
  studyId: string | null;
}

/**
 * The same answer to every clash; a shipped profile is never replaced, it gets an id of its own.
 */
export const decideAll = (
  { clashes }: Pick<ImportPreview, 'clashes'>,
  decision: ImportDecision,
): Record<string, ImportDecision> =>
  Object.fromEntries(
    clashes.map(({ key, replaceable }) => [
      key,
      decision === 'replace' && !replaceable ? 'new' : decision,
    ]),
  );

/** What is not decided yet. */
export const undecided = (
  { clashes }: Pick<ImportPreview, 'clashes'>,
  decisions: ImportDecisions,
): ImportClash[] => clashes.filter(({ key }) => decisions[key] === undefined);

/**
 * The file's documents as the decisions make them. Throws conflict where one is missing, or a
 * shipped profile would be replaced; keys that name no clash are left alone, for what clashed may
 * be the same by now.
 */
export function decide(
  parts: ImportParts,
  mine: ImportParts,
  { clashes }: Pick<ImportPreview, 'clashes'>,
  decisions: ImportDecisions,
): Decided {
  const open = undecided({ clashes }, decisions);
  if (open.length > 0)
    throw fail(
      'conflict',
      `Other things of the same id are stored here: ${open.map(({ kind, id }) => `${kind} ${id}`).join(', ')}.`,
      'Decide for each: keep mine, new id, or replace (--clash keep, new or replace on the command line).',
    );
  const fixed = clashes.find(
    ({ key, replaceable }) => !replaceable && decisions[key] === 'replace',
  );
  if (fixed)
    throw fail(
      'conflict',
      `Profile ${fixed.id} comes with Tilebench and cannot be replaced by the file's.`,
      'Keep it, or give the file its own: new id (profile.id, plan.profileId and testbed.profileId in the file).',
    );
  const clashing = new Set(clashes.map(({ key }) => key));
  const answer = (kind: ClashKind, id: string): ImportDecision | undefined =>
    clashing.has(clashKey(kind, id)) ? decisions[clashKey(kind, id)] : undefined;
  const ids = idsWithFollowers(parts, mine, (kind, id) => answer(kind, id) === 'new');
  const to = toOf(ids);
  const taken = <K extends ClashKind>(kind: K): ImportParts[K] =>
    (parts[kind] as readonly ImportDoc[]).filter(
      ({ id }) => answer(kind, id) !== 'keep',
    ) as readonly ImportDoc[] as ImportParts[K];
  const named = <T extends { id: string; name: string }>(kind: ClashKind, doc: T): T => {
    const id = to(kind, doc.id);
    return id === doc.id ? doc : { ...doc, id, name: `${doc.name.slice(0, 112)} (${suffix(id)})` };
  };
  return {
    parts: {
      connection: taken('connection').map((one) => moved.connection(named('connection', one), to)),
      profile: taken('profile').map((one) => moved.profile(named('profile', one), to)),
      testbed: taken('testbed').map((one) => moved.testbed(named('testbed', one), to)),
      plan: taken('plan').map((one) => moved.plan(named('plan', one), to)),
      study: taken('study').map((one) => moved.study(named('study', one), to)),
    },
    planId: to('plan', parts.plan[0]!.id),
    studyId: parts.study[0] ? to('study', parts.study[0].id) : null,
  };
}

type To = (kind: ClashKind, id: string) => string;
const toOf =
  (ids: ReadonlyMap<string, string>): To =>
  (kind, id) =>
    ids.get(clashKey(kind, id)) ?? id;

/**
 * New ids where they were chosen, and for what is the same here but would lead to one of them: what
 * is stored stays as it is.
 */
function idsWithFollowers(
  parts: ImportParts,
  mine: ImportParts,
  isNew: (kind: ClashKind, id: string) => boolean,
): Map<string, string> {
  const followers = new Set<string>();
  for (;;) {
    const ids = newIds(
      parts,
      mine,
      (kind, id) => isNew(kind, id) || followers.has(clashKey(kind, id)),
    );
    const to = toOf(ids);
    const before = followers.size;
    for (const kind of clashKinds)
      for (const doc of parts[kind])
        if (
          mine[kind].some((other) => other.id === doc.id && sameDocument(kind, other, doc)) &&
          !sameDocument(kind, moveOf(kind, doc, to), doc)
        )
          followers.add(clashKey(kind, doc.id));
    if (followers.size === before) return ids;
  }
}

function moveOf(kind: ClashKind, doc: ImportDoc, to: To): ImportDoc {
  switch (kind) {
    case 'connection':
      return moved.connection(doc as Connection, to);
    case 'profile':
      return moved.profile(doc as Profile, to);
    case 'testbed':
      return moved.testbed(doc as Testbed, to);
    case 'plan':
      return moved.plan(doc as Plan, to);
    case 'study':
      return moved.study(doc as StudySpec, to);
  }
}

const suffix = (id: string): string => id.slice(id.lastIndexOf('-') + 1);

/** `client1` → `client1-2`: the first number that neither the store nor the file has. */
function newIds(
  parts: ImportParts,
  mine: ImportParts,
  isNew: (kind: ClashKind, id: string) => boolean,
): Map<string, string> {
  const ids = new Map<string, string>();
  for (const kind of clashKinds) {
    const taken = new Set([...mine[kind], ...parts[kind]].map(({ id }) => id));
    for (const { id } of parts[kind]) {
      if (!isNew(kind, id)) continue;
      let next = '';
      for (let n = 2; next === '' || taken.has(next); n += 1) next = `${id.slice(0, 58)}-${n}`;
      taken.add(next);
      ids.set(clashKey(kind, id), next);
    }
  }
  return ids;
}

function connectionTo(connection: Connection, to: To): Connection {
  if (connection.kind === 'client' && connection.jumpId !== undefined)
    return { ...connection, jumpId: to('connection', connection.jumpId) };
  if (connection.kind === 'power')
    return {
      ...connection,
      source: withVcenter(connection.source, (id) => to('connection', id)),
    };
  return connection;
}

const profileTo = (profile: Profile, to: To): Profile =>
  typeof profile.parentId === 'string'
    ? { ...profile, parentId: to('profile', profile.parentId) }
    : profile;

const testbedTo = (testbed: Testbed, to: To): Testbed => ({
  ...testbed,
  profileId: to('profile', testbed.profileId),
  vcenterId: testbed.vcenterId === null ? null : to('connection', testbed.vcenterId),
  powerIds: testbed.powerIds.map((id) => to('connection', id)),
  ...(testbed.hostLogins && {
    hostLogins: testbed.hostLogins.map((login) => ({
      ...login,
      connectionId: to('connection', login.connectionId),
    })),
  }),
  tiles: testbed.tiles.map((tile) => ({
    ...tile,
    workloads: tile.workloads.map((one) => ({
      ...one,
      clientId: to('connection', one.clientId),
    })),
  })),
});

const planTo = (plan: Plan, to: To): Plan => ({
  ...plan,
  testbedId: to('testbed', plan.testbedId),
  profileId: to('profile', plan.profileId),
});

const studyTo = (study: StudySpec, to: To): StudySpec => ({
  ...study,
  planId: to('plan', study.planId),
  axes: study.axes.map((axis) => {
    const { kind } = axis.parameter;
    if (kind !== 'testbed' && kind !== 'profile') return axis;
    const move = (value: string | number): string | number =>
      typeof value === 'string' ? to(kind, value) : value;
    return {
      ...axis,
      values: axis.values.map(move),
      valueLabels: Object.fromEntries(
        Object.entries(axis.valueLabels).map(([value, label]) => [to(kind, value), label]),
      ),
    };
  }),
});

/** A document with its references led to the new ids. */
const moved = {
  connection: connectionTo,
  profile: profileTo,
  testbed: testbedTo,
  plan: planTo,
  study: studyTo,
};
