/** Of this application; the one in package.json (`version.test.ts`). */
export const appVersion = '0.1.0';

/**
 * Which contract this is: the first 16 digits of the SHA-256 of what `describeContract` gives. Both
 * ends say it in their `hello`.
 * `version.test.ts` names the new one after a change of a schema.
 */
export const contractVersion = '2f80114bd47fd19e';
