import AxeBuilder from '@axe-core/playwright';
import type { CommandSpec } from '../../src/shared/desktop.ts';
import { commandSpecs } from '../../src/shared/desktop.ts';
import { expect, test } from '../fixtures/test.ts';
import { runCommand } from '../pages/shell.ts';

const screens = commandSpecs.filter((spec: CommandSpec) => spec.group === 'Go');

test('axe finds nothing serious on any screen, light and dark', async ({ tilebench: { page } }) => {
  test.setTimeout(180_000);
  await expect(page.getByRole('main')).toBeVisible();
  for (const theme of ['first', 'second']) {
    for (const screen of screens) {
      await runCommand(page, screen.title);
      // Legacy mode: without it axe opens a page of its own, which neither host allows.
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().withTags(['wcag2a', 'wcag2aa', 'wcag21aa']).analyze();
      const serious = violations.filter((v) => v.impact === 'serious' || v.impact === 'critical').map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 160)).join(' | ')}`);
      expect.soft(serious, `${screen.title}, ${theme} theme`).toEqual([]);
    }
    await runCommand(page, 'Switch light and dark');
  }
});
