/**
 * Lets pieces of work through while both bounds hold: so many in all, so many of one group. In
 * order of asking, but a full group does not hold up the others.
 */
export function createGate(
  total: number,
  perGroup: number,
): <T>(group: string, work: () => Promise<T>) => Promise<T> {
  const running: string[] = [];
  let waiting: { group: string; go: () => void }[] = [];
  const free = (group: string): boolean =>
    running.length < total && running.filter((one) => one === group).length < perGroup;
  const admit = (): void => {
    for (const next of [...waiting]) {
      if (!free(next.group)) continue;
      waiting = waiting.filter((one) => one !== next);
      running.push(next.group);
      next.go();
    }
  };
  return async (group, work) => {
    await new Promise<void>((go) => {
      waiting.push({ group, go });
      admit();
    });
    try {
      return await work();
    } finally {
      running.splice(running.indexOf(group), 1);
      admit();
    }
  };
}
