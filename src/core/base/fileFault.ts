/** A fault at a place in the file, by the path of its value. */
export interface FileFault {
  path: readonly PropertyKey[];
  message: string;
}
