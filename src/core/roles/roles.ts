import { fileServer } from './data/fileServer.ts';
import { java } from './data/java.ts';
import { mail } from './data/mail.ts';
import { mariadb } from './data/mariadb.ts';
import { postgresql } from './data/postgresql.ts';
import { standby } from './data/standby.ts';
import { web } from './data/web.ts';
import type { Role } from './types.ts';

/** Every role a machine can be given, in the order of forms. */
export const roles: readonly Role[] = [mariadb, postgresql, web, mail, fileServer, java, standby];

export const roleOf = (id: string): Role | null => roles.find((role) => role.id === id) ?? null;

/**
 * The role that fits a workload: by its role in the profile, and by its driver's parameters where
 * several do. null = none of these, the machine is left alone.
 */
export function roleFor(
  workloadRole: string,
  params: Readonly<Record<string, unknown>>,
): Role | null {
  const fit = roles.filter((role) => role.workloadRoles.includes(workloadRole));
  return (
    fit.find(({ when }) =>
      Object.entries(when ?? {}).every(([name, value]) => params[name] === value),
    ) ??
    fit[0] ??
    null
  );
}
