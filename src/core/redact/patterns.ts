/**
 * What is an address, a person, a place or a secret wherever it stands, whatever it is made of. The
 * first group, where there is one, is what goes; the rest of the match stays. Order matters: the
 * longer form first.
 */
export const patterns: readonly (readonly [kind: string, pattern: RegExp])[] = [
  // Passwords on a command line, in the environment and in settings; also those that are plain
  // words.
  [
    'secret',
    /(?<![\w-])--?[\w-]*(?:pass(?:word|wd|phrase)?|pwd|secret|token|api-?key)[= ]+("[^"]*"|'[^']*'|[^\s"'`,;|&<>)]+)/gi,
  ],
  [
    'secret',
    /\b\w*(?:PASSWORD|PASSWD|PWD|SECRET|TOKEN|PASSPHRASE|API_?KEY)\w*\s*[=:]\s*("[^"]*"|'[^']*'|[^\s"'`,;|&<>)]+)/gi,
  ],
  ['secret', /(?<![\w-])-p(?=[^\s-])("[^"]*"|'[^']*'|[^\s"'`,;|&<>)]+)/g],
  ['secret', /-----BEGIN [^-]+-----[\s\S]*?(?:-----END [^-]+-----|$)/g],
  ['url', /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'`<>()\]}]+/gi],
  ['url', /\b[a-z]{2,10}%3A%2F%2F[^\s"'`<>()\]}]+/gi],
  ['share', /(?<![\w\\:])\\\\+[\w.$%-]+(?:\\+[^\s\\"'`<>|]+)*/g],
  [
    'path',
    /(?<![\w])(?:\/home\/|\/Users\/|\/export\/home\/|[A-Za-z]:\\+Users\\+|~)([^\s"'`<>|:;,)]+)/g,
  ],
  ['fingerprint', /\bSHA256:[A-Za-z0-9+/]{43}=?/g],
  ['fingerprint', /(?<![\w:-])(?:[0-9a-f]{2}[: -]){15,63}[0-9a-f]{2}(?![\w:])/gi],
  ['wwn', /(?<![\w:])(?:[0-9a-f]{2}:){7}[0-9a-f]{2}(?![\w:])/gi],
  ['uuid', /\b[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\b/gi],
  ['device', /\b(?:naa|eui|iqn|wwn|nqn|mpx|fc)\.[\w.:-]+/gi],
  // A vendor, filled up to eight characters; `t10.database` is a workload of the tenth tile.
  ['device', /\b[tT]10\.(?:[A-Z]|[\w.:-]*__)[\w.:-]*/g],
  ['address', /(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?:\/\d{1,2})?(?![\w]|\.\d)/g],
  ['address', /(?<![\w:])(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}(?:%\w+)?(?:\/\d{1,3})?(?![\w:])/gi],
  [
    'address',
    /(?<![\w:])(?:[0-9a-f]{1,4}:){1,7}(?::[0-9a-f]{1,4}){1,6}(?:%\w+)?(?:\/\d{1,3})?(?![\w:])/gi,
  ],
  ['address', /(?<![\w:])(?:[0-9a-f]{1,4}:){1,7}:(?:\/\d{1,3})?(?![\w:])/gi],
  ['mac', /(?<![\w:])(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}(?![\w:])/gi],
  ['person', /[\w.+-]+(?:@|%40)[\w-]+(?:\.[\w-]+)*/g],
  // DOMAIN\user, as events of vCenter name who did something.
  ['person', /(?<![\w\\:./-])[A-Za-z][\w.-]*\\{1,2}[\w.$-]+/g],
];
