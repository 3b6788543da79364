import { fail } from '../core/base/errors.ts';
import type { FrameBounds } from './frameBounds.ts';

/** Longest text that is taken, in characters: what a person's program writes, files in pieces. */
export const maxTextChars = 8 * 1024 * 1024;

/**
 * Typed arrays in JSON. Numbers that JSON has not (NaN, infinities) are null, and null is read as
 * NaN.
 */
export const float64Key = '$float64';
export const bytesKey = '$bytes';

/**
 * One message as JSON: `{"$float64": [1, null]}` for a Float64Array, `{"$bytes": "base64"}` for
 * bytes. Throws invalidInput above `maxChars`.
 */
export function encodeText(data: unknown, maxChars: number): string {
  const text = JSON.stringify(data, function (this: Record<string, unknown>, key, value: unknown) {
    // What a Node Buffer makes of itself is not asked for.
    const raw = this[key];
    if (raw instanceof Float64Array) return { [float64Key]: [...raw] };
    return raw instanceof Uint8Array ? { [bytesKey]: base64(raw) } : value;
  });
  if (text.length > maxChars)
    throw fail(
      'invalidInput',
      `A message of ${text.length} characters is larger than the ${maxChars} allowed.`,
      'Ask for less at once.',
    );
  return text;
}

/**
 * Counts brackets and commas outside strings. null = within bounds; otherwise what is wrong, in
 * words. That it is JSON is not said.
 */
export function faultOfText(text: string, bounds: FrameBounds): string | null {
  if (text.length > maxTextChars) return `A text is longer than ${maxTextChars} characters.`;
  let depth = 0;
  let items = 1;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (inString) {
      if (char === backslash) at += 1;
      else if (char === quote) inString = false;
    } else if (char === quote) inString = true;
    else if (char === openBracket || char === openBrace) {
      depth += 1;
      items += 1;
      if (depth > bounds.maxDepth) return `A message nests deeper than ${bounds.maxDepth} levels.`;
    } else if (char === closeBracket || char === closeBrace) depth -= 1;
    else if (char === comma || char === colon) items += 1;
  }
  return items > bounds.maxItems ? `A message holds more than ${bounds.maxItems} values.` : null;
}
const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Throws invalidInput for a text beyond the bounds or no JSON. */
export function decodeText(text: string, bounds: FrameBounds): unknown {
  const fault = faultOfText(text, bounds);
  if (fault !== null) throw fail('invalidInput', fault);
  try {
    return JSON.parse(text, (_key, value: unknown) => typedOf(value) ?? value) as unknown;
  } catch (thrown) {
    throw fail('invalidInput', `A message is no JSON: ${String(thrown)}`);
  }
}

function typedOf(value: unknown): Float64Array | Uint8Array | null {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 1) return null;
  const { [float64Key]: numbers, [bytesKey]: bytes } = value as Record<string, unknown>;
  if (Array.isArray(numbers))
    return Float64Array.from(numbers, (one: unknown) => (typeof one === 'number' ? one : NaN));
  return typeof bytes === 'string'
    ? Uint8Array.from(atob(bytes), (char) => char.charCodeAt(0))
    : null;
}

const chunk = 32_768;
function base64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.byteLength; at += chunk)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + chunk)));
  return btoa(parts.join(''));
}
