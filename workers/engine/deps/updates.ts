/** What a signed feed offers: one version and its files. */
export interface Feed {
  /** `1.2.3` */ version: string;
  /** ISO 8601, UTC. */ publishedAt: string;
  notes: string;
  /** `sha256` in hex. */ files: readonly { name: string; bytes: number; sha256: string }[];
}
/** Where newer versions are looked for. */
export interface UpdateEdge {
  /** The file in which an administrator names the feed. */
  readonly setIn: string;
  /** Folder or address of the feed; null = none is set. Throws where what is set makes no sense. */
  feed(): string | null;
  /** Reads the feed that is set, after its signature was found good. Throws with what is wrong. */
  read(): Promise<Feed>;
}
