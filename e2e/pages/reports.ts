import { readFileSync } from 'node:fs';

import { expect } from '@playwright/test';

import type { ConsoleHost } from '../fixtures/consoleHost.ts';

/** Writes the report of what is on the page, by its own control. */
export async function exportReport(
  tilebench: ConsoleHost,
  format: 'HTML' | 'PDF' | 'Markdown',
): Promise<{ name: string; path: string; text: string }> {
  const { page } = tilebench;
  const file = await tilebench.saved(async () => {
    await page.getByRole('button', { name: 'Export report' }).click();
    const choice = page.getByRole('dialog', { name: 'Export report' });
    await choice.getByText(format, { exact: true }).click();
    await choice.getByRole('button', { name: 'Export', exact: true }).click();
  });
  await expect(page.getByText(/^Written: /)).toBeVisible();
  return file;
}

/** Number of pages of a PDF; throws where it is none. */
export function pdfPages(path: string): number {
  const bytes = readFileSync(path);
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  expect(bytes.subarray(-32).toString('latin1')).toContain('%%EOF');
  return (bytes.toString('latin1').match(/\/Type \/Page\b/g) ?? []).length;
}

/** Headings of a report in HTML, as text. */
export function headings(html: string): string[] {
  return [...html.matchAll(/<h[12][^>]*>(.*?)<\/h[12]>/gs)].map(([, text]) =>
    text!.replace(/<[^>]+>/g, '').trim(),
  );
}
