import { toAppError } from '../../../../src/core/base/errors.ts';
import { metricWords } from '../../../../src/core/metric/metricWords.ts';
import type { CheckFinding } from '../../../../src/core/plan/plan.ts';
import { linuxHostsOf } from '../../../../src/core/testbed/usedConnections.ts';
import { readReading, toldBy } from '../../runs/sources/procReading.ts';
import { type CheckContext, defineCheck } from './types.ts';

/** A machine under test that is Linux: does it let in, and what does it tell of itself. */
async function linuxFinding(
  { peers, nameOf }: CheckContext,
  id: string,
  signal: AbortSignal,
): Promise<CheckFinding> {
  const name = nameOf(id);
  const about = {
    id: 'host.login',
    title: `Linux host ${name}`,
    subject: name,
    source: `host ${name} over SSH`,
  };
  try {
    const reading = await readReading(await peers.client(id), signal);
    const told = reading === null ? [] : toldBy(reading);
    return told.length === 0
      ? {
          ...about,
          severity: 'warn',
          evidence: 'it lets in and tells nothing of itself: its charts would stay empty',
          fix: 'A Linux host has /proc; let the user of the connection read it. An ESXi host is named as one.',
        }
      : {
          ...about,
          severity: 'ok',
          evidence: `tells ${told.map((metric) => metricWords[metric]).join(', ')}`,
        };
  } catch (error) {
    const { message, hint } = toAppError(error);
    return {
      ...about,
      severity: 'warn',
      evidence: `${message} Its charts would stay empty.`,
      fix: hint ?? 'Correct its connection, or take its login out of the testbed.',
    };
  }
}

export const hostLogins = defineCheck({
  id: 'host.login',
  title: 'Hosts under test that are logged in to',
  run: (context, signal) =>
    Promise.all(
      linuxHostsOf(context.inputs.testbed).map((id) => linuxFinding(context, id, signal)),
    ),
});
