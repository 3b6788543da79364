import { formatElapsed, formatExact, noValue } from '../base/format.ts';
import { neutralColor, seriesColors } from '../chart/palette.ts';
import {
  noFigure,
  type StageFigure,
  stageHosts,
  stagePlaces,
  stageScene,
} from '../chart/stage/scene.ts';
import { placementAt } from '../chart/stage/slots.ts';
import { shortNames, stageSummary } from '../chart/stage/words.ts';
import { gapLimitMs } from '../metric/gap.ts';
import { isPowerOf, type SeriesData, type SeriesDef } from '../metric/metric.ts';
import { overviewAt } from '../run/replay.ts';
import type { RunRecord } from '../run/run.ts';
import { steadyWindow } from '../run/windows.ts';
import type { ReportStage } from './model.ts';

type Read = (seriesId: number) => Pick<SeriesData, 'tMs' | 'value'>;

/**
 * Where the VMs of a run stood at the end of its steady state; null where there is one host, no
 * steady state, or nothing known of where VMs ran.
 */
export function stageStill({ overview, profile }: RunRecord, read: Read): ReportStage | null {
  const steady = steadyWindow(overview);
  const { series } = overview;
  if (steady === null || overview.placement === undefined || stageHosts(overview).length < 2)
    return null;
  const atMs = steady.endMs - 1;
  const placement = placementAt(overview.placement, atMs);
  const then = overviewAt({ overview }, atMs);
  const figure = (def: SeriesDef | undefined): StageFigure =>
    def === undefined ? noFigure : { value: valueAt(read(def.id), def, atMs), staleMs: 0 };
  const scene = stageScene(
    stagePlaces({ ...overview, placement }, profile),
    then.workloads,
    {
      of: (host) => ({
        cpuPct: figure(
          series.find(
            ({ metric, entity }) =>
              metric === 'cpuPct' && entity.kind === 'host' && entity.id === host.ref,
          ),
        ),
        watts: figure(
          series.find(({ metric, entity }) => metric === 'powerW' && isPowerOf(entity, host)),
        ),
      }),
      power: { watts: null, known: 0, meters: 0 },
    },
    atMs,
  );
  if (!scene.placed) return null;
  const names = shortNames(scene.hosts.map(({ name }) => name));
  const text = ({ value }: StageFigure, unit: string): string =>
    value === null ? `${noValue} ${unit}` : `${formatExact(value, 0)} ${unit}`;
  const originMs = overview.startedAtMs ?? overview.createdAtMs;
  return {
    title: `Hosts and their VMs at the end of the steady state, ${formatElapsed(steady.endMs - originMs)}`,
    racks: scene.hosts.map((host, at) => ({
      label: names[at]!,
      cpuPct: host.cpuPct.value,
      cpu: `${text(host.cpuPct, '%')} CPU`,
      watts: text(host.watts, 'W'),
      vms: host.vms,
    })),
    capacity: scene.capacity,
    blocks: scene.vms.flatMap(({ host, slot, role, state }) =>
      host === null
        ? []
        : [
            {
              host,
              slot,
              letter: state === 'lost' ? '×' : scene.roles[role]!.letter,
              color: colorOf(scene.roles[role]!.ordinal),
              pale: state !== 'load',
            },
          ],
    ),
    roles: [
      ...scene.roles.flatMap(({ name, letter, ordinal }, role) => {
        const count = scene.vms.filter((vm) => vm.role === role).length;
        return count === 0 ? [] : [{ label: `${name} ${count}`, letter, color: colorOf(ordinal) }];
      }),
      // As beside the picture on screen: a sign that nobody explains is no figure.
      ...(scene.vms.some(({ state }) => state === 'lost')
        ? [{ label: 'lost', letter: '×', color: neutralColor }]
        : []),
    ],
    summary: stageSummary(scene),
  };
}

const colorOf = (ordinal: number): string => seriesColors[ordinal % seriesColors.length]!;

/** The last value at or before a moment, unless the moment lies in a gap. */
function valueAt(
  { tMs, value }: Pick<SeriesData, 'tMs' | 'value'>,
  { periodMs }: SeriesDef,
  atMs: number,
): number | null {
  const at = tMs.findLastIndex((t) => t <= atMs);
  const stepMs = tMs.length < 2 ? 0 : (tMs.at(-1)! - tMs[0]!) / (tMs.length - 1);
  return at < 0 || atMs - tMs[at]! > gapLimitMs(Math.max(periodMs, stepMs)) ? null : value[at]!;
}
