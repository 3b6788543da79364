import { listProcesses, readProc } from '../lab/processes.ts';

/** Processes of this run's remote jobs, on whichever client of the lab. */
export function jobProcesses(runId: string): number[] {
  const mark = new RegExp(`TILEBENCH_JOB=[^\0]*${runId}`);
  return listProcesses()
    .filter((p) => p.state !== 'Z' && mark.test(readProc(`/proc/${p.pid}/environ`)))
    .map((p) => p.pid);
}
