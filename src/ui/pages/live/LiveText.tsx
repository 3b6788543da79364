import { memo, useEffect, useRef } from 'react';

import { onHeartbeat } from '../../charts/heartbeat.ts';

export interface LiveTextProps {
  text: () => string;
  /** false: written once. */ live: boolean;
  className?: string | undefined;
}

/**
 * A figure that changes every second, written without React. `text` must keep its identity while
 * its inputs do.
 */
export const LiveText = memo(function LiveText({ text, live, className }: LiveTextProps) {
  const node = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const write = (): void => {
      const next = text();
      if (node.current !== null && node.current.textContent !== next)
        node.current.textContent = next;
    };
    write();
    return live ? onHeartbeat(write) : undefined;
  }, [text, live]);
  return <span ref={node} className={className} />;
});
