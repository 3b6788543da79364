import {
  ActionIcon,
  Badge,
  Button,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconMoon, IconPlayerTrackNext, IconSun } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';

import { EngineRateContext } from '../../engine/engineTime.ts';
import { rateOf, useLabClock } from '../../engine/labClock.ts';
import { useConnected } from '../../engine/runData.ts';
import { useSimulated } from '../../engine/services.ts';
import { ChartMarkContext, markOf } from '../../kit/mark.ts';
import { SimulatedMark } from '../../kit/SimulatedMark.tsx';
import styles from './detached.module.css';

export interface DetachedFrameProps {
  /** Name of the run and what of it is shown. */
  title: string;
  /** A stored run played again. */
  replay?: boolean;
  /** Its run was simulated, wherever it lies now. */
  simulated?: boolean;
  /** State and times, beside the title. */
  status?: ReactNode;
  children: ReactNode;
}

/**
 * A second window: title, marks, whether the engine answers, and nothing else of the console around
 * its content.
 */
export function DetachedFrame({
  title,
  replay = false,
  simulated: ofModel = false,
  status,
  children,
}: DetachedFrameProps) {
  const inLab = useSimulated();
  const simulated = inLab || ofModel;
  const clock = useLabClock();
  const connected = useConnected();
  const { toggleColorScheme } = useMantineColorScheme();
  const dark = useComputedColorScheme('light') === 'dark';
  const close = (): void => {
    window.close();
  };
  useHotkeys(
    [
      ['mod+shift+l', () => toggleColorScheme()],
      ['mod+w', close],
    ],
    [],
  );
  const marks = [...(simulated ? ['SIMULATED'] : []), ...(replay ? ['REPLAY'] : [])];
  const named = [title, ...marks, 'Tilebench'].join(' – ');
  useEffect(() => {
    document.title = named;
  }, [named]);
  return (
    <EngineRateContext value={inLab ? rateOf(clock.status) : 1}>
      <ChartMarkContext
        value={simulated ? markOf('simulated', replay) : replay ? markOf('real', true) : null}
      >
        <div className={styles.window}>
          <header className={styles.head} data-marked={marks.length > 0 || undefined}>
            <h1 className={styles.title}>{title}</h1>
            {simulated && <SimulatedMark always />}
            {replay && (
              <Badge
                color="grape"
                radius="sm"
                leftSection={<IconPlayerTrackNext size={12} aria-hidden />}
                style={{ flexShrink: 0 }}
                title="A stored run played again. Nothing is measured now."
              >
                REPLAY
              </Badge>
            )}
            {status}
            <div className={styles.actions}>
              {!connected && (
                <Badge color="red" variant="filled" tt="none" role="status">
                  Engine not connected, trying again
                </Badge>
              )}
              <ActionIcon
                variant="default"
                size="sm"
                aria-label={dark ? 'Light theme' : 'Dark theme'}
                title="Switch light and dark"
                onClick={() => toggleColorScheme()}
              >
                {dark ? <IconSun size={14} aria-hidden /> : <IconMoon size={14} aria-hidden />}
              </ActionIcon>
              <Button size="compact-xs" variant="default" onClick={close}>
                Close window
              </Button>
            </div>
          </header>
          <main className={styles.body} tabIndex={-1}>
            {children}
          </main>
        </div>
      </ChartMarkContext>
    </EngineRateContext>
  );
}
