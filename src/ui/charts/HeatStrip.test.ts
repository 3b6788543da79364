import { headroomText } from './HeatStrip.tsx';

test.each([
  [null, '–'],
  [336, '4.36×'],
  [100, '100 %'],
  [19.6, '20 %'],
  [-0.2, '0 %'],
  [-25, '−25 %'],
  [-99, '−99 %'],
  [-100, '−100 %'],
  [-101, '2.01×'],
  [-965, '10.7×'],
  [-120_000, '1200×'],
])('headroom of %p is told as %s', (pct, text) => expect(headroomText(pct)).toBe(text));
