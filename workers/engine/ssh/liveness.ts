import type { JobHost, JobState } from './remoteJob.ts';
import { jobStates } from './remoteJob.ts';

/** Asks after jobs; questions that come while one is on its way go together in the next. */
export interface Liveness {
  check(dir: string): Promise<JobState>;
}
interface Question {
  dir: string;
  resolve(state: JobState): void;
  reject(error: unknown): void;
}

/**
 * Directories a question: keeps the command line far below the 128 KiB a Linux argument may have.
 */
const batch = 200;

export function createLiveness(host: JobHost): Liveness {
  let waiting: Question[] = [];
  let asking = false;
  const pump = async (): Promise<void> => {
    asking = true;
    while (waiting.length > 0) {
      // All followers that wake in this turn of the loop get into one question.
      await Promise.resolve();
      const questions = waiting.slice(0, batch);
      waiting = waiting.slice(batch);
      try {
        const states = await jobStates(
          host,
          questions.map((q) => q.dir),
        );
        questions.forEach((question, index) => question.resolve(states[index] as JobState));
      } catch (thrown) {
        for (const question of questions) question.reject(thrown);
      }
    }
    asking = false;
  };
  return {
    check: (dir) =>
      new Promise((resolve, reject) => {
        waiting.push({ dir, resolve, reject });
        if (!asking) void pump();
      }),
  };
}
