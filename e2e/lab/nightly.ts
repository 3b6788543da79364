/**
 * Whether this is the nightly run (`npm run nightly`): long soaks in full, and limits of time that
 * need an idle machine.
 */
export const nightly = process.env['TILEBENCH_NIGHTLY'] === '1';
