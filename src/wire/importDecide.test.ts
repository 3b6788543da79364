import fc from 'fast-check';

import { planFileSchema } from '../core/plan/plan.ts';
import { clashesOf } from '../core/planImport/clashes.ts';
import { decide, decideAll, undecided } from '../core/planImport/decide.ts';
import { type ImportDoc, type ImportParts, partsOf } from '../core/planImport/parts.ts';
import { previewImport } from '../core/planImport/preview.ts';
import { clashKinds, type ImportDecision, type ImportSource } from '../core/planImport/schema.ts';
import type { Connection } from '../core/testbed/connection.ts';
import { sourceOf } from './importOwn.ts';

/** A file of three clients, one behind another, whose ids and hosts are chosen. */
function sourceWith(ids: readonly [string, string, string], host: string): ImportSource {
  const client = (id: string, jumpId?: string): Connection => ({
    kind: 'client',
    id,
    name: id,
    host,
    port: 22,
    user: 'u',
    auth: { method: 'agent' },
    ...(jumpId === undefined ? {} : { jumpId }),
  });
  return sourceOf(
    planFileSchema.parse({
      tilebenchPlan: 1,
      connections: [client(ids[0]), client(ids[1], ids[0]), client(ids[2], ids[1])],
      testbed: {
        id: 'tb',
        name: host,
        profileId: 'p',
        vcenterId: null,
        tiles: [
          {
            index: 0,
            workloads: ids.map((clientId, i) => ({ workloadId: `w${i}`, vm: null, clientId })),
          },
        ],
      },
      plan: {
        id: 'plan',
        name: host,
        testbedId: 'tb',
        profileId: 'p',
        tiles: 1,
        phases: { rampUpS: 0, staggerS: 0, steadyS: 5, periods: 1, rampDownS: 0 },
      },
    }),
  );
}

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'a-2', 'b-2');
const ids = fc.tuple(id, id, id).filter((three) => new Set(three).size === 3) as fc.Arbitrary<
  [string, string, string]
>;
const hosts = fc.constantFrom('one.lab', 'two.lab');
const answers = fc.array(fc.constantFrom<ImportDecision>('keep', 'new', 'replace'), {
  minLength: 5,
  maxLength: 5,
});

/** The store after an import: what was decided, over what stood there. */
function after(mine: ImportParts, taken: ImportParts, kind: keyof ImportParts): ImportDoc[] {
  const docs = new Map<string, ImportDoc>();
  for (const doc of [...mine[kind], ...taken[kind]]) docs.set(doc.id, doc);
  return [...docs.values()];
}

test('whatever is decided: what is kept stays as it is, a new id leaves both, every reference leads somewhere', () => {
  fc.assert(
    fc.property(ids, hosts, ids, hosts, answers, (myIds, myHost, theirIds, theirHost, answer) => {
      const mine = partsOf(sourceWith(myIds, myHost));
      const theirs = partsOf(sourceWith(theirIds, theirHost));
      const clashes = clashesOf(theirs, mine, () => false);
      const decisions = Object.fromEntries(clashes.map(({ key }, i) => [key, answer[i]!]));
      const { parts, planId } = decide(theirs, mine, { clashes }, decisions);
      const replaced = new Set(
        Object.entries(decisions).flatMap(([key, what]) => (what === 'replace' ? [key] : [])),
      );
      for (const kind of clashKinds) {
        const stored = after(mine, parts, kind);
        for (const doc of mine[kind])
          if (!replaced.has(`${kind}:${doc.id}`)) expect(stored).toContainEqual(doc);
        const added = Object.entries(decisions).filter(
          ([key, what]) => key.startsWith(`${kind}:`) && what === 'new',
        ).length;
        const fresh = theirs[kind].filter(({ id: one }) => !mine[kind].some((m) => m.id === one));
        // More where something that is the same here leads to one with a new id.
        expect(stored.length).toBeGreaterThanOrEqual(mine[kind].length + added + fresh.length);
      }
      const connections = new Set(after(mine, parts, 'connection').map((one) => one.id));
      for (const one of parts.connection)
        if (one.kind === 'client' && one.jumpId !== undefined)
          expect(connections).toContain(one.jumpId);
      for (const bed of parts.testbed)
        for (const { clientId } of bed.tiles[0]!.workloads) expect(connections).toContain(clientId);
      expect(after(mine, parts, 'plan').map((one) => one.id)).toContain(planId);
    }),
  );
});

test('with no answer, or a half one, nothing is decided', () => {
  const mine = partsOf(sourceWith(['a', 'b', 'c'], 'one.lab'));
  const theirs = partsOf(sourceWith(['a', 'b', 'x'], 'two.lab'));
  const preview = { clashes: clashesOf(theirs, mine, () => false) };
  expect(preview.clashes.map(({ key }) => key)).toEqual([
    'connection:a',
    'connection:b',
    'testbed:tb',
    'plan:plan',
  ]);
  expect(preview.clashes[0]!.fields).toEqual([
    { field: 'host', mine: 'one.lab', theirs: 'two.lab' },
  ]);
  const { 'plan:plan': _open, ...half } = decideAll(preview, 'keep');
  for (const decisions of [{}, half]) {
    expect(undecided(preview, decisions).length).toBeGreaterThan(0);
    expect(() => decide(theirs, mine, preview, decisions)).toThrow(/plan plan/);
  }
});

test('an id that stands twice in a file is refused', () =>
  expect(() => partsOf(sourceWith(['a', 'a', 'b'], 'x'))).toThrow('two of connection a'));

test('a file of what is stored to the letter brings nothing to agree to; any other host does', () => {
  const source = sourceWith(['a', 'b', 'c'], 'one.lab');
  const stored = {
    parts: partsOf(source),
    profileOf: () => undefined,
    isShipped: () => false,
    isGranted: () => false,
    isTrusted: () => false,
  };
  expect(previewImport(source, stored)).toMatchObject({ trusted: true, clashes: [] });
  const other = previewImport(sourceWith(['a', 'b', 'c'], 'two.lab'), stored);
  expect(other.trusted).toBe(false);
  expect(other.peers.map(({ state, via }) => [state, via])).toEqual([
    ['differs', null],
    ['differs', 'a'],
    ['differs', 'b'],
  ]);
});
