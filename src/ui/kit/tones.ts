/**
 * Text tones that keep 4.5:1 on the page and on light tints, in both themes. The library's own
 * `dimmed`, green and red do not.
 */
export const dim = 'var(--tb-text-2)';
export const good = 'var(--tb-ok)';
export const bad = 'var(--tb-bad)';
