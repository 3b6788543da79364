import { IconAlertTriangle, IconTrendingUp } from '@tabler/icons-react';
import { useEffect, useState } from 'react';

import { type EarlyWarning, warningText } from '../../../core/limits/earlyWarning.ts';
import { limitKey } from '../../../core/limits/index.ts';
import { onHeartbeat } from '../../charts/heartbeat.ts';

const shown = 4;
/** Looked at every this many heartbeats: a warning must not flicker. */
const every = 5;

/**
 * Limits that will be missed in the running measurement period if the trend goes on, in words;
 * nothing where all will hold.
 */
export function EarlyWarnings({ warnings }: { warnings: () => readonly EarlyWarning[] }) {
  const [list, setList] = useState<readonly EarlyWarning[]>([]);
  useEffect(() => {
    let beat = 0;
    return onHeartbeat(() => {
      if (beat++ % every === 0) setList(warnings());
    });
  }, [warnings]);
  return (
    <div role="status" aria-label="Early warning">
      {list.slice(0, shown).map((w) => (
        <p key={limitKey(w)} data-tone={w.state === 'lost' ? 'bad' : 'warn'}>
          {w.state === 'lost' ? (
            <IconAlertTriangle size={16} aria-hidden="true" />
          ) : (
            <IconTrendingUp size={16} aria-hidden="true" />
          )}
          <span>{warningText(w)}</span>
        </p>
      ))}
      {list.length > shown && <p>{`And ${list.length - shown} more.`}</p>}
    </div>
  );
}
