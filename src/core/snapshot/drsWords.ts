/** What vCenter calls the automation levels of DRS. */
export const drsBehaviorWords: Readonly<Record<string, string>> = {
  off: 'off',
  manual: 'manual',
  partiallyAutomated: 'partially automated',
  fullyAutomated: 'fully automated',
};

/** DRS of a cluster in words; the threshold as the API counts, 1 the most aggressive. */
export function drsWords({
  enabled,
  behavior,
  vmotionRate,
}: {
  enabled: boolean | null;
  behavior: string | null;
  vmotionRate: number | null;
}): string {
  if (enabled === null) return 'not known';
  if (!enabled) return 'off';
  const threshold = vmotionRate === null ? '' : `, threshold ${vmotionRate} of 5`;
  return `${drsBehaviorWords[behavior ?? ''] ?? behavior ?? 'on'}${threshold}`;
}
