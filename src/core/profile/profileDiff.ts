import type { Profile } from './profile.ts';

/**
 * One figure or rule that differs. `path` has ids in place of positions:
 * `workloads.database.reference`. null = not there, or not set.
 */
export interface ProfileDifference {
  path: string;
  label: string;
  parent: string | null;
  own: string | null;
}

/** What says which profile it is, not what it measures. */
const identity = new Set(['id', 'version', 'parentId', 'schemaVersion', 'shipped']);

/**
 * Only what differs between a profile and its parent, in the order of the profile. Workloads,
 * operations and rules are matched by id, limits by metric and operation.
 */
export function profileDiff(parent: Profile, own: Profile): ProfileDifference[] {
  const [before, after] = [leaves(parent), leaves(own)];
  const paths = [...new Set([...after.keys(), ...before.keys()])];
  return paths.flatMap((path) => {
    const [was, is] = [before.get(path) ?? null, after.get(path) ?? null];
    return was === is ? [] : [{ path, label: labelOf(path), parent: was, own: is }];
  });
}

/** Every scalar by its path, as text. null and absent are both "not set" and left out. */
function leaves(profile: Profile): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (value: unknown, path: string): void => {
    if (value === null || value === undefined) return;
    if (Array.isArray(value)) {
      const seen = new Map<string, number>();
      value.forEach((item: unknown) => {
        const key = keyOf(item);
        const nth = seen.get(key) ?? 0;
        seen.set(key, nth + 1);
        walk(item, join(path, nth === 0 ? key : `${key} ${nth + 1}`));
      });
      return;
    }
    if (typeof value === 'object') {
      for (const [key, inner] of Object.entries(value))
        if (path !== '' || !identity.has(key)) walk(inner, join(path, key));
      return;
    }
    found.set(path, typeof value === 'string' ? value : JSON.stringify(value));
  };
  walk(profile, '');
  return found;
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);
/**
 * What an item of a list is known by: its id; a limit by its metric and operation; VMs by their
 * name.
 */
function keyOf(item: unknown): string {
  const { id, metric, operation, name } = item as {
    id?: unknown;
    metric?: unknown;
    operation?: unknown;
    name?: unknown;
  };
  if (typeof id === 'string') return id;
  if (typeof metric === 'string')
    return typeof operation === 'string' ? `${metric} of ${operation}` : metric;
  return typeof name === 'string' ? name : String(item);
}

const words: Readonly<Record<string, string>> = {
  workloads: 'workload',
  qos: 'limit',
  params: 'parameter',
  vms: 'VMs',
  operations: 'operation',
  rules: 'rule',
  max: 'at most',
  min: 'at least',
  referenceSource: 'source of the reference',
  weightSource: 'source of the weight',
  periodsSource: 'source of the period rule',
  phasesSource: 'source of the phases',
  hostsPerLoop: 'hosts a loop',
  hostsPerLoopSource: 'source of hosts a loop',
};
/** `workloads.database.qos.latencyP95Ms.max` → `workload database, limit latencyP95Ms, at most`. */
function labelOf(path: string): string {
  const steps = path.split('.');
  const parts: string[] = [];
  for (let i = 0; i < steps.length; i += 1) {
    const step = steps[i]!;
    const named =
      ['workloads', 'qos', 'params', 'vms', 'operations', 'rules'].includes(step) &&
      i + 1 < steps.length;
    parts.push(named ? `${words[step]} ${steps[(i += 1)]}` : (words[step] ?? step));
  }
  return parts.join(', ');
}
