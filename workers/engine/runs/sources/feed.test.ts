import type { JournalEntry } from '../../metrics/types.ts';
import type { RunContext } from '../context.ts';
import { createFeed } from './feed.ts';

function feedOver(journal: readonly JournalEntry[], key: string) {
  const pushed: [number, number, number][] = [];
  const journalled: JournalEntry[] = [];
  const context = {
    run: { id: 'r' },
    db: { samples: { journal: () => journal } },
    pipeline: {
      push: (...sample: [number, number, number]) => void pushed.push(sample),
      journal: (entry: JournalEntry) => void journalled.push(entry),
    },
  } as unknown as RunContext;
  return { feed: createFeed(context, key), pushed, journalled };
}

test('a source that was never read pushes all it has, but for series the run lacks', () => {
  const { feed, pushed, journalled } = feedOver(
    [{ key: 'another', resume: { offset: 7 }, lastTMs: 9_000 }],
    'mine',
  );
  expect(feed.stored).toBeNull();
  expect([feed.push(3, 1_000, 5), feed.push(undefined, 2_000, 5)]).toEqual([true, false]);
  feed.journal(1_000);
  expect(pushed).toEqual([[3, 1_000, 5]]);
  expect(journalled).toEqual([{ key: 'mine', resume: { offset: 0 }, lastTMs: 1_000 }]);
});

test('after a restart it goes on from its own journal and pushes nothing that was stored', () => {
  const { feed, pushed, journalled } = feedOver(
    [{ key: 'mine', resume: { offset: 70, state: 'x' }, lastTMs: 2_000 }],
    'mine',
  );
  expect(feed.stored).toMatchObject({ resume: { offset: 70, state: 'x' }, lastTMs: 2_000 });
  expect([1_999, 2_000, 2_001].map((tMs) => feed.push(0, tMs, 1))).toEqual([false, false, true]);
  feed.journal(2_001, { offset: 90 });
  expect(pushed).toEqual([[0, 2_001, 1]]);
  expect(journalled).toEqual([{ key: 'mine', resume: { offset: 90 }, lastTMs: 2_001 }]);
});
