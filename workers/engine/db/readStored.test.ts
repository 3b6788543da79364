import fc from 'fast-check';
import * as z from 'zod';

import { printable } from '../../../src/core/base/bounds.ts';
import { field } from '../../../src/core/base/field.ts';
import { runRecord } from '../../../src/core/run/run.ts';
import { demoRun } from '../../../src/ui/pages/runs/testing/records.ts';
import { storedRun } from '../history/testing/storedRuns.ts';
import { createHarness } from '../testing/engineHarness.ts';
import { readShown, readStored } from './readStored.ts';

/**
 * What must not reach a screen: an escape, a turn of direction, a mark of no width, a C1 control.
 */
const unseen = ['\u001b', '\u202e', '\u200b', '\u0085', '\u0000'];
const isShowable = (text: string): boolean => printable(text) === text;

/** Each text of a value ends with `mark`, but ids and words that a schema lists. */
function marked(value: unknown, mark: string, key = ''): unknown {
  if (typeof value === 'string')
    return ['text', 'name', 'detail', 'notes'].includes(key) ? value + mark : value;
  if (Array.isArray(value)) return value.map((one) => marked(one, mark, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, marked(inner, mark, name)]),
  );
}
const everyText = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? [...Object.keys(value), ...Object.values(value).flatMap(everyText)]
      : [];

test('no text of a record is shown with what does not print, however it was written', () => {
  const { record } = demoRun({ id: 'r', name: 'Baseline' });
  for (const mark of unseen) {
    const json = JSON.stringify(marked(record, mark));
    const shown = readShown(runRecord, json);
    expect(shown.ok && everyText(shown.data).filter((text) => !isShowable(text))).toEqual([]);
    expect(readStored(runRecord, json).ok).toBe(true);
  }
  const clean = readShown(runRecord, JSON.stringify(record));
  expect(clean.ok && clean.data).toEqual(record);
});

test('line ends and tabs of texts stay, and what the schema takes is read as it is where it is used again', () => {
  const schema = z.object({ text: field.freeText(), name: field.name('vm') });
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const json = JSON.stringify({ text, name: 'a' });
      const [shown, stored] = [readShown(schema, json), readStored(schema, json)];
      expect(shown.ok && shown.data.text).toBe(printable(text));
      expect(stored.ok && stored.data.text).toBe(text);
    }),
  );
  const named = readStored(schema, JSON.stringify({ text: 'a\n\tb', name: 'x\u001b\ny' }));
  expect(named).toMatchObject({ ok: true, data: { name: 'x y' } });
});

test('nothing that a window asks for of a stored run holds such a character', async () => {
  const harness = await createHarness();
  const mark = unseen.join('');
  await harness.restart((db) => {
    storedRun(db, {
      id: 'a',
      name: 'Mail',
      hosts: [`esx${mark}01`],
      findings: [`Clock${mark} ahead`],
      notes: [`note${mark} here`],
    });
    db.runs.saveLog('a', 't0.mail', `out${mark}put\nmore\n`);
  });
  const told = [
    await harness.call('history.list', { text: 'here' }),
    await harness.call('history.list', {}),
    await harness.call('run.list', {}),
    await harness.call('run.overview', { id: 'a' }),
    await harness.call('run.record', { id: 'a' }),
    await harness.call('run.log', { id: 'a' }),
    await harness.call('history.unreadable', {}),
  ];
  const texts = told.flatMap(everyText);
  expect(texts.join('\n')).toContain('more');
  expect(texts.filter((text) => !isShowable(text))).toEqual([]);
  await harness.close();
});
