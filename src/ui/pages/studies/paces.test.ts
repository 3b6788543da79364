import { act, renderHook } from '@testing-library/react';

import { useSettled } from '../../kit/useSettled.ts';
import { useObservedRate } from './useObservedRate.ts';

afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

test('the pace is what the lab manages, over three seconds here at least; a real clock stays 1', () => {
  let wall = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => wall);
  const { result, rerender } = renderHook(
    ({ set, now }: { set: number; now: number }) => useObservedRate(set, now, true),
    { initialProps: { set: 3_600, now: 0 } },
  );
  expect(result.current).toBe(3_600);
  wall = 1_000;
  rerender({ set: 3_600, now: 1_200_000 });
  expect(result.current).toBe(3_600);
  wall = 4_000;
  rerender({ set: 3_600, now: 4_800_000 });
  expect(result.current).toBe(1_200);
  rerender({ set: 60, now: 4_800_001 });
  expect(result.current).toBe(60);
  rerender({ set: 1, now: 9_000_000 });
  expect(result.current).toBe(1);
});

test('what changes faster than it can be read is not shown', () => {
  jest.useFakeTimers();
  const { result, rerender } = renderHook(
    ({ value }: { value: string }) => useSettled(value, 700),
    { initialProps: { value: 'a' } },
  );
  expect(result.current).toBeNull();
  act(() => {
    jest.advanceTimersByTime(700);
  });
  expect(result.current).toBe('a');
  rerender({ value: 'b' });
  expect(result.current).toBeNull();
  act(() => {
    jest.advanceTimersByTime(699);
  });
  expect(result.current).toBeNull();
  act(() => {
    jest.advanceTimersByTime(1);
  });
  expect(result.current).toBe('b');
});
