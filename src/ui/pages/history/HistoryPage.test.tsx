import { act, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';

import { fail } from '../../../core/base/errors.ts';
import { manySummaries } from '../runs/testing/records.ts';
import { renderScreen } from '../runs/testing/renderScreen.tsx';
import { entryOf, historyAnswers, studyEntry } from './testing/historyAnswers.ts';
import { press, rowNames, runs, search, summaries, type } from './testing/historyScreen.ts';

beforeEach(() => localStorage.clear());
// What lies behind an open dialog is told apart by names here; asking each element for its
// visibility takes most of the time.
configure({ defaultHidden: true });

test('the newest run comes first; a click on a head sorts, a second one the other way', async () => {
  const { user } = renderScreen('/runs', runs);
  await screen.findByRole('grid');
  expect(rowNames()).toEqual(['New firmware', 'Baseline', 'Cut short', 'Model']);
  await user.click(screen.getByRole('button', { name: 'Name' }));
  expect(rowNames()).toEqual(['Baseline', 'Cut short', 'Model', 'New firmware']);
  expect(screen.getByRole('columnheader', { name: 'Name' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  );
  await user.click(screen.getByRole('button', { name: 'Score' }));
  await user.click(screen.getByRole('button', { name: 'Score' }));
  expect(rowNames().at(-1)).toBe('Cut short');
});

test('what has no order does not sort: the head of Totals says so and changes nothing', async () => {
  localStorage.setItem('history.columns', JSON.stringify(['name', 'totals']));
  const { user } = renderScreen('/runs', runs);
  await screen.findByRole('grid');
  const before = rowNames();
  await user.click(screen.getByRole('button', { name: 'Totals' }));
  expect(rowNames()).toEqual(before);
  expect(screen.getByRole('columnheader', { name: 'Totals' })).not.toHaveAttribute('aria-sort');
  expect(screen.getByRole('button', { name: 'Totals' })).toHaveAttribute(
    'title',
    'Has no order. Alt with an arrow moves the column.',
  );
});

test('a run that is not real wears its mark in the name, whatever columns are shown', async () => {
  renderScreen('/runs', runs);
  expect(
    within(
      (await screen.findByRole('checkbox', { name: 'Select Model' })).closest<HTMLElement>(
        '[role=row]',
      )!,
    ).getByText('SIMULATED'),
  ).toBeVisible();
});

test('search and the address say the same; what only notes hold is found too, with the reason', async () => {
  const { path } = renderScreen('/runs', runs, {
    answers: historyAnswers(summaries, { notes: { c: 'Queue depth was 64' } }),
  });
  await screen.findByRole('grid');
  type('firm');
  expect(rowNames()).toEqual(['New firmware']);
  expect(screen.getByText(/^1 of 4/)).toBeVisible();
  await waitFor(() => expect(path()).toBe('/runs?q=firm'));
  type('queue');
  await waitFor(() => expect(rowNames()).toEqual(['Cut short']));
  expect(screen.getByText('Queue').tagName).toBe('MARK');
  expect(screen.getByRole('row', { name: /Notes: Queue depth was 64/ })).toBeVisible();
  fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(rowNames()).toHaveLength(4);
});

test('an address with a filter opens filtered; nothing found is said, and how to go on', async () => {
  const { user } = renderScreen('/runs?state=aborted', runs);
  await screen.findByRole('grid');
  expect(rowNames()).toEqual(['Cut short']);
  type('zzz');
  expect(screen.getByText('Nothing matches the filters.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Show everything here' }));
  expect(rowNames()).toHaveLength(4);
});

test('arrows move, the preview follows, Shift takes a range, Space one, Enter opens', async () => {
  const { user, path } = renderScreen('/runs', runs);
  const grid = await screen.findByRole('grid');
  grid.focus();
  await user.keyboard('{ArrowDown}{ArrowDown}');
  const preview = screen.getByRole('region', { name: 'Preview' });
  expect(
    await within(preview).findByText(
      'Scaling study result 2.00 with 2 tiles; every QoS limit held.',
    ),
  ).toBeVisible();
  await user.keyboard('{Shift>}{ArrowDown}{/Shift}');
  expect(screen.getByText('2 runs selected')).toBeVisible();
  await user.keyboard('{Escape} ');
  expect(screen.getByText('1 run selected')).toBeVisible();
  await user.keyboard('{Control>}a{/Control}');
  expect(screen.getByText('4 runs selected')).toBeVisible();
  await user.keyboard('{ArrowUp}{Enter}');
  expect(path()).toBe('/runs/a');
});

test('Shift and a click choose a range, Ctrl and a click one more', async () => {
  const { user } = renderScreen('/runs', runs);
  await user.click(await screen.findByRole('row', { name: /New firmware/ }));
  await user.keyboard('{Shift>}');
  await user.click(screen.getByRole('row', { name: /Cut short/ }));
  await user.keyboard('{/Shift}');
  expect(screen.getByText('3 runs selected')).toBeVisible();
  await user.keyboard('{Control>}');
  await user.click(screen.getByRole('row', { name: /Baseline/ }));
  await user.keyboard('{/Control}');
  expect(screen.getByText('2 runs selected')).toBeVisible();
});

test('the first selected run is the baseline of the comparison; runs and studies are not mixed', async () => {
  const { user, path } = renderScreen('/runs', runs, {
    answers: historyAnswers([], {
      entries: [...summaries.map((r) => entryOf(r)), studyEntry('s1', 'Tiles up')],
    }),
  });
  await user.click(await screen.findByRole('checkbox', { name: 'Select Baseline' }));
  await user.click(screen.getByRole('checkbox', { name: 'Select Tiles up' }));
  expect(screen.getByText('Runs are compared with runs, studies with studies.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Compare' })).toBeDisabled();
  await user.click(screen.getByRole('button', { name: 'Deselect Tiles up' }));
  await user.click(screen.getByRole('checkbox', { name: 'Select New firmware' }));
  expect(screen.getByText('Baseline (baseline)')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Compare' }));
  expect(path()).toBe('/compare?base=a&ids=b');
});

test('F makes a favourite of the row of the cursor; the star says so', async () => {
  const { calls } = renderScreen('/runs', runs);
  fireEvent.click(await screen.findByRole('row', { name: /Baseline/ }));
  press('f');
  expect(
    await screen.findByRole('button', { name: 'Favourite Baseline', pressed: true }),
  ).toBeVisible();
  expect(calls.find((c) => c.method === 'history.annotate')?.input).toMatchObject({
    items: [{ kind: 'run', id: 'a' }],
    patch: { favourite: true },
  });
});

test('tags are edited in the row, and for all that is selected at once', async () => {
  const { user } = renderScreen('/runs', runs, {
    answers: historyAnswers([], {
      entries: summaries.map((r, i) => entryOf(r, { tags: i === 0 ? ['array-a'] : [] })),
    }),
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Edit tags of Baseline' }));
  const field = await screen.findByRole('combobox', { name: 'Tags' });
  await user.type(field, 'esx8{Enter}');
  expect(
    await screen.findByRole('button', { name: 'Show what is tagged esx8', hidden: true }),
  ).toBeInTheDocument();
  await user.type(field, '!bad{Enter}');
  expect(screen.getByText(/^A tag begins with a letter or a digit/)).toBeVisible();
  await user.keyboard('{Escape}');
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Baseline' }));
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Model' }));
  press('t');
  const dialog = await screen.findByRole('dialog', { name: 'Tags of 2 runs' });
  expect(within(dialog).getByText('array-a, 1 of 2')).toBeInTheDocument();
  fireEvent.click(within(dialog).getByRole('button', { name: 'Add array-a to all' }));
  await waitFor(() => expect(within(dialog).queryByText('array-a, 1 of 2')).toBeNull());
  expect(
    screen.getAllByRole('button', { name: 'Show what is tagged array-a', hidden: true }),
  ).toHaveLength(2);
});

test('what goes into a folder stands in the tree; the tree filters; arrows close it', async () => {
  const { user } = renderScreen('/runs', runs);
  fireEvent.click(await screen.findByRole('row', { name: /Baseline/ }));
  press('m');
  const dialog = await screen.findByRole('dialog', { name: 'Folder of 1 run' });
  await user.type(within(dialog).getByRole('combobox', { name: 'Folder' }), 'Arrays/Old');
  await user.click(within(dialog).getByRole('button', { name: 'Move' }));
  const leaf = await screen.findByRole('treeitem', { name: 'Old, 1' });
  expect(await screen.findByText('1 run moved to Arrays/Old')).toBeVisible();
  fireEvent.click(leaf);
  expect(rowNames()).toEqual(['Baseline']);
  act(() => leaf.focus());
  await user.keyboard('{ArrowLeft}{ArrowLeft}');
  expect(screen.queryByRole('treeitem', { name: 'Old, 1' })).toBeNull();
  press('z', { ctrlKey: true });
  await waitFor(() => expect(screen.queryByRole('tree')).toBeNull());
});

test('a view keeps filters, columns and order, and brings them back', async () => {
  const { user } = renderScreen('/runs', runs);
  await screen.findByRole('grid');
  type('model');
  search().blur();
  press('s', { ctrlKey: true });
  const dialog = await screen.findByRole('dialog', { name: 'Save as view' });
  await user.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'Models');
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  const view = await screen.findByRole('button', { name: 'Models' });
  fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(rowNames()).toHaveLength(4);
  fireEvent.click(view);
  expect(rowNames()).toEqual(['Model']);
});

test('notes are written with a preview and saved; what is typed and not saved stays', async () => {
  const { user } = renderScreen('/runs', runs);
  fireEvent.click(await screen.findByRole('row', { name: /Baseline/ }));
  press('n');
  const field = await screen.findByRole('textbox', { name: 'Notes in Markdown' });
  fireEvent.change(field, { target: { value: '**Rack 4** <b>raw</b>' } });
  await user.click(screen.getByRole('tab', { name: 'Preview' }));
  expect(screen.getByText('Rack 4').tagName).toBe('STRONG');
  expect(screen.getByRole('tabpanel', { name: 'Preview' })).toHaveTextContent('Rack 4 <b>raw</b>');
  fireEvent.click(screen.getByRole('row', { name: /Cut short/ }));
  fireEvent.click(screen.getByRole('row', { name: /Baseline/ }));
  press('n');
  expect(await screen.findByRole('textbox', { name: 'Notes in Markdown' })).toHaveValue(
    '**Rack 4** <b>raw</b>',
  );
  await user.click(screen.getByRole('button', { name: 'Save notes' }));
  expect(await screen.findByRole('button', { name: 'Edit notes' })).toBeVisible();
  expect(screen.getByRole('img', { name: 'Notes: Rack 4 <b>raw</b>' })).toBeInTheDocument();
});

test('columns are chosen, moved and made wider by keys, and remembered', async () => {
  const { user } = renderScreen('/runs', runs);
  await user.click(await screen.findByRole('button', { name: 'Columns' }));
  await user.click(await screen.findByRole('checkbox', { name: 'Testbed' }));
  expect(JSON.parse(localStorage.getItem('history.columns')!)).toContain('testbed');
  await user.keyboard('{Escape}');
  screen.getByRole('button', { name: 'State' }).focus();
  await user.keyboard('{Alt>}{ArrowLeft}{/Alt}');
  expect(
    screen
      .getAllByRole('columnheader')
      .slice(1, 3)
      .map((head) => head.getAttribute('aria-label')),
  ).toEqual(['State', 'Name']);
  const edge = screen.getByRole('separator', { name: 'Width of Score' });
  edge.focus();
  await user.keyboard('{ArrowRight}{ArrowRight}');
  expect(edge).toHaveAttribute('aria-valuenow', '94');
  expect(JSON.parse(localStorage.getItem('history.widths')!)).toEqual({ score: 94 });
});

test('rows are exported as CSV, runs one file each', async () => {
  const { user, saved } = renderScreen('/runs', runs, {
    answers: {
      'report.run': ({ id }) => ({
        fileName: `${id}.html`,
        bytes: new TextEncoder().encode('<html>'),
      }),
    },
  });
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select Baseline' }));
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Model' }));
  await user.click(screen.getByRole('button', { name: 'Export' }));
  await user.click(await screen.findByRole('menuitem', { name: 'A report a run, HTML' }));
  await waitFor(() => expect(saved.map((file) => file.name)).toEqual(['a.html', 'd.html']));
  expect(await screen.findByText('2 of 2 files written')).toBeVisible();
});

test('what leaves redacted is looked at first: rows by their own names, runs by their previews', async () => {
  const doubts = [{ text: 'fooling', to: 'redacted-word-1', count: 2, why: 'unknown' as const }];
  const { user, saved, calls } = renderScreen('/runs', runs, {
    answers: {
      'bundle.preview': () => ({ replacements: [], doubts, parts: [] }),
      'bundle.export': ({ id }) => ({
        fileName: `${id}.tilebench`,
        bytes: new Uint8Array([80, 75]),
        cursor: null,
        done: 2,
        total: 2,
      }),
    },
  });
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select Baseline' }));
  const open = () => user.click(screen.getByRole('button', { name: 'Export' }));
  await open();
  await user.click(
    await screen.findByRole('menuitem', { name: /^Replace names and addresses.*off$/ }),
  );
  expect(screen.getByRole('menuitem', { name: /^Replace names and addresses.*on$/ })).toBeVisible();
  await user.click(screen.getByRole('menuitem', { name: 'A bundle a run' }));
  const dialog = await screen.findByRole('dialog', { name: 'Redacted export: what leaves' });
  expect(within(dialog).getByText('fooling')).toBeVisible();
  const write = within(dialog).getByRole('button', { name: 'Write redacted export' });
  expect(write).toBeDisabled();
  expect(calls.some((call) => call.method === 'bundle.export')).toBe(false);
  await user.click(within(dialog).getByRole('checkbox', { name: /^Looked at/ }));
  await user.click(write);
  await waitFor(() => expect(saved.map((file) => file.name)).toEqual(['a.tilebench']));
  expect(calls.find((call) => call.method === 'bundle.export')?.input).toEqual({
    id: 'a',
    cursor: null,
    redact: true,
    keep: [],
    confirmed: ['fooling'],
  });
});

test('of 5,000 runs only those in view are drawn, all are counted, and the last can be reached', async () => {
  const { user } = renderScreen('/runs', [], { list: manySummaries(5_000) });
  const grid = await screen.findByRole('grid');
  expect(grid).toHaveAttribute('aria-rowcount', '5001');
  expect(within(grid).getAllByRole('row').length).toBeLessThan(60);
  grid.focus();
  await user.keyboard('{End}');
  expect(
    await within(screen.getByRole('region', { name: 'Preview' })).findByRole('heading', {
      name: 'Run 5000',
    }),
  ).toBeVisible();
});

test('an empty history says what will be here and offers the way', async () => {
  renderScreen('/runs', []);
  expect(await screen.findByText(/^No runs yet\. A launched plan appears here/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Choose a plan' })).toBeVisible();
});

test('an unreadable history says why and can be asked again', async () => {
  let broken = true;
  const whole = historyAnswers(summaries);
  const { user } = renderScreen('/runs', runs, {
    answers: {
      ...whole,
      'history.list': (input) => {
        if (broken) throw fail('internal', 'The database is locked.', 'Close the other console.');
        return whole['history.list'](input);
      },
    },
  });
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'The history cannot be readThe database is locked.Close the other console.',
  );
  broken = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.getByRole('grid')).toBeVisible());
});

test('a record that cannot be read is named with its file and reason, and can be exported and deleted', async () => {
  const { user, calls } = renderScreen('/runs', runs, {
    answers: {
      ...historyAnswers(summaries),
      'history.unreadable': () => ({
        file: '/data/tilebench.sqlite',
        items: [{ kind: 'run', id: 'run-bad', issue: 'overview.id: required', deletedAtMs: null }],
      }),
    },
  });
  const notice = (await screen.findByText('1 stored record cannot be read')).closest<HTMLElement>(
    '[role="status"]',
  )!;
  expect(notice).toHaveTextContent('/data/tilebench.sqlite');
  expect(notice).toHaveTextContent('Run run-bad: overview.id: required');
  await user.click(within(notice).getByRole('button', { name: 'Export as stored' }));
  await user.click(within(notice).getByRole('button', { name: 'Delete' }));
  await waitFor(() =>
    expect(calls.find((c) => c.method === 'history.delete')?.input).toEqual({
      items: [{ kind: 'run', id: 'run-bad' }],
    }),
  );
});
