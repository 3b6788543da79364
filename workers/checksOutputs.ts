/**
 * Outputs and events are parsed where somebody works on the program: `NODE_ENV` is `test` (Jest,
 * Playwright) or `development`.
 */
export const checksOutputs = ['test', 'development'].includes(process.env['NODE_ENV'] ?? '');
