/**
 * Control and direction characters, that could hide or turn what stands beside them. Line breaks
 * and tabs are among them.
 */
const hidden = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** A stranger's text with every character seen: `\u001b` stands for an escape. */
export const visibleText = (text: string): string =>
  text.replace(hidden, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The same, line by line. */
export const visibleLines = (text: string): string[] => text.split(/\r?\n/).map(visibleText);
