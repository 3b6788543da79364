import { readFileSync } from 'node:fs';

import type { Page } from '@playwright/test';

export interface Picture {
  screen: string;
  widthPx: number;
  heightPx: number;
  theme: 'light' | 'dark';
  path: string;
}

const thumbPx = 150;
const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

/** All pictures small on one sheet: a row a screen, its sizes in light and then in dark. */
export async function drawContactSheet(
  page: Page,
  pictures: readonly Picture[],
  path: string,
): Promise<void> {
  const screens = [...new Set(pictures.map(({ screen }) => screen))];
  const rows = screens.map((screen) => {
    const own = pictures.filter((one) => one.screen === screen);
    const cells = own.map(
      ({ path: file }) =>
        `<img src="data:image/png;base64,${readFileSync(file).toString('base64')}">`,
    );
    return `<h2>${escaped(screen)}</h2><div>${cells.join('')}</div>`;
  });
  const across = Math.max(...screens.map((s) => pictures.filter((p) => p.screen === s).length));
  await page.setViewportSize({ width: across * (thumbPx + 6) + 24, height: 800 });
  await page.setContent(
    `<style>body{margin:12px;font:12px sans-serif;background:#8a94a6;color:#fff}
     h2{font-size:12px;margin:8px 0 3px;font-weight:600}div{display:flex;gap:6px;align-items:flex-start}
     img{width:${thumbPx}px;border-radius:3px}</style>${rows.join('')}`,
    { waitUntil: 'load' },
  );
  await page.screenshot({ path, fullPage: true, type: 'jpeg', quality: 62 });
}
