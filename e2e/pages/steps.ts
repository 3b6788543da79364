import type { Locator, Page } from '@playwright/test';

/** What a person does, counted: a click, a field filled in, a key that acts, is one step each. */
export interface Steps {
  click(target: Locator): Promise<void>;
  fill(target: Locator, value: string | number): Promise<void>;
  /** A key or a word typed where the focus is. */
  press(page: Page, keys: string): Promise<void>;
  readonly count: number;
  /** In their order, for a story that took too many. */
  readonly log: readonly string[];
}

export function countSteps(): Steps {
  const log: string[] = [];
  return {
    click: async (target) => {
      log.push(`click ${String(target)}`);
      await target.click();
    },
    fill: async (target, value) => {
      log.push(`fill ${String(target)}`);
      await target.fill(String(value));
    },
    press: async (page, keys) => {
      log.push(`press ${keys}`);
      await page.keyboard.press(keys);
    },
    get count() {
      return log.length;
    },
    log,
  };
}
