import { useState } from 'react';

import { toAppError } from '../../../core/base/errors.ts';
import type { Connection } from '../../../core/testbed/connection.ts';
import { useSendCommand } from '../../engine/sendCommand.ts';
import { useClient } from '../../engine/services.ts';
import { asksTrust, type Attempt, beginning, trusting, works } from './attempt.ts';
import { eachOf } from './eachOf.ts';

type Attempts = Readonly<Record<string, Attempt>>;

export interface Connecting {
  /** By the id of the connection. */ attempts: Attempts;
  busy: boolean;
  /** Tries each; reads the certificate or host key of those that are not trusted yet. */
  connect: (connections: readonly Connection[], secret: string) => Promise<void>;
  /**
   * Trusts what was shown, tries again with it and gives those that work, as they are to be saved.
   */
  trust: (connections: readonly Connection[], secret: string) => Promise<Connection[]>;
  forget: () => void;
}

/** Connecting to one or several, and what came of each. Nothing is saved here. */
export function useConnecting(): Connecting {
  const [attempts, setAttempts] = useState<Attempts>({});
  const client = useClient();
  const send = useSendCommand();

  const tryOnce = async (connection: Connection, secret: string): Promise<Attempt> => {
    try {
      const input = { connection, ...(secret === '' ? {} : { secret }) };
      const report = await send('connection.test', input, { refusal: 'here' });
      // The peer is known by its key before anything is sent: it failed there, nothing was.
      const atTrust = report.steps.some(({ step, ok }) => step === 'pin' && !ok);
      return {
        ...beginning,
        busy: false,
        report,
        identity: atTrust ? await client.call('connection.identify', { connection }) : null,
      };
    } catch (thrown) {
      return { ...beginning, busy: false, failure: toAppError(thrown).toShape() };
    }
  };
  const tryAll = async (
    connections: readonly Connection[],
    secret: string,
  ): Promise<Record<string, Attempt>> => {
    const came: Record<string, Attempt> = {};
    setAttempts((now) => ({
      ...now,
      ...Object.fromEntries(connections.map(({ id }) => [id, beginning])),
    }));
    await eachOf(connections, async (connection) => {
      const attempt = await tryOnce(connection, secret);
      came[connection.id] = attempt;
      setAttempts((now) => ({ ...now, [connection.id]: attempt }));
    });
    return came;
  };
  return {
    attempts,
    busy: Object.values(attempts).some((attempt) => attempt.busy),
    connect: async (connections, secret) => {
      await tryAll(connections, secret);
    },
    trust: async (connections, secret) => {
      const trusted = connections.map((connection) => {
        const attempt = attempts[connection.id];
        return attempt && asksTrust(attempt) ? trusting(connection, attempt) : connection;
      });
      const untried = trusted.filter((connection) => {
        const attempt = attempts[connection.id];
        return attempt !== undefined && asksTrust(attempt);
      });
      const came = { ...attempts, ...(await tryAll(untried, secret)) };
      return trusted.filter(({ id }) => {
        const attempt = came[id];
        return attempt !== undefined && works(attempt);
      });
    },
    forget: () => setAttempts({}),
  };
}
