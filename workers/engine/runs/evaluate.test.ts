import { droppedFindings } from './evaluate.ts';

describe('what the store left out', () => {
  test('nothing left out says nothing', () =>
    expect(droppedFindings({ repeated: 0, unusable: 0 })).toEqual([]));
  test('a sample without a number is a warning that counts it', () => {
    expect(droppedFindings({ repeated: 0, unusable: 1 })).toMatchObject([
      {
        id: 'dropped.unusable',
        severity: 'warn',
        text: '1 sample without a finite time or value was left out.',
      },
    ]);
  });
  test('repeats after a restart are told as stored once', () => {
    expect(droppedFindings({ repeated: 12, unusable: 0 })).toMatchObject([
      {
        id: 'dropped.repeated',
        severity: 'info',
        text: '12 samples arrived again or out of order and were stored once.',
      },
    ]);
  });
});
