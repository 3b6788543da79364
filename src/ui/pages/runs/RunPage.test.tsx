import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';

import { fail } from '../../../core/base/errors.ts';
import type { RunRecord } from '../../../core/run/run.ts';
import { demoRun, placeVms, samplesOf } from './testing/records.ts';
import { type Answers, renderScreen } from './testing/renderScreen.tsx';

const finding = {
  id: 'client.clock',
  severity: 'warn' as const,
  text: 'Clock of client-2 is 1.4 s behind.',
  fix: 'Start an NTP client.',
  tMs: Date.UTC(2026, 10, 20, 9, 0, 12),
};
/** What plan, testbed and profile of a run are now. */
const nowAnswers = ({ plan, testbed, profile }: RunRecord): Answers => ({
  'plan.list': () => [plan],
  'testbed.list': () => [testbed],
  'profile.list': () => [profile],
});
const unfold = async (user: UserEvent, name: RegExp): Promise<void> =>
  user.click(await screen.findByRole('button', { name, expanded: false }));
const only = (calls: { method: string; input: unknown }[], method: string): unknown[] =>
  calls.filter((c) => c.method === method).map((c) => c.input);

describe('before', () => {
  test('the plan as a readable summary', async () => {
    renderScreen('/runs/run-a', [demoRun({ state: 'ready' })]);
    const plan = await screen.findByRole('table', { name: 'Plan' });
    expect(
      within(plan).getByRole('row', { name: 'Steady state 3:00 in 3 measurement periods' }),
    ).toBeVisible();
    expect(within(plan).getByRole('row', { name: 'Length 4:20 in all' })).toBeVisible();
    expect(
      within(screen.getByRole('table', { name: 'Tiles' })).getByRole('row', {
        name: '2 File server dbench t2-file client-2',
      }),
    ).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Add note' })).toBeNull();
  });
});

describe('during', () => {
  const live = (): ReturnType<typeof demoRun> => demoRun({ state: 'steady', findings: [finding] });

  test('phase, period, time left and the end, problems on request', async () => {
    const { user } = renderScreen('/runs/run-a', [live()]);
    expect(await screen.findByText(/^1:[345]\d left$/)).toBeVisible();
    // One place on the screen tells the time.
    expect(screen.getAllByText(/\d:\d\d left/)).toHaveLength(1);
    expect(screen.getByText(/, ends \d\d:\d\d$/)).toBeVisible();
    expect(screen.getByText('period 2 of 3')).toBeVisible();
    expect(screen.getByRole('progressbar', { name: 'Progress of the run' })).toHaveAttribute(
      'aria-valuenow',
      expect.stringMatching(/^(5[7-9]|6\d)\./),
    );
    await user.click(screen.getByRole('button', { name: /^1 (problem|finding)$/ }));
    expect(await screen.findByText('Start an NTP client.')).toBeVisible();
  });

  test('a board opened late shows its charts while the past is read', async () => {
    let give = (): void => undefined;
    const asked = new Promise<void>((done) => {
      give = done;
    });
    const run = live();
    renderScreen('/runs/run-a', [run], {
      answers: {
        'run.samples': async ({ seriesIds }) => {
          await asked;
          return samplesOf(run, seriesIds);
        },
      },
    });
    const chart = await screen.findByRole('region', { name: 'Database throughput tps' });
    expect(screen.queryByText(/^Without samples/)).toBeNull();
    await act(async () => {
      give();
      await asked;
    });
    await waitFor(() => {
      expect(within(chart).getByRole('button', { name: /Tile 1/ })).toHaveTextContent(/[78]\d\d/);
    });
    expect(screen.queryByText(/^Without samples/)).toBeNull();
  });

  test('a stale workload is named stale, with its age and bad lines', async () => {
    const { user } = renderScreen('/runs/run-a', [live()]);
    await user.click(await screen.findByRole('tab', { name: 'Workloads' }));
    expect(
      screen.getByRole('row', {
        name: /^2 File server Running stale, \d+ s ago 2 client-2 t2-file$/,
      }),
    ).toBeVisible();
    // Where drawing took long this one may have become stale meanwhile.
    expect(
      screen.getByRole('row', {
        name: /^1 File server Running (stale, )?\d+ s ago 0 client-1 t1-file$/,
      }),
    ).toBeVisible();
  });

  test('abort asks once, ends gracefully, and only then offers the hard way', async () => {
    const { user, calls } = renderScreen('/runs/run-a', [live()]);
    await user.click(await screen.findByRole('button', { name: 'Stop…' }));
    expect(screen.getByText(/Ends load, collects, keeps what was measured/)).toBeVisible();
    expect(only(calls, 'run.abort')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'End load now' }));
    expect(only(calls, 'run.abort')).toEqual([{ id: 'run-a', hard: false }]);
    await user.click(screen.getByRole('button', { name: /Kill it now$/ }));
    expect(only(calls, 'run.abort')).toEqual([
      { id: 'run-a', hard: false },
      { id: 'run-a', hard: true },
    ]);
    expect(screen.getByRole('button', { name: 'Killing the load' })).toBeDisabled();
  });

  test('a refused abort is said, and can be asked again', async () => {
    const { user } = renderScreen('/runs/run-a', [live()], {
      answers: {
        'run.abort': () =>
          Promise.reject(fail('unreachable', 'The engine is not connected.', 'Try again.')),
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Stop…' }));
    await user.click(screen.getByRole('button', { name: 'End load now' }));
    expect(await screen.findByText('The engine is not connected.')).toBeInTheDocument();
    expect(await screen.findByRole('button', { name: 'Stop…' })).toBeEnabled();
  });

  test('Keep running aborts nothing', async () => {
    const { user, calls } = renderScreen('/runs/run-a', [live()]);
    await user.click(await screen.findByRole('button', { name: 'Stop…' }));
    await user.click(screen.getByRole('button', { name: 'Keep running' }));
    expect(screen.getByRole('button', { name: 'Stop…' })).toBeVisible();
    expect(only(calls, 'run.abort')).toEqual([]);
  });

  test('the note command focuses the field; Enter stores the note at the moment in the run', async () => {
    const run = live();
    const { user, calls, command } = renderScreen('/runs/run-a', [run]);
    await screen.findByRole('button', { name: 'Note' });
    act(() => command('run.note'));
    const field = await screen.findByRole('textbox', { name: 'Note at this moment' });
    await waitFor(() => {
      expect(field).toHaveFocus();
    });
    await user.keyboard('Fan noise in rack 2{Enter}');
    expect(only(calls, 'run.annotate')).toEqual([
      { id: 'run-a', text: 'Fan noise in rack 2', tMs: expect.any(Number) as number },
    ]);
    const { tMs } = only(calls, 'run.annotate')[0] as { tMs: number };
    expect(tMs - run.record.overview.nowMs).toBeLessThan(60_000);
    await waitFor(() => {
      expect(screen.queryByRole('textbox', { name: 'Note at this moment' })).toBeNull();
    });
  });

  test('a refused note keeps what was typed and says why', async () => {
    const { user } = renderScreen('/runs/run-a', [live()], {
      answers: {
        'run.annotate': () => {
          throw fail('conflict', 'The run has ended.');
        },
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Note' }));
    await user.type(
      await screen.findByRole('textbox', { name: 'Note at this moment' }),
      'late{Enter}',
    );
    expect(await screen.findByText('The run has ended.')).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'Note at this moment' })).toHaveValue('late');
  });

  test('a lost engine is said, with the time of what is shown', async () => {
    const { link } = renderScreen('/runs/run-a', [live()]);
    await screen.findByText(/^1:[345]\d left$/);
    act(() => link('closed'));
    expect(
      screen.getByText(/^Engine not reachable\. Shown as of \d\d:\d\d:\d\d; the run goes on\.$/),
    ).toBeVisible();
  });

  test('a run that ends under its reader stays on its board until the result is asked for; an older rev changes nothing', async () => {
    const runs = [live()];
    const { user, emit } = renderScreen('/runs/run-a', runs);
    await screen.findByText(/^1:[345]\d left$/);
    const ended = demoRun();
    runs[0] = ended;
    act(() => emit('run.changed', { ...ended.record.overview, rev: 3 }));
    expect(screen.queryByRole('status', { name: 'End of the run' })).toBeNull();
    act(() => emit('run.changed', { ...ended.record.overview, rev: 9 }));
    expect(await screen.findByRole('status', { name: 'End of the run' })).toHaveTextContent(
      'Run ended: Passed.',
    );
    expect(screen.getByRole('tab', { name: 'Live board' })).toBeVisible();
    await user.click(screen.getAllByRole('button', { name: 'See result' })[0]!);
    expect(await screen.findByText('All QoS limits kept')).toBe(screen.getByTestId('verdict'));
    const score = await screen.findByRole('group', { name: 'Score' });
    expect(score).toHaveTextContent(/^Score2\.00× reference/);
    expect(screen.queryByRole('button', { name: 'Stop…' })).toBeNull();
  });

  test('a table that somebody reads stays when the run ends under it; so does the board when it is closed', async () => {
    const runs = [live()];
    const { user, emit } = renderScreen('/runs/run-a', runs);
    const chart = await screen.findByRole('region', { name: 'Database throughput tps' });
    await user.click(within(chart).getByRole('button', { name: /^Actions for/ }));
    await user.click(await screen.findByRole('menuitem', { name: 'Table' }));
    const dialog = await screen.findByRole('dialog');
    const ended = demoRun();
    runs[0] = ended;
    act(() => emit('run.changed', { ...ended.record.overview, rev: 9 }));
    expect(screen.queryByTestId('verdict')).toBeNull();
    expect(dialog).toBeInTheDocument();
    await user.click(within(dialog).getByRole('button', { name: 'Close' }));
    await waitFor(() => {
      expect(screen.queryByRole('dialog')).toBeNull();
    });
    expect(screen.queryByTestId('verdict')).toBeNull();
    expect(screen.getByRole('tab', { name: 'Live board' })).toBeVisible();
  });
});

describe('after', () => {
  test('every step of the score, down to the raw mean and its samples', async () => {
    const { user } = renderScreen('/runs/run-a', [demoRun()]);
    await unfold(user, /^Score, step by step/);
    const tree = await screen.findByRole('table', { name: 'Score calculation' });
    expect(within(tree).getByText(/^median of 3 periods: 2\.00, 2\.00, 2\.00$/)).toBeVisible();
    await user.click(within(tree).getByRole('button', { name: /^Unfold Period \d, Tile 1$/ }));
    expect(within(tree).getByText(/^8\d\d tps \(mean of 60 samples\) ÷ 812 tps$/)).toHaveAttribute(
      'title',
      expect.stringMatching(/^8\d\d\.\d{6} tps ÷ 812\.400000 tps = \d\.\d{6}$/),
    );
    expect(within(tree).getByText(/not scored, must stay alive/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Unfold all' }));
    expect(within(tree).getAllByText(/mean of 60 samples/)).toHaveLength(3 * 2 * 4);
    await user.click(screen.getByRole('button', { name: 'Fold Result' }));
    expect(within(tree).queryByText(/Period/)).toBeNull();
  });

  test('what a run left behind is named, and put back by one button', async () => {
    const left = {
      id: 'drs.restore',
      severity: 'warn' as const,
      text: 'DRS of Cluster could not be put back to fully automated.',
      fix: 'Set it.',
      tMs: Date.UTC(2026, 10, 20, 9, 5, 0),
    };
    const run = demoRun({ findings: [left] });
    let answer = (): typeof run.record.overview => {
      throw fail('conflict', 'Plan B #2 is running on the same testbed.', 'Wait for its end.');
    };
    const { user, emit } = renderScreen('/runs/run-a', [run], {
      answers: { 'run.tidy': () => answer() },
    });
    const notice = await screen.findByRole('region', { name: 'Left behind' });
    expect(notice).toHaveTextContent('DRS of Cluster could not be put back to fully automated.');
    await user.click(within(notice).getByRole('button', { name: 'Put back now' }));
    expect(
      await within(notice).findByText(
        'Plan B #2 is running on the same testbed. Wait for its end.',
      ),
    ).toBeVisible();
    answer = () => run.record.overview;
    await user.click(within(notice).getByRole('button', { name: 'Put back now' }));
    expect(
      await within(notice).findByText('Tried again: what is listed here is still not back.'),
    ).toBeVisible();
    emit('run.changed', {
      ...run.record.overview,
      rev: run.record.overview.rev + 1,
      findings: [{ ...left, severity: 'info', text: `${left.text} It was put right later.` }],
    });
    expect(await within(notice).findByText('All is back')).toBeVisible();
    expect(within(notice).queryByRole('button')).toBeNull();
  });

  test('a broken limit is named with its figures, leads the QoS table and breaks the headroom', async () => {
    const { user } = renderScreen('/runs/run-a', [demoRun({ latency: 1.9 })]);
    expect(
      await screen.findByText(
        /^Database p95 2\d\d ms, limit 200 ms \(tiles 1, 2; periods 1 to 3\)$/,
      ),
    ).toBe(screen.getByTestId('verdict'));
    expect(await screen.findByRole('group', { name: 'Headroom' })).toHaveTextContent(
      /^Headroom1\.[12]×the limitDatabase p95, tile \d, period \d$/,
    );
    await unfold(user, /^Quality of service/);
    const qos = await screen.findByRole('table', { name: 'Quality of service' });
    expect(within(qos).getAllByRole('row')[1]).toHaveTextContent(
      /Database95th percentile latency.*≤ 200 ms1\.[12]× the limitbroken$/,
    );
    // The state says it once; a run that broke a limit is nowhere called passed.
    expect(screen.getAllByText('Not compliant')).toHaveLength(1);
    expect(screen.queryByText(/Passed/)).toBeNull();
  });

  test('a result is a scaling study, never a published benchmark score', async () => {
    const { user } = renderScreen('/runs/run-a', [demoRun()]);
    await user.click(await screen.findByRole('button', { name: 'Result: scaling study' }));
    expect(await screen.findByText(/Not a published benchmark result/)).toBeVisible();
    expect(document.body.textContent).not.toMatch(/VMmark/i);
  });

  test.each([
    ['simulated', 'SIMULATED'],
    ['replay', 'REPLAY'],
  ] as const)('%s runs carry their mark among real ones, once', async (origin, mark) => {
    const { user } = renderScreen('/runs/run-a', [demoRun({ origin })]);
    expect(await screen.findByRole('button', { name: mark })).toBeVisible();
    await user.click(await screen.findByRole('tab', { name: 'Charts' }));
    await screen.findByRole('region', { name: 'Database throughput tps' });
    expect(screen.getAllByText(mark)).toHaveLength(1);
  });

  test('where its VMs ran, at any moment of it', async () => {
    const run = demoRun();
    placeVms(run.record.overview);
    renderScreen('/runs/run-a', [run]);
    const racks = await screen.findByRole('region', { name: 'Hosts and their VMs' });
    await waitFor(() => {
      expect(within(racks).getByRole('group')).toHaveAccessibleDescription(
        /^8 VMs on 2 hosts, 8 under load\. esx1\.lab: CPU \d+ %, power –, 1 VM\./,
      );
    });
    fireEvent.change(within(racks).getByRole('slider'), {
      target: { value: String(run.record.overview.startedAtMs) },
    });
    expect(within(racks).getByRole('group')).toHaveAccessibleDescription(
      /^8 VMs on 2 hosts, \d under load\. /,
    );
    expect(within(racks).getByRole('slider')).toHaveAttribute('aria-valuetext', '0:00');
  });

  test('a missing series: no score, and the reason', async () => {
    const { user } = renderScreen('/runs/run-a', [demoRun({ absent: ['latencyP95Ms'] })]);
    await unfold(user, /^Quality of service/);
    await unfold(user, /^Score, step by step/);
    const qos = await screen.findByRole('table', { name: 'Quality of service' });
    expect(within(qos).getAllByText('not measured')).toHaveLength(2);
    expect(screen.getByText('tile 1 Database: no latencyP95Ms sample in period 1')).toBeVisible();
  });

  test('results of another tool are held against no rules and no reference', async () => {
    const run = demoRun({ id: 'run-f' });
    const { overview } = run.record;
    run.record = {
      ...run.record,
      imported: {
        format: 'fio JSON',
        fileName: 'a.json',
        sha256: '0'.repeat(64),
        atMs: overview.nowMs,
        redacted: false,
        complete: true,
      },
      overview: {
        ...overview,
        score: null,
        verdict: { ...overview.verdict!, outcome: 'passed', compliant: false },
        findings: [
          { id: 'import', severity: 'info', text: '5 results', tMs: overview.nowMs + 3_600_000 },
        ],
      },
    };
    renderScreen('/runs/run-f', [run]);
    expect(await screen.findByText('From fio JSON')).toBeVisible();
    expect(screen.queryByText(/ompliant|No score|Not judged|Ratios to/)).toBeNull();
    expect(screen.queryByRole('group', { name: 'Score' })).toBeNull();
    const happened = screen.getByRole('region', { name: 'What happened' });
    expect(within(happened).getByText('5 results').closest('li')).toHaveTextContent('after it');
  });

  test('a run that ended before load says what to do in place of figures', async () => {
    const run = demoRun({
      state: 'failed',
      findings: [
        { ...finding, severity: 'block', text: 'The database refused.', fix: 'Start it.' },
      ],
    });
    Object.assign(run.record.overview, { series: [], phases: [], periods: [], startedAtMs: null });
    const { user } = renderScreen('/runs/run-a', [run]);
    const nothing = await screen.findByRole('region', { name: 'Nothing was measured' });
    expect(within(nothing).getByText('Start it.')).toBeVisible();
    expect(within(nothing).getByRole('link', { name: 'Check the plan' })).toHaveAttribute(
      'href',
      '/plans/plan-1',
    );
    expect(screen.queryByRole('region', { name: 'Key numbers' })).toBeNull();
    await user.click(within(nothing).getByRole('button', { name: 'Read the log' }));
    expect(await screen.findByRole('textbox', { name: 'Filter lines' })).toBeVisible();
  });

  test('a run that failed under load says what ended it, with its chart', async () => {
    renderScreen('/runs/run-a', [demoRun({ state: 'failed' })]);
    expect(await screen.findByText('dbench on client-2 ended with exit code 1.')).toBeVisible();
    expect(
      within(await screen.findByRole('region', { name: 'Why' })).getByText(
        'It ended early: a workload failed.',
      ),
    ).toBeVisible();
  });

  test('an aborted run keeps its record and says that it has no score', async () => {
    renderScreen('/runs/run-a', [demoRun({ state: 'aborted' })]);
    expect(
      await screen.findByText(/^By the user in the steady state; what was measured is kept\./),
    ).toBeVisible();
    expect(screen.getByRole('status', { name: 'State of the run' })).toHaveTextContent('Aborted');
    expect(await screen.findByRole('group', { name: 'Score' })).toHaveTextContent(
      'aborted runs get none',
    );
    expect(screen.queryByRole('table', { name: 'Tiles and workloads' })).toBeNull();
  });

  test('set-up, events and log', async () => {
    const { user } = renderScreen('/runs/run-a', [demoRun()]);
    await user.click(await screen.findByRole('tab', { name: 'Set-up' }));
    expect(screen.getByText(/^Nothing drifted\. Compared: /)).toBeVisible();
    expect(screen.getByRole('row', { name: 'Host: ESXi build 24022510' })).toBeVisible();
    await user.click(screen.getByRole('tab', { name: /^Events/ }));
    expect(
      screen.getByRole('row', { name: '1:20 Note Array firmware message on console' }),
    ).toBeVisible();
    await user.click(screen.getByRole('tab', { name: 'Log' }));
    await user.type(await screen.findByRole('textbox', { name: 'Filter lines' }), 'tile');
    expect(screen.getByText('Tile 1 started')).toBeVisible();
    // A name with a space in an id would be two ids to a screen reader.
    for (const tab of screen.getAllByRole('tab'))
      expect(tab.getAttribute('aria-controls')).toMatch(/^\S+$/);
    await user.clear(screen.getByRole('textbox', { name: 'Filter lines' }));
    await user.click(screen.getByRole('tab', { name: 'Tile 1 Database' }));
    expect(screen.getByText(/tps: 812\.40/)).toBeVisible();
  });

  test('export pages until the cursor is null and names the file', async () => {
    const pages = [
      { bytes: new TextEncoder().encode('a\n'), cursor: '1' },
      { bytes: new TextEncoder().encode('b\n'), cursor: '2' },
      { bytes: new TextEncoder().encode('c\n'), cursor: null },
    ];
    const { user, calls, saved } = renderScreen('/runs/run-a', [demoRun()], {
      answers: {
        'run.export': ({ cursor }) => ({
          fileName: 'run-a.csv',
          done: Number(cursor ?? 0) + 1,
          total: 3,
          ...pages[Number(cursor ?? 0)]!,
        }),
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Export' }));
    await user.click(await screen.findByRole('menuitem', { name: 'CSV, every sample' }));
    expect(await screen.findByText('Written: run-a.csv')).toBeVisible();
    expect(saved).toEqual([{ name: 'run-a.csv', text: 'a\nb\nc\n' }]);
    expect(only(calls, 'run.export').map((i) => (i as { cursor: string | null }).cursor)).toEqual([
      null,
      '1',
      '2',
    ]);
  });

  test('a cancelled export says that the file is incomplete', async () => {
    const { user } = renderScreen('/runs/run-a', [demoRun()], {
      answers: {
        'run.export': ({ cursor }, signal) =>
          cursor === null
            ? { fileName: 'x.json', bytes: new Uint8Array(), cursor: '1', done: 1, total: 2 }
            : new Promise((_, reject) => {
                signal.addEventListener('abort', () =>
                  reject(new DOMException('stop', 'AbortError')),
                );
              }),
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Export' }));
    await user.click(await screen.findByRole('menuitem', { name: 'JSON, every sample' }));
    await waitFor(() =>
      expect(
        screen.getByRole('progressbar', { name: 'Export JSON, every sample' }),
      ).toHaveAttribute('aria-valuenow', '50'),
    );
    await user.click(screen.getByRole('button', { name: 'Cancel export' }));
    expect(await screen.findByText('Export cancelled. No file was kept.')).toBeVisible();
  });

  test('a bundle shows what leaves before it is written; redaction is the default', async () => {
    const { user, calls, saved } = renderScreen('/runs/run-a', [demoRun()], {
      answers: {
        'bundle.preview': ({ redact }) => ({
          parts: [{ name: 'run.json', holds: 'Plan as run', bytes: 1_234 }],
          replacements: redact
            ? [{ kind: 'host', from: 'esx1.acme.example', to: 'redacted-host-1', count: 7 }]
            : [],
          doubts: redact
            ? [
                { text: 'zebra', to: 'redacted-word-1', count: 2, why: 'unknown' as const },
                { text: 'Sybase', to: 'redacted-word-2', count: 1, why: 'unknown' as const },
              ]
            : [],
        }),
        'bundle.export': ({ cursor }) => ({
          fileName: 'run-a.tilebench',
          bytes: new TextEncoder().encode(cursor === null ? 'one' : 'two'),
          cursor: cursor === null ? 'k:3' : null,
          done: cursor === null ? 3 : 6,
          total: 6,
        }),
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Export' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Bundle…' }));
    expect(
      await screen.findByRole('row', { name: 'host esx1.acme.example redacted-host-1 7' }),
    ).toBeVisible();
    // Nothing leaves before a person has looked at the words that are in no list.
    const write = screen.getByRole('button', { name: 'Write redacted bundle' });
    expect(write).toBeDisabled();
    await user.click(screen.getByRole('checkbox', { name: 'Keep Sybase' }));
    await user.click(
      screen.getByRole('checkbox', { name: 'Looked at: these 2 words leave as shown' }),
    );
    await user.click(write);
    expect(await screen.findByText('Written: run-a.tilebench')).toBeVisible();
    expect(saved).toEqual([{ name: 'run-a.tilebench', text: 'onetwo' }]);
    expect(only(calls, 'bundle.export')).toEqual([
      {
        id: 'run-a',
        redact: true,
        cursor: null,
        keep: ['Sybase'],
        confirmed: ['zebra', 'Sybase'],
      },
      { id: 'run-a', redact: true, cursor: 'k:3', keep: [], confirmed: [] },
    ]);
  });

  test('a run that came in a file cannot be run again: its plan is not here', async () => {
    const run = demoRun();
    run.record.imported = {
      fileName: 'run.tilebench',
      sha256: 'a'.repeat(64),
      format: 'Bundle',
      complete: true,
      redacted: false,
      atMs: 0,
    };
    const { user } = renderScreen('/runs/run-a', [run]);
    await user.click(await screen.findByRole('button', { name: 'More actions' }));
    expect(await screen.findByRole('menuitem', { name: 'Replay' })).toBeVisible();
    expect(screen.queryByRole('button', { name: /Run again/ })).toBeNull();
  });

  test('run again checks the plan first and starts what was checked, under a name of its own', async () => {
    const { user, calls, path } = renderScreen('/runs/run-a', [demoRun()], {
      answers: {
        'plan.check': ({ id }) => ({ planId: id, hash: 'h1', atMs: 0, ready: true, findings: [] }),
        'run.start': () => ({ runId: 'run-z' }),
        ...nowAnswers(demoRun().record),
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Run again…' }));
    const sheet = await screen.findByRole('dialog', { name: 'Run again: Two tiles' });
    expect(await within(sheet).findByText('Same as Baseline, 2 tiles.')).toBeVisible();
    expect(only(calls, 'run.start')).toEqual([]);
    await user.click(within(sheet).getByRole('button', { name: 'Check and launch' }));
    await waitFor(() => expect(path()).toBe('/runs/run-z'));
    expect(only(calls, 'run.start')).toEqual([{ planId: 'plan-1', checkedHash: 'h1' }]);
  });

  test('run again shows what is not as it was before anything starts', async () => {
    const { record } = demoRun();
    const { user } = renderScreen('/runs/run-a', [demoRun()], {
      answers: nowAnswers({
        ...record,
        plan: { ...record.plan, tiles: 1, overrides: { database: { threads: 16 } } },
      }),
    });
    await user.click(await screen.findByRole('button', { name: 'Run again…' }));
    const differs = await screen.findByRole('table', { name: 'What differs' });
    expect(
      within(differs)
        .getAllByRole('row')
        .slice(1)
        .map((row) => row.textContent),
    ).toEqual(['Tiles21', 'Database threads816']);
  });

  test('run again names what blocks and starts nothing', async () => {
    const { user, calls } = renderScreen('/runs/run-a', [demoRun()], {
      answers: {
        'plan.check': ({ id }) => ({
          planId: id,
          hash: 'h1',
          atMs: 0,
          ready: false,
          findings: [
            {
              id: 'ssh',
              severity: 'block',
              title: 'client-2',
              evidence: 'port 22 refused.',
              fix: 'Start sshd.',
            },
          ],
        }),
        ...nowAnswers(demoRun().record),
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Run again…' }));
    await user.click(await screen.findByRole('button', { name: 'Check and launch' }));
    expect(await screen.findByText('client-2: port 22 refused. Start sshd.')).toBeVisible();
    expect(only(calls, 'run.start')).toEqual([]);
  });
});

describe('states of the page', () => {
  test('a run that is gone: what, and what to do', async () => {
    renderScreen('/runs/nobody', [demoRun()]);
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'The run cannot be shownThe run nobody does not exist.Refresh the history.Try again',
    );
  });
  test('loading is announced', () => {
    renderScreen('/runs/run-a', [demoRun()], {
      answers: { 'run.overview': () => new Promise(() => undefined) },
    });
    expect(screen.getByRole('status', { name: 'Loading run' })).toBeInTheDocument();
  });
  test('runs: none yet, the active one with its progress, the last ones', async () => {
    renderScreen('/runs', [demoRun({ id: 'live', name: 'Night run', state: 'steady' }), demoRun()]);
    expect(await screen.findByText('1:50 left')).toBeVisible();
    // Each run stands there once, the one that goes on too.
    const grid = within(await screen.findByRole('grid', { name: 'Runs and studies' }));
    expect(screen.getAllByRole('link', { name: 'Night run' })).toEqual([
      grid.getByRole('link', { name: 'Night run' }),
    ]);
    expect(grid.getByRole('progressbar', { name: 'Progress of the run' })).toBeInTheDocument();
    expect(grid.getByRole('link', { name: 'Night run' })).toHaveAttribute('href', '/runs/live');
    expect(grid.getByRole('link', { name: 'Baseline, 2 tiles' })).toHaveAttribute(
      'href',
      '/runs/run-a',
    );
  });
  test('no runs at all', async () => {
    renderScreen('/runs', []);
    expect(await screen.findByText(/^No runs yet/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Choose a plan' })).toBeVisible();
  });
});
