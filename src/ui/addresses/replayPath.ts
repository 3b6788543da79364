/** Address of a run's replay. */
export const replayPath = (runId: string): string => `/runs/${runId}/replay`;
