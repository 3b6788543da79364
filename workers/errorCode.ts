/** The system's code of a failed call (`ENOENT`), or null. An error of another realm counts too. */
export function errorCode(thrown: unknown): string | null {
  return typeof thrown === 'object' &&
    thrown !== null &&
    'code' in thrown &&
    typeof thrown.code === 'string'
    ? thrown.code
    : null;
}
