import { useCallback, useEffect, useRef, useState } from 'react';

import { type AppErrorShape, toAppError } from '../../../core/base/errors.ts';
import type { CheckProgress, CheckReport } from '../../../core/plan/plan.ts';
import { useSendCommand } from '../../engine/sendCommand.ts';
import { useClient } from '../../engine/services.ts';

export interface PlanCheck {
  report: CheckReport | null;
  /** Set while a check is under way. */
  progress: CheckProgress | null;
  checking: boolean;
  /** Check that is being made again by itself. */
  repeating: string | null;
  error: AppErrorShape | null;
  /** Makes the whole check; gives its report, null where there is none. */
  check: (planId: string) => Promise<CheckReport | null>;
  cancel: () => void;
  repeat: (checkId: string) => Promise<void>;
  take: (report: CheckReport | null) => void;
}

/**
 * The pre-flight of one plan: its last report, a check under way, and what was found so far.
 * `atOnce`: a check begins with the page.
 */
export function usePlanCheck(planId: string, atOnce = false): PlanCheck {
  const client = useClient();
  const send = useSendCommand();
  const [report, setReport] = useState<CheckReport | null>(null);
  const [progress, setProgress] = useState<CheckProgress | null>(null);
  const [checking, setChecking] = useState(atOnce);
  const [repeating, setRepeating] = useState<string | null>(null);
  const [error, setError] = useState<AppErrorShape | null>(null);
  const stop = useRef<AbortController | null>(null);

  useEffect(() => {
    let here = true;
    client.call('plan.report', { id: planId }).then(
      (last) => {
        if (here) setReport((now) => now ?? last);
      },
      (thrown: unknown) => {
        const failure = toAppError(thrown);
        // A plan that is not saved yet has no report; a closed port is told by the frame.
        if (here && failure.kind !== 'notFound' && failure.kind !== 'unreachable')
          setError(failure.toShape());
      },
    );
    const forget = client.on('check.changed', (next) => {
      if (next.planId !== planId) return;
      setProgress((now) => (now !== null && now.rev > next.rev ? now : next));
    });
    return () => {
      here = false;
      forget();
    };
  }, [client, planId]);
  // Who leaves the page no longer waits for the check.
  useEffect(() => () => stop.current?.abort(), []);

  const request = useCallback(
    (id: string): Promise<CheckReport | AppErrorShape> => {
      const ends = new AbortController();
      stop.current = ends;
      return send('plan.check', { id }, { signal: ends.signal, refusal: 'here' }).catch(
        (thrown: unknown) => toAppError(thrown).toShape(),
      );
    },
    [send],
  );
  const settle = useCallback((made: CheckReport | AppErrorShape): CheckReport | null => {
    setChecking(false);
    setProgress(null);
    if ('findings' in made) {
      setReport(made);
      return made;
    }
    if (made.kind !== 'aborted') setError(made);
    return null;
  }, []);
  const check = useCallback(
    (id: string) => {
      setChecking(true);
      setError(null);
      setProgress(null);
      return request(id).then(settle);
    },
    [request, settle],
  );
  const repeat = useCallback(
    async (checkId: string) => {
      setRepeating(checkId);
      setError(null);
      try {
        setReport(await send('plan.checkOne', { id: planId, checkId }, { refusal: 'here' }));
      } catch (thrown) {
        setError(toAppError(thrown).toShape());
      } finally {
        setRepeating(null);
      }
    },
    [send, planId],
  );
  useEffect(() => {
    if (atOnce) void request(planId).then(settle);
  }, [atOnce, request, settle, planId]);
  return {
    report,
    progress,
    checking,
    repeating,
    error,
    check,
    cancel: () => stop.current?.abort(),
    repeat,
    take: setReport,
  };
}
