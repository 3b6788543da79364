import { expect, type Locator, type Page } from '@playwright/test';

/** What a person does, counted: a click, a field filled in, a key that acts, is one step each. */
export interface Steps {
  click(target: Locator): Promise<void>;
  fill(target: Locator, value: string | number): Promise<void>;
  /** A key that acts where the focus is. */
  press(page: Page, keys: string): Promise<void>;
  /** Text typed where the focus is, over what stands there. */
  type(target: Locator, value: string | number): Promise<void>;
  /** Leads the focus there by one key, Tab unless told; walking about is no step. */
  walkTo(target: Locator, key?: string): Promise<void>;
  readonly count: number;
  /** Since the first step. */
  readonly seconds: number;
  /** In their order, for a story that took too many. */
  readonly log: readonly string[];
}

/** More stops than any page has: whoever has not arrived by then never does. */
const mostStops = 200;

export function countSteps(): Steps {
  const log: string[] = [];
  let sinceMs: number | null = null;
  const step = (what: string): void => {
    sinceMs ??= performance.now();
    log.push(what);
  };
  return {
    click: async (target) => {
      step(`click ${String(target)}`);
      await target.click();
    },
    fill: async (target, value) => {
      step(`fill ${String(target)}`);
      await target.fill(String(value));
    },
    press: async (page, keys) => {
      step(`press ${keys}`);
      await page.keyboard.press(keys);
    },
    type: async (target, value) => {
      step(`type into ${String(target)}`);
      await expect(target).toBeFocused();
      const { keyboard } = target.page();
      await keyboard.press('Control+a');
      await keyboard.type(String(value));
    },
    walkTo: async (target, key = 'Tab') => {
      sinceMs ??= performance.now();
      // Radios of a row of buttons take the focus and are not seen.
      await expect(target).toBeAttached();
      for (let stops = 0; !(await hasFocus(target)); stops += 1) {
        expect(stops, `${key} leads to ${String(target)}`).toBeLessThan(mostStops);
        await target.page().keyboard.press(key);
      }
    },
    get count() {
      return log.length;
    },
    get seconds() {
      return sinceMs === null ? 0 : (performance.now() - sinceMs) / 1_000;
    },
    log,
  };
}

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement);

/** Holds a walk to its steps, and to seconds that no busy machine needs; prints both. */
export function expectSteps(
  name: string,
  person: Steps,
  most: { steps: number; seconds: number },
): void {
  const seconds = Math.round(person.seconds);
  process.stdout.write(`    ${name}: ${person.count} steps, ${seconds} s\n`);
  expect(person.count, person.log.join('\n')).toBeLessThanOrEqual(most.steps);
  expect(seconds, person.log.join('\n')).toBeLessThanOrEqual(most.seconds);
}
