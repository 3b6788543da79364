import { screen, within } from '@testing-library/react';
import * as z from 'zod';

import type { Connection } from '../../../core/testbed/connection.ts';
import { powerSources } from '../../../core/testbed/power/index.ts';
import { type PowerType, powerTypes } from '../../../core/testbed/powerSources.ts';
import { renderRoute } from '../../testing/renderRoute.tsx';
import { fieldFault } from './fieldFault.ts';

async function openForm(label: string) {
  const rendered = renderRoute('/connections', {
    'connection.list': () => [],
    'connection.save': ({ connection }) => connection as Connection,
  });
  const { user } = rendered;
  await user.click(await screen.findByRole('button', { name: 'Add connection' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Power source' }));
  const form = within(await screen.findByRole('form', { name: 'Power source connection' }));
  await user.click(form.getByRole('radio', { name: label }));
  const save = () => user.click(form.getByRole('button', { name: 'Save without connecting' }));
  return { ...rendered, form, save };
}

test.each(powerTypes.map((type): [string, PowerType] => [powerSources[type].label, type]))(
  'the form of %s asks for what is missing, in one sentence for all',
  async (label) => {
    const { save } = await openForm(label);
    await save();
    const faults = [...document.querySelectorAll('.mantine-InputWrapper-error')];
    expect(faults.length).toBeGreaterThan(0);
    for (const fault of faults) expect(fault).toHaveTextContent(/^Fill in this field$/);
  },
);

test('a length of time is written as people write it, and refused with what may be written', async () => {
  const { form, save, user, calls } = await openForm('CSV file');
  await user.type(form.getByRole('textbox', { name: 'File' }), '/srv/watts.csv');
  const every = form.getByRole('textbox', { name: 'Asked every' });
  expect(every).toHaveValue('1 s');
  await user.clear(every);
  await user.type(every, 'often');
  await save();
  expect(form.getByText(/^Write h:mm:ss/)).toBeVisible();
  await user.clear(every);
  await user.type(every, '0.1');
  await save();
  expect(form.getByText('At least 0.5 s')).toBeVisible();
  await user.clear(every);
  await user.type(every, '2m');
  await user.tab();
  expect(every).toHaveValue('2:00');
  await save();
  const saved = calls.filter(({ method }) => method === 'connection.save');
  expect(saved).toMatchObject([{ input: { connection: { source: { periodMs: 120_000 } } } }]);
  expect(saved[0]!.input).not.toHaveProperty('connection.source.windowMs');
});

test('what a schema says of a value begins as a sentence does', () => {
  const issue = z.string().regex(/^\//, 'the path: begins with /').safeParse('x').error!.issues[0]!;
  expect(fieldFault(issue, { typed: 'x', isDuration: false })).toBe('The path: begins with /');
  expect(fieldFault(issue, { typed: ' ', isDuration: false })).toBe('Fill in this field');
  const port = z.number().int().max(65_535).safeParse(70_000).error!.issues[0]!;
  expect(fieldFault(port)).toBe('At most 65535');
});
