/** @jest-environment jsdom */
import type { KeyboardEvent, PointerEvent } from 'react';

import { createChartController } from './controller.ts';
import { createChartGroup } from './group.ts';
import { createPlotInput } from './plotInput.ts';
import { createScheduler } from './scheduler.ts';
import { recordingPen, testSeries, testTheme } from './testing/lab.ts';
import { emptyInput } from './view.ts';

/** A plot of 600 px over 0 to 100 s: 6 px a second. */
function lab(presenter = false) {
  const group = createChartGroup();
  const controller = createChartController(
    { pen: () => recordingPen().pen, readouts: () => undefined, cursor: () => undefined },
    group,
    createScheduler({ request: () => 1, cancel: () => undefined, nowMs: () => 0 }),
    () => 0,
  );
  controller.connect();
  controller.setTheme(testTheme);
  controller.resize(680, 228, 1);
  controller.update({
    ...emptyInput,
    originMs: 1_000_000,
    series: [
      testSeries(
        'a',
        Array.from({ length: 101 }, (_, s) => [s * 1_000, s] as const),
      ),
    ],
  });
  controller.draw();
  const input = createPlotInput({
    controller,
    group,
    select: () => undefined,
    announce: () => undefined,
    enlarge: () => undefined,
  });
  const plot = document.createElement('div');
  const frame = document.createElement('div');
  if (presenter) frame.dataset.presenter = '';
  frame.append(plot);
  plot.setPointerCapture = () => undefined;
  const shown = () => {
    controller.draw();
    return controller.axes().x.map((ms) => Math.round(ms / 1_000));
  };
  const key = (name: string) => {
    input.onKeyDown({
      key: name,
      currentTarget: plot,
      ctrlKey: false,
      metaKey: false,
      altKey: false,
      preventDefault: () => undefined,
      stopPropagation: () => undefined,
    } as unknown as KeyboardEvent<HTMLElement>);
    return shown();
  };
  const pointer = (second: number, shiftKey = false) =>
    ({
      button: 0,
      pointerId: 1,
      shiftKey,
      clientX: 56 + second * 6,
      currentTarget: plot,
    }) as unknown as PointerEvent<HTMLElement>;
  const wheel = (change: Partial<WheelEvent>) => {
    let prevented = false;
    input.onWheel({
      deltaX: 0,
      deltaY: 0,
      clientX: 56 + 300,
      currentTarget: plot,
      preventDefault: () => {
        prevented = true;
      },
      ...change,
    } as unknown as WheelEvent);
    return prevented;
  };
  return { group, input, key, pointer, wheel, shown };
}

test('plus and minus zoom about the cursor or the middle, Page keys pan, all within the run', () => {
  const { key, group } = lab();
  expect(key('+')).toEqual([25, 75]);
  expect(key('PageDown')).toEqual([50, 100]);
  expect(key('PageDown')).toEqual([50, 100]);
  expect(key('PageUp')).toEqual([25, 75]);
  group.moveCursor(25_000, null);
  expect(key('+')).toEqual([25, 50]);
  expect(key('-')).toEqual([25, 75]);
  key('-');
  expect(group.get().zoom).toBeNull();
});

test('a drag zooms to what it spans; with Shift it pans what is shown', () => {
  const { input, pointer, shown, key } = lab();
  input.onPointerDown(pointer(20));
  input.onPointerMove(pointer(40));
  input.onPointerUp(pointer(40));
  expect(shown()).toEqual([20, 40]);
  // 300 px are now 10 s: a drag to the right brings what was before.
  input.onPointerDown(pointer(50, true));
  input.onPointerMove(pointer(100, true));
  input.onPointerUp(pointer(100, true));
  expect(shown()).toEqual([10, 30]);
  expect(key('Escape')).toEqual([10, 30]);
});

test('the wheel alone scrolls the page; Ctrl zooms at the pointer, Shift pans', () => {
  const { wheel, shown } = lab();
  expect([wheel({ deltaY: -100 }), shown()]).toEqual([false, [0, 100]]);
  expect([wheel({ deltaY: -100, ctrlKey: true }), shown()]).toEqual([true, [10, 90]]);
  expect([wheel({ deltaY: 100, shiftKey: true }), shown()]).toEqual([true, [18, 98]]);
});

test("a presenter's keys stay with the presenter", () => {
  const { key, group } = lab(true);
  for (const name of ['+', '-', 'PageUp', 'PageDown']) key(name);
  expect(group.get().zoom).toBeNull();
});
