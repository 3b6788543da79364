import { IconAlertTriangle, IconInfoCircle, IconPlugX } from '@tabler/icons-react';

import { counted } from '../../../core/base/counted.ts';
import type { RunFinding, RunOverview } from '../../../core/run/run.ts';
import { EarlyWarnings } from './EarlyWarnings.tsx';
import type { Board } from './useBoard.ts';

/** What asks for attention on the board: lost tiles, limits that will be missed, findings. */
export function Alerts({ board, overview }: { board: Board; overview: RunOverview }) {
  const found = overview.findings.filter(({ severity }) => severity !== 'info');
  const findings = [...found].sort((a, b) => rank(a) - rank(b));
  const lost = lostTiles(overview);
  return (
    <>
      {lost !== null && (
        <p data-tone="bad" role="alert">
          <IconPlugX size={16} aria-hidden />
          <span>
            <strong>{`${lost.tiles} LOST`}</strong>
            {`: no sample of ${lost.workloads} arrives`}
          </span>
        </p>
      )}
      {board.isLive && <EarlyWarnings warnings={board.warnings} />}
      {findings.map((finding) => (
        <p
          key={`${finding.id}@${finding.tMs}`}
          data-tone={toneOf(finding)}
          title={`${finding.text} ${finding.fix ?? ''}`.trim()}
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

/** What stops a run stands before what does not. */
const rank = ({ severity }: RunFinding): number => (severity === 'block' ? 0 : 1);

/** Tiles of which a workload is lost, and how many workloads are; null = none is. */
function lostTiles({
  workloads,
}: Pick<RunOverview, 'workloads'>): { tiles: string; workloads: string } | null {
  const lost = workloads.filter(({ state }) => state === 'lost');
  if (lost.length === 0) return null;
  const tiles = [...new Set(lost.map(({ tile }) => String(tile + 1)))];
  return {
    tiles: `${tiles.length === 1 ? 'Tile' : 'Tiles'} ${tiles.join(', ')}`,
    workloads: counted(lost.length, 'workload'),
  };
}
