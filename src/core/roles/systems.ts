import type { Role, RoleSystem } from './types.ts';

/**
 * Kinds of systems that roles know. `redhat`: Red Hat Enterprise Linux, Rocky and Alma, 8 and 9, as
 * public sources describe them; not yet run on such a machine.
 */
export const families = ['debian', 'redhat'] as const;
export type Family = (typeof families)[number];

export const familyWords: Readonly<Record<Family, string>> = {
  debian: 'Debian, Ubuntu',
  redhat: 'Red Hat family 8, 9 (not yet run)',
};

/** A role as it is on one kind of system. */
export interface RoleOn extends RoleSystem {
  id: string;
  family: Family;
  needKiB: number;
  ports: readonly number[];
}

export const roleOn = (role: Role, family: Family): RoleOn => {
  const { id, needKiB, ports } = role;
  const { packages, begin, files, units, setup, unset, verify, leaves } =
    family === 'redhat' ? role.redHat : role;
  return {
    ...{ id, family, needKiB, ports, packages, files, units, leaves },
    ...(begin === undefined ? {} : { begin }),
    ...(setup === undefined ? {} : { setup }),
    ...(unset === undefined ? {} : { unset }),
    ...(verify === undefined ? {} : { verify }),
  };
};
