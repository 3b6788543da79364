import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';

import { counted } from '../../core/base/counted.ts';
import type { RunOverview } from '../../core/run/run.ts';
import { useAppInfoQuery, useConnectionListQuery } from '../engine/api.ts';
import { useLabClock } from '../engine/labClock.ts';
import { useDesktop, useSimulated } from '../engine/services.ts';
import { useAppSelector } from '../engine/store.ts';
import { bad } from '../kit/tones.ts';
import { PaceControl } from '../pages/lab/PaceControl.tsx';
import classes from './shell.module.css';

/** Engine, connections, the active run and what it records, always in sight. */
export function StatusBar({ run }: { run: RunOverview | null }) {
  const link = useAppSelector((state) => state.link.state);
  const hung = useAppSelector(
    ({ link: { host } }) => host.kind === 'there' && host.notice !== null,
  );
  const { data: info } = useAppInfoQuery({}, { pollingInterval: 60_000 });
  const { data: connections } = useConnectionListQuery({});
  const clock = useLabClock();
  const desktop = useDesktop();
  const simulated = useSimulated();
  return (
    <div className={classes.status} data-simulated={simulated || undefined}>
      <PaceControl clock={clock} />
      <Text span size="xs">
        {link === 'otherVersion'
          ? 'Engine of another version'
          : link !== 'open' || !info
            ? 'Engine not connected'
            : hung
              ? 'Engine does not answer'
              : `Engine ${info.version} running`}
      </Text>
      {info && info.disk.state !== 'ok' && (
        <Text span size="xs" fw={700} c={bad} role="alert">
          {`Disk full: ${info.dataDir}, ${(info.disk.freeBytes / 2 ** 20).toFixed(1)} MiB ` +
            'free' +
            (info.disk.state === 'readOnly'
              ? '. Nothing is stored until there is space and Tilebench is started again'
              : '')}
        </Text>
      )}
      <Anchor component={Link} to="/connections" size="xs" c="inherit">
        {connections ? counted(connections.length, 'connection') : 'Connections unknown'}
      </Anchor>
      <Text span size="xs">
        {run
          ? `Recording ${run.series.length} series`
          : link === 'open'
            ? 'No active run'
            : 'Runs unknown'}
      </Text>
      {run && run.origin !== 'real' && !simulated && (
        <Text span size="xs" fw={700}>
          {run.origin.toUpperCase()}
        </Text>
      )}
      {desktop.unsandboxed && (
        <Text
          span
          size="xs"
          fw={700}
          title="Tilebench runs as root, or was started with --no-sandbox. Start it as another user."
        >
          Window without sandbox
        </Text>
      )}
      {info?.newer !== undefined && (
        <Anchor component={Link} to="/settings" size="xs" c="inherit">
          Version {info.newer} is available
        </Anchor>
      )}
      <Text span size="xs" ml="auto">
        {info?.secrets === 'session'
          ? 'Secrets: this session only'
          : info
            ? 'Secrets: keychain'
            : ''}
      </Text>
    </div>
  );
}
