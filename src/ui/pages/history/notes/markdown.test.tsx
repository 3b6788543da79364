import { MantineProvider } from '@mantine/core';
import { render, screen, within } from '@testing-library/react';

import { Markdown } from './Markdown.tsx';
import { parseNote, safeAddress } from './markdownModel.ts';

const show = (text: string): HTMLElement =>
  render(
    <MantineProvider env="test">
      <Markdown text={text} />
    </MantineProvider>,
  ).container;

test('what people write in notes is drawn: headings, lists, tasks, tables, code', () => {
  show(
    '# Firmware\n\nArray at **5.2**, `esxcli` said:\n\n```\nqueue 64\n```\n\n- [x] flashed\n- [ ] measured\n\n| LUN | ms |\n|---|---:|\n| 1 | 4.2 |\n',
  );
  expect(screen.getByRole('heading', { level: 3, name: 'Firmware' })).toBeVisible();
  expect(screen.getByText('5.2').tagName).toBe('STRONG');
  expect(screen.getByText('queue 64').tagName).toBe('PRE');
  expect(screen.getByRole('checkbox', { name: 'Done' })).toBeChecked();
  expect(screen.getByRole('checkbox', { name: 'To do' })).not.toBeChecked();
  expect(within(screen.getByRole('table')).getByRole('cell', { name: '4.2' })).toBeVisible();
});

test('raw HTML stands as the text it is, inline and as a block', () => {
  const box = show(
    'before <img src=x onerror="alert(1)"> after\n\n<script>alert(2)</script>\n\n<b>bold?</b> &lt;i&gt;',
  );
  expect(box.querySelector('img, script, b, i')).toBeNull();
  expect(box).toHaveTextContent('before <img src=x onerror="alert(1)"> after');
  expect(box).toHaveTextContent('<script>alert(2)</script>');
  expect(box).toHaveTextContent('<b>bold?</b> <i>');
});

test('links open outside and only to the web and mail; images are named, not loaded', () => {
  const box = show(
    '[array](https://example.org/a?b=1&c=2) [bad](javascript:alert(1)) [data](data:text/html,x) [file](file:///etc/passwd) ![rack](https://example.org/rack.png) <https://auto.example>',
  );
  expect(screen.getByRole('link', { name: 'array' })).toHaveAttribute(
    'href',
    'https://example.org/a?b=1&c=2',
  );
  for (const link of screen.getAllByRole('link')) {
    expect(link).toHaveAttribute('target', '_blank');
    expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  }
  expect(screen.getAllByRole('link').map((l) => l.textContent)).toEqual([
    'array',
    'https://auto.example',
  ]);
  expect(box).toHaveTextContent('bad data file Image not loaded: rack');
  expect(box.querySelector('img')).toBeNull();
});

test.each([
  'JaVaScRiPt:alert(1)',
  ' javascript:x',
  'vbscript:x',
  'data:text/html,x',
  '//evil.example',
  '/runs/1',
  '#x',
  'https://',
  'java\nscript:x',
])('%j is no address to open', (href) => {
  expect(safeAddress(href)).toBeNull();
});

test('nesting beyond reason ends as text or depth, not as a failure', () => {
  expect(parseNote(`${'> '.repeat(200)}deep`)).toHaveLength(1);
});
