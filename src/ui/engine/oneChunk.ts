/** A file that is there as a whole, as the desktop takes files: in pieces, here one. */
export async function* oneChunk<T extends string | Uint8Array>(whole: T): AsyncGenerator<T> {
  yield whole;
}
