import { basename } from 'node:path';

import { entityNames } from '../../src/core/run/entityNames.ts';
import { leftBehind } from '../../src/core/run/leftBehind.ts';
import {
  overviewStateWord,
  severityWords,
  workloadStateWords,
} from '../../src/core/run/runWords.ts';
import type { Client } from '../../src/wire/contract.ts';
import { table, type Terminal, timeText } from './output.ts';
import { printScore } from './printScore.ts';
import { openArgument } from './readFile.ts';

export async function showRun(
  client: Client,
  id: string,
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  const record = await client.call('run.record', { id });
  if (json) {
    terminal.out(JSON.stringify(record));
    return;
  }
  const { overview } = record;
  terminal.out(
    `${overview.name} ` +
      `(${overview.id})\n${overview.verdict?.sentence ?? overviewStateWord(overview)}\nstarted ` +
      `${timeText(overview.startedAtMs)}, profile ${record.profile.name} ` +
      `${record.profile.version}, testbed ${record.testbed.name}, ${record.plan.tiles} ` +
      (record.plan.tiles === 1 ? 'tile' : 'tiles'),
  );
  printScore(terminal, overview);
  const names = entityNames(record);
  terminal.out(
    table(
      ['workload', 'VM', 'client', 'state', 'bad lines'],
      overview.workloads.map((w) => [
        names.entity(w.entityId),
        w.vmName,
        names.client(w.clientId),
        workloadStateWords[w.state],
        w.badLines,
      ]),
    ),
  );
  for (const finding of overview.findings)
    terminal.out(`${severityWords[finding.severity]}: ${finding.text}`);
}

/**
 * Tries once more what an ended run could not put back. Gives 4 where something is still left; what
 * it is stands on stdout.
 */
export async function tidyRun(
  client: Client,
  id: string,
  json: boolean,
  terminal: Terminal,
): Promise<number> {
  const left = leftBehind(await client.call('run.tidy', { id }));
  if (json) terminal.out(JSON.stringify({ left }));
  else
    terminal.out(
      left.length === 0
        ? 'All is back.'
        : left
            .map(({ text, fix }) => `Not back: ${text}${fix === undefined ? '' : ` ${fix}`}`)
            .join('\n'),
    );
  return left.length === 0 ? 0 : 4;
}

/**
 * Opens a bundle, or results of another tool: its run lies in the database, read-only. `filter`
 * takes devices of an esxtop file. Throws invalidInput with the reason where it is refused.
 */
export async function openFile(
  client: Client,
  path: string,
  filter: readonly string[],
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  const file = await openArgument(path);
  try {
    const { size } = await file.stat();
    const { buffer: head } = await file.read(new Uint8Array(2), 0, 2, 0);
    // A bundle is a zip archive, whatever its name became on the way.
    const isBundle = head[0] === 0x50 && head[1] === 0x4b;
    let uploadId: string | null = null;
    for (let from = 0; ;) {
      const { buffer, bytesRead } = await file.read(
        new Uint8Array(Math.min(pieceBytes, Math.max(1, size - from))),
        0,
        null,
        from,
      );
      const to: number = from + bytesRead;
      const piece = {
        fileName: basename(path),
        uploadId,
        bytes: buffer.subarray(0, bytesRead),
        last: to >= size,
      };
      const answer: {
        uploadId: string;
        runId: string | null;
        storyId?: string | null;
        leftOut?: readonly string[];
      } = isBundle
        ? await client.call('bundle.import', piece)
        : await client.call('file.import', { ...piece, filter: [...filter] });
      if (answer.storyId != null) {
        terminal.out(
          json
            ? JSON.stringify({ storyId: answer.storyId, leftOut: [] })
            : `Opened as story ${answer.storyId}, with its runs. Present it in the console.`,
        );
        return;
      }
      if (answer.runId !== null) {
        terminal.out(
          json
            ? JSON.stringify({ runId: answer.runId, leftOut: answer.leftOut ?? [] })
            : `Opened as ${answer.runId}. tilebench runs show ${answer.runId}`,
        );
        for (const sentence of answer.leftOut ?? []) terminal.err(sentence);
        return;
      }
      uploadId = answer.uploadId;
      from = to;
    }
  } finally {
    await file.close();
  }
}

const pieceBytes = 1024 * 1024;
