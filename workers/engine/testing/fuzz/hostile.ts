/**
 * What no honest file, peer or window says, and what a stranger, a damaged disk or an odd editor
 * does.
 */

const many = 100_000;

/**
 * Texts in place of a string: none is longer than 1 MB, so that a case is spent on the reader and
 * not on making it.
 */
export const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\u001b[2J\u001b]0;title\u0007',
  '\u202egnp.exe',
  'a\u200b\u2066b\u2069',
  '\ufeffname',
  '\ud800',
  'x\udfff y',
  '__proto__',
  'constructor',
  'toString',
  '../../../etc/passwd',
  '/dev/sda',
  'C:\\\\x\\..\\y',
  '$(reboot)`reboot`;reboot',
  "' OR 1=1 --",
  '<img src=x onerror=alert(1)>',
  '%s%n%00',
  '[object Object]',
  'NaN',
  '-0',
  '1e999',
  '😀'.repeat(50),
  'e\u0301'.repeat(500),
  'a'.repeat(5_000),
];
export const hugeTexts: readonly string[] = ['a'.repeat(1_000_000), '\n'.repeat(many)];

export const hostileNumbers: readonly number[] = [
  NaN,
  Infinity,
  -Infinity,
  -0,
  -1,
  0,
  0.1,
  1,
  2 ** 31,
  -(2 ** 31),
  2 ** 32,
  2 ** 53,
  -(2 ** 53),
  1e21,
  1e300,
  -1e300,
  5e-324,
  Number.MAX_VALUE,
];

/**
 * As they stand in a text: beyond what a double holds, and what is no number but looks like one.
 */
export const numberTokens: readonly string[] = [
  '1e400',
  '-1e400',
  '1e300',
  '-1e300',
  'NaN',
  'Infinity',
  '-0',
  '00012',
  '0x1F',
  '1.2.3',
  '1,5',
  '٣',
  '9'.repeat(400),
  '-1',
  '1e-400',
];

export const hostileKeys: readonly string[] = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '',
  '0',
  'length',
  '\u0000',
  'a'.repeat(2_000),
];

/**
 * Pieces that are put between others: ends of strings and lists, control characters, cut sequences
 * of UTF-8.
 */
export const hostilePieces: readonly Uint8Array[] = [
  ...[
    '\0',
    '\u001b[2J',
    '\u202e',
    '\ufeff',
    '"',
    "'",
    '\\',
    '\\u0000',
    '\\ud800',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '\n',
    '\r',
    '\r\n\r\n',
    '/*',
    '//',
    '<!--',
    '<![CDATA[',
    ']]>',
    '&#x0;',
    '"__proto__": {"polluted": 1},',
    'null',
    'true',
    '%',
    ' ',
    '\t'.repeat(50),
    ...numberTokens,
  ].map((text) => new TextEncoder().encode(text)),
  // Halves of surrogate pairs, a sequence that is cut, one that is too long, bytes that are never
  // UTF-8.
  Uint8Array.of(0xed, 0xa0, 0x80),
  Uint8Array.of(0xf0, 0x9f),
  Uint8Array.of(0xc0, 0x80),
  Uint8Array.of(0xff, 0xfe),
];
export const hugePieces: readonly Uint8Array[] = [
  'a'.repeat(1_100_000),
  '1'.repeat(300_000),
  ' '.repeat(300_000),
  '\n'.repeat(many),
  ','.repeat(many),
  '"'.repeat(many),
  '['.repeat(many),
  '{"a":'.repeat(50_000),
  '<a>'.repeat(50_000),
  '\\'.repeat(many),
].map((text) => new TextEncoder().encode(text));
