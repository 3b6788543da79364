/** Text tones that keep 4.5:1 on the page and on light tints, in both themes. The library's own `dimmed`, green and red do not. */
export const dim = 'light-dark(#5b6169, #a9acb2)';
export const good = 'light-dark(#1e6b2e, #69db7c)';
export const bad = 'light-dark(#a82626, #ff8787)';
