import type { LiveRun } from '../engine/useLiveRun.ts';
import { Failure } from './LoadState.tsx';

/**
 * Said where a run is watched: what was measured before could not be read, and how to read it
 * again.
 */
export function LiveRunFault({ run }: { run: LiveRun }) {
  if (run.state !== 'failed' || run.error === null) return null;
  return (
    <Failure
      title="What was measured before cannot be read"
      error={run.error.toShape()}
      onRetry={run.retry}
    />
  );
}
