import { Alert, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';

import type { EngineNotice } from '../../wire/engineNotice.ts';
import type { HostState } from '../engine/hostLink.ts';
import { useHost } from '../engine/services.ts';
import { useAppSelector } from '../engine/store.ts';
import classes from './shell.module.css';

/**
 * What the program that serves this page says, or that it is not there: above every page, in
 * windows for further screens too.
 */
export function HostNotice() {
  const state = useAppSelector(({ link }) => link.host);
  const host = useHost();
  const [closed, setClosed] = useState<EngineNotice | null>(null);
  const said = noticeOf(state, window.location.port);
  if (said === null || said === closed) return null;
  return (
    <Alert
      role="alert"
      color="red"
      title={said.message}
      className={classes.host}
      styles={{ body: { flex: 1 } }}
    >
      <Text size="sm" className={classes.said}>
        {said.detail}
      </Text>
      {said.choices.length > 0 && (
        <Group gap="xs" mt="xs">
          {said.choices.map(({ label, act }) => (
            <Button
              key={act}
              size="xs"
              variant={act === 'nothing' ? 'default' : 'filled'}
              color="red"
              onClick={() => {
                if (act === 'nothing') setClosed(said);
                else host?.retry();
              }}
            >
              {label}
            </Button>
          ))}
        </Group>
      )}
    </Alert>
  );
}

/** What a state of the host has a user know; null = nothing. */
function noticeOf(state: HostState, port: string): EngineNotice | null {
  switch (state.kind) {
    case 'there':
      return state.notice;
    case 'away':
      return {
        message: state.last?.message ?? 'Tilebench is not running',
        detail:
          `${state.last === null ? '' : `${state.last.detail} `}Nothing answers on port ` +
          `${port}. Start it again as before, with this port: npx tilebench serve --port ` +
          `${port}. This page then connects by itself. Load on clients goes on meanwhile.`,
        choices: [],
      };
    case 'shut':
      return {
        message: 'This browser is no longer let in',
        detail:
          'Tilebench was started again and does not know this browser. Open the page ' +
          'console.html of its data folder in this browser, or the address that tilebench ' +
          'serve printed: both give a new ticket, and this page then connects by itself.',
        choices: [],
      };
  }
}
