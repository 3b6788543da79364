import { IconAlertTriangle, IconInfoCircle, IconPlugX } from '@tabler/icons-react';

import { counted } from '../../../core/base/counted.ts';
import type { RunFinding, RunOverview } from '../../../core/run/run.ts';
import { EarlyWarnings } from './EarlyWarnings.tsx';
import type { Board } from './useBoard.ts';

/** What asks for attention on the board: lost tiles, limits that will be missed, findings. */
export function Alerts({ board, overview }: { board: Board; overview: RunOverview }) {
  const findings = overview.findings.filter(({ severity }) => severity !== 'info');
  return (
    <>
      {lostTiles(overview).map(({ tile, names }) => (
        <p key={tile} data-tone="bad" role="alert">
          <IconPlugX size={16} aria-hidden />
          <span>
            <strong>{`Tile ${tile + 1} LOST`}</strong>
            {`: no sample of ${names} arrives`}
          </span>
        </p>
      ))}
      {board.isLive && <EarlyWarnings warnings={board.warnings} />}
      {findings.map((finding) => (
        <p
          key={`${finding.id}@${finding.tMs}`}
          data-tone={toneOf(finding)}
          title={finding.fix ?? ''}
        >
          {finding.severity === 'block' ? (
            <IconAlertTriangle size={16} aria-hidden />
          ) : (
            <IconInfoCircle size={16} aria-hidden />
          )}
          <span>{finding.text}</span>
        </p>
      ))}
    </>
  );
}

const toneOf = ({ severity }: RunFinding): 'bad' | 'warn' =>
  severity === 'block' ? 'bad' : 'warn';

/** Tiles of which a workload is lost, with what of them is. */
function lostTiles({
  workloads,
}: Pick<RunOverview, 'workloads'>): { tile: number; names: string }[] {
  const lost = new Map<number, number>();
  for (const { tile, state } of workloads)
    if (state === 'lost') lost.set(tile, (lost.get(tile) ?? 0) + 1);
  return [...lost].map(([tile, count]) => ({ tile, names: counted(count, 'workload') }));
}
