import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  type EngineOnLab,
  faultPlan,
  faultProfile,
  startEngineOnLab,
} from '../../../e2e/lab/engineOnLab.ts';
import { type Lab, startLab } from '../../../e2e/lab/lab.ts';
import {
  type LabDovecot,
  type LabPostfix,
  messagesOf,
  startDovecot,
  startPostfix,
} from '../../../e2e/lab/mail.ts';
import { poll } from '../../../e2e/lab/poll.ts';
import type { PlanFile } from '../../../src/core/plan/plan.ts';

const users = 6;
const password = 'lab';
let dir: string;
let lab: Lab;
let dovecot: LabDovecot;
let postfix: LabPostfix;
let on: EngineOnLab;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tb-post-'));
  lab = await startLab({ dir, tiles: 1, clients: 1 });
  dovecot = await startDovecot({ users, password });
  postfix = await startPostfix({ lmtpPort: dovecot.lmtpPort });
  on = await startEngineOnLab({ limits: { silentMs: 60_000 } });
});
afterAll(async () => {
  await on.close();
  await postfix.stop();
  await dovecot.stop();
  await lab.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** One tile that loads the private mail server. A minute of lateness is no busy machine's. */
function mailPlan(): PlanFile {
  const passwordFile = join(dir, 'secret');
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  const file = faultPlan(lab.plan, { phases: { steadyS: 24, rampDownS: 30 } });
  const params = {
    ...{ host: '127.0.0.1', imapPort: dovecot.imapPort, smtpPort: postfix.smtpPort },
    ...{ passwordFile, mailboxes: users, messages: 10, pace: 'rate', rate: 8, usersPerS: 100 },
    ...{ weights: 'send 1, read 1', latenessLimitMs: 60_000 },
  };
  const [java, ...rest] = faultProfile.workloads;
  const mail = { ...java!, id: 'mail', role: 'mail', name: 'Mail', driver: 'tilekit-mail', params };
  return {
    ...file,
    profile: { ...faultProfile, workloads: [{ ...mail, unit: 'operations/min' }, ...rest] },
    testbed: {
      ...file.testbed,
      tiles: file.testbed.tiles.map((tile) => ({
        ...tile,
        workloads: tile.workloads.map((one) =>
          one.workloadId === 'java' ? { ...one, workloadId: 'mail' } : one,
        ),
      })),
    },
  };
}
const copies = (): number =>
  Array.from({ length: users }, (_, i) => messagesOf(dovecot.home(`user${i + 1}`)))
    .flat()
    .filter(({ text }) => /^X-Tilekit: sent /m.test(text)).length;

/** What the engine stored of one series of the mail load. */
async function stored(runId: string, metric: string): Promise<readonly number[]> {
  const { series } = await on.call('run.overview', { id: runId });
  const def = series.find((one) => one.entity.id === 't0.mail' && one.metric === metric)!;
  const [data] = await on.call('run.samples', { runId, seriesIds: [def.id], maxPoints: 0 });
  return [...(data?.value ?? [])];
}

test('mail that a run had accepted and not delivered grows in its own series and is a finding at its end', async () => {
  const id = await on.launch(mailPlan());
  await on.untilSteady(id);
  await poll('delivered mail', () => copies() > 10);
  await poll(
    'a time until delivery in the store',
    async () => (await stored(id, 'deliveredP95Ms')).length > 0,
  );
  await dovecot.halt();
  const overview = await on.untilEnd(id);
  await dovecot.start();
  const waiting = await stored(id, 'undelivered');
  expect(waiting.at(-1)).toBeGreaterThan(0);
  expect(overview.findings.find((one) => one.id === 'rest.t0.mail')).toMatchObject({
    severity: 'warn',
    text: expect.stringMatching(
      new RegExp(
        `^Tile 1 Mail: of \\d+ messages that the server accepted, ${waiting.at(-1)} had not`,
      ),
    ),
  });
  // It ends with the run; that nothing was delivered is no gap in what was read.
  const told = overview.findings.map(({ id: finding, text }) => `${finding}: ${text}`).join('\n');
  expect(told).not.toContain('late-end');
  expect(told).not.toContain('until mail is delivered');
  // Accepting went on after the last delivery.
  expect((await stored(id, 'acceptedP95Ms')).length).toBeGreaterThan(
    (await stored(id, 'deliveredP95Ms')).length,
  );
});
