import { readToPage } from './toPage.ts';

const notice = {
  message: 'The engine does not answer',
  detail: 'It is started again.',
  choices: [{ label: 'Start it again', act: 'retry' }],
};

test('what a host says is read', () => {
  expect(readToPage(JSON.stringify({ notice }))).toEqual({ notice });
  expect(readToPage('{"notice":null}')).toEqual({ notice: null });
});

test.each([
  ['no JSON', '{'],
  ['no object', '"notice"'],
  ['nothing', 'null'],
  ['no notice', '{}'],
  ['no words', JSON.stringify({ notice: { ...notice, message: 4 } })],
  ['choices that are no list', JSON.stringify({ notice: { ...notice, choices: {} } })],
  [
    'an act nobody knows',
    JSON.stringify({ notice: { ...notice, choices: [{ label: 'x', act: 'rm' }] } }),
  ],
  [
    'too many choices',
    JSON.stringify({ notice: { ...notice, choices: Array(9).fill(notice.choices[0]) } }),
  ],
])('what a host does not say is refused: %s', (_, frame) => {
  expect(() => readToPage(frame)).toThrow();
});
