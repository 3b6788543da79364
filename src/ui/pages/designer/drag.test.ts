import { createDrag, type DropPlace, type Surface } from './drag.ts';
import { columnAt, densities, headerPx } from './geometry.ts';
import { spanned, startsOf } from './useViewport.ts';

const place: DropPlace = { axis: 'host', ref: 'h2', name: 'esx2' };
/** A board whose only column begins at x = 100. */
function board(): { surface: Surface; marks: (string | null)[] } {
  const marks: (string | null)[] = [];
  return {
    marks,
    surface: {
      hit: (x) => (x >= 100 ? place : null),
      mark: (at) => {
        marks.push(at?.ref ?? null);
      },
      nudge: () => false,
    },
  };
}
const pointer = (type: string, x: number): void => {
  window.dispatchEvent(Object.assign(new Event(type), { clientX: x, clientY: 10, pointerId: 1 }));
};
/** Drags from 10 to `to`, ends it in a way, and tells what became of it. */
function dragged(
  to: number,
  end: () => void,
): { dropped: string[]; cancelled: number; marks: (string | null)[]; wasDrag: boolean } {
  const drag = createDrag(window);
  const { surface, marks } = board();
  const off = drag.register(surface);
  const told = { dropped: [] as string[], cancelled: 0 };
  drag.press({ clientX: 10, clientY: 10, pointerId: 1 }, () => ({
    label: '2 VMs',
    drop: ({ ref }) => {
      told.dropped.push(ref);
    },
    cancelled: () => {
      told.cancelled += 1;
    },
  }));
  pointer('pointermove', to);
  end();
  pointer('pointermove', 200);
  off();
  return { ...told, marks, wasDrag: drag.dragged() };
}

test('a drop tells the column under the pointer, once, and leaves no mark', () => {
  const { dropped, cancelled, marks, wasDrag } = dragged(150, () => pointer('pointerup', 150));
  expect({ dropped, cancelled, wasDrag }).toEqual({ dropped: ['h2'], cancelled: 0, wasDrag: true });
  expect(marks).toContain('h2');
  expect(marks.at(-1)).toBeNull();
});

test('Escape, a lost pointer and a drop beside every board move nothing', () => {
  expect(
    dragged(150, () => {
      window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
      pointer('pointerup', 150);
    }),
  ).toMatchObject({ dropped: [], cancelled: 1 });
  expect(dragged(150, () => pointer('pointercancel', 150))).toMatchObject({
    dropped: [],
    cancelled: 1,
  });
  expect(dragged(50, () => pointer('pointerup', 50))).toMatchObject({ dropped: [], cancelled: 1 });
});

test('a click that trembles is no drag', () => {
  expect(dragged(13, () => pointer('pointerup', 13))).toMatchObject({
    dropped: [],
    cancelled: 0,
    wasDrag: false,
  });
});

test('only rows and columns in view are found, at their edges too', () => {
  const starts = startsOf([30, 50, 20]);
  expect(starts).toEqual([0, 30, 80, 100]);
  expect(spanned(starts, 0, 29)).toEqual({ first: 0, last: 0 });
  expect(spanned(starts, 30, 80)).toEqual({ first: 1, last: 2 });
  expect(spanned(starts, -96, 5_000)).toEqual({ first: 0, last: 2 });
  expect(spanned([0], 0, 100)).toEqual({ first: 0, last: -1 });
  const [far] = densities;
  expect(
    [headerPx - 1, headerPx, headerPx + far!.columnPx, headerPx + 2 * far!.columnPx].map((x) =>
      columnAt(x, 2, far!),
    ),
  ).toEqual([null, 0, 1, null]);
});
