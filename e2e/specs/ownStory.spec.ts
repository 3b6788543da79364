import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from '@playwright/test';

import { storeRun } from '../fixtures/storedRun.ts';
import { expect, test as base } from '../fixtures/test.ts';
import { expectAxeClean } from '../pages/axe.ts';
import { goTo, runCommand } from '../pages/shell.ts';
import { shot } from '../pages/shots.ts';

/** A data folder with one stored run in it, made before the console opens it. */
const test = base.extend({
  dataDir: async ({ dataDir }, use, info) => {
    storeRun(
      (info.project.metadata as { host: string }).host === 'electron'
        ? join(dataDir, 'data')
        : dataDir,
    );
    await use(dataDir);
  },
});

const steps = [
  ['Vorher: Größe 生产', 'Say who built it.\nThen wait.'],
  ['Nachher', 'Ask for questions.'],
] as const;

async function makeStory(page: Page): Promise<void> {
  await runCommand(page, 'Stories to present');
  await page.getByRole('link', { name: 'New story' }).click();
  await page.getByRole('textbox', { name: /^Title/ }).fill('Ein Umbau: Größe 生产');
  for (const [i, [headline, notes]] of steps.entries()) {
    await page.getByRole('combobox', { name: 'Add a run or a study' }).click();
    await page.getByRole('option', { name: 'Stored, 2 tiles' }).click();
    const step = page.getByRole('region', { name: `Step ${i + 1}` });
    await step.getByRole('textbox', { name: 'Headline' }).fill(headline);
    await step.getByRole('textbox', { name: 'Speaker notes' }).fill(notes);
  }
  await page.getByRole('button', { name: 'Save story' }).click();
  await expect(page.getByRole('heading', { name: 'Edit story', level: 1 })).toBeVisible();
}

test('an own story is presented with notes on a second screen, leaves with its runs as one file and is opened from it', async ({
  tilebench,
  dataDir,
}) => {
  const { page } = tilebench;
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  await makeStory(page);

  await test.step('the notes follow the room, and turn its page', async () => {
    await page.getByRole('button', { name: 'Save and present' }).click();
    await expect(page.getByText(steps[0][0], { exact: true })).toBeVisible();
    const notes = await tilebench.opensWindow(() => page.keyboard.press('s'));
    notes.on('pageerror', (error) => faults.push(error.message));
    const says = notes.getByRole('region', { name: 'Notes' });
    await expect(notes.getByRole('heading', { name: steps[0][0], level: 1 })).toBeVisible();
    await expect(says).toHaveText(steps[0][1]);
    await expect(notes.getByText(`Next: ${steps[1][0]}`)).toBeVisible();
    await expectAxeClean(notes, 'Speaker notes');
    await shot(notes, 'speaker-notes', 'light');
    // A key in the room.
    await page.bringToFront();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByText(steps[1][0], { exact: true })).toBeVisible();
    await expect(notes.getByRole('heading', { name: steps[1][0], level: 1 })).toBeVisible();
    await expect(says).toHaveText(steps[1][1]);
    // A button of the speaker.
    await notes.bringToFront();
    await notes.getByRole('button', { name: 'Back' }).click();
    await expect(says).toHaveText(steps[0][1]);
    await expect(page.getByText(steps[0][0], { exact: true })).toBeVisible();
    // The room reads no notes.
    await expect(page.getByText('Say who built it.')).toHaveCount(0);
    await page.bringToFront();
    await page.keyboard.press('Escape');
    await expect(notes.getByText('Nothing is presented')).toBeVisible();
    await notes.close();
  });

  const file = await test.step('it leaves with its run, after what leaves was shown', async () => {
    await page.getByRole('link', { name: 'Edit Ein Umbau: Größe 生产' }).click();
    await page.getByRole('button', { name: 'Export story' }).click();
    await page.getByRole('menuitem', { name: 'With its runs…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Story with its runs: what leaves' });
    await expect(dialog.getByRole('table', { name: 'Parts' }).getByRole('row')).toHaveCount(3);
    await expectAxeClean(page, 'A story leaves');
    await shot(page, 'story-leaves', 'light');
    const saved = await tilebench.saved(() =>
      dialog.getByRole('button', { name: 'Write story' }).click(),
    );
    expect(saved.name).toMatch(/\.story\.tilebench$/);
    return saved.path;
  });

  await test.step('it opens beside the one it was made from, and is presented', async () => {
    await tilebench.opened(file, () => page.keyboard.press('Control+Shift+o'));
    await expect(page.getByText(/opened$/)).toBeVisible();
    await expect(page.getByRole('region', { name: 'Step 2' })).toContainText('Stored, 2 tiles');
    await page.getByRole('button', { name: 'Save and present' }).click();
    await expect(page.getByText(steps[0][0], { exact: true })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('link', { name: 'Edit Ein Umbau: Größe 生产' })).toHaveCount(2);
  });

  await test.step('with a byte changed it is refused, and nothing of it is kept', async () => {
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1]! ^= 0xff;
    const damaged = join(dataDir, 'damaged.story.tilebench');
    writeFileSync(damaged, bytes);
    await page.keyboard.press('Escape');
    await goTo(page, 'Runs');
    await tilebench.opened(damaged, () => page.keyboard.press('Control+Shift+o'));
    await expect(page.getByText('damaged.story.tilebench was refused')).toBeVisible();
    // The head, the run and the one of the file.
    await expect(page.getByRole('grid', { name: 'Runs' }).getByRole('row')).toHaveCount(3);
  });
  expect(faults).toEqual([]);
});
