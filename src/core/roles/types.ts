/** A file that a role puts on a machine. */
export interface RoleFile {
  /** Absolute; a `*` stands for a folder that the packages made (the last, where there are several). */
  path: string;
  text: string;
  /**
   * `whole` = this is the file; `block` = it goes before what stands in the file, between two lines
   * that name the role. What stood is kept and put back by undo.
   */
  how: 'whole' | 'block';
  /** Octal, of a file that is made; one that stood keeps its own. */
  mode?: string;
}

/** What is done to a machine with one kind of system, and all that undo takes back. */
export interface RoleSystem {
  packages: readonly string[];
  /** Shell before files are written, safe to run twice: what the packages leave to be made. */
  begin?: string;
  files: readonly RoleFile[];
  /** systemd units, without `.service`: enabled, started, and started again when a file changed. */
  units: readonly string[];
  /**
   * Shell that sets up data, safe to run twice. `made KIND NAME` notes what is about to be made;
   * `noted KIND` gives what was noted, line by line.
   */
  setup?: string;
  /** Shell that takes back what `setup` noted, while the units run. */
  unset?: string;
  /** Shell that proves that it works: a fault by `fault broken "WHAT"`. */
  verify?: string;
  /** Paths and system accounts that the packages leave behind: removed where they were not there. */
  leaves: { paths: readonly string[]; accounts: readonly string[] };
}

/**
 * What a role is: itself on Debian and Ubuntu, `redHat` on the Red Hat family. Data only; `steps.ts`
 * makes scripts of it, `cloudInit.ts` user-data.
 */
export interface Role extends RoleSystem {
  id: string;
  title: string;
  /** What a machine is for with it, in one sentence. */
  about: string;
  /** Roles of workloads in profiles that it stands for. */
  workloadRoles: readonly string[];
  /** Parameters of the driver that have to be like this; the first role that fits is proposed. */
  when?: Readonly<Record<string, string>>;
  /** KiB that must be free below /var before anything is installed: downloads and installed files. */
  needKiB: number;
  /** TCP ports that answer when it is done. */
  ports: readonly number[];
  /** What somebody who agrees to it has to know; one sentence each. */
  warnings: readonly string[];
  /** The same for Red Hat Enterprise Linux, Rocky and Alma, 8 and 9. */
  redHat: RoleSystem;
}
