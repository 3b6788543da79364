/**
 * Asks until the answer is neither null, undefined nor false; looks every 20 ms and throws with
 * `what` after `limitMs`: minutes, because others may load the machine.
 */
export async function poll<T>(
  what: string,
  ask: () => T | Promise<T>,
  limitMs = 5 * 60_000,
): Promise<NonNullable<Exclude<T, false>>> {
  const untilMs = Date.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false)
      return answer as NonNullable<Exclude<T, false>>;
    if (Date.now() > untilMs) throw new Error(`Waited ${limitMs} ms in vain: ${what}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
}
