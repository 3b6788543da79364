/** What is needed of what the system says of a name. */
export interface FileFacts {
  isFile(): boolean;
  isDirectory(): boolean;
  isFIFO(): boolean;
  isSocket(): boolean;
}

/**
 * What a name leads to that is no regular file, in words: it is never read as one nor replaced by
 * one. null for a file.
 */
export function notAFile(facts: FileFacts): string | null {
  if (facts.isFile()) return null;
  if (facts.isDirectory()) return 'a folder';
  if (facts.isFIFO()) return 'a pipe';
  return facts.isSocket() ? 'a socket' : 'a device';
}
