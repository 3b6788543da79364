import { useCallback, useMemo, useState } from 'react';

import { stageHosts } from '../../../core/chart/stage/scene.ts';
import { placementAt } from '../../../core/chart/stage/slots.ts';
import { meanCpuWords, powerWords } from '../../../core/chart/stage/words.ts';
import type { RunOverview, RunRecord } from '../../../core/run/run.ts';
import { steadyWindow } from '../../../core/run/windows.ts';
import type { StudyOverview, StudyPoint } from '../../../core/study/study.ts';
import { Stage, type StageFact } from '../../charts/stage/Stage.tsx';
import { useRunRecord } from '../../engine/runData.ts';
import type { SeriesSource } from '../../engine/series.ts';
import { boardHeadroom, worstHeadroom } from '../live/headroom.ts';
import { useHostSamples } from '../live/useHostSamples.ts';
import { useStageScene } from '../live/useStageScene.ts';
import styles from './presenter.module.css';
import type { RunFilm } from './RunStage.tsx';

/** Several hosts, and it is known where VMs run: a room is shown no empty racks. */
const isForRacks = (overview: Pick<RunOverview, 'placement' | 'series'>): boolean =>
  overview.placement !== undefined && stageHosts(overview).length > 1;

/** The hosts of a run with their VMs; nothing where there is one host. */
export function FilmRacks({ film }: { film: RunFilm }) {
  return isForRacks(film.overview) ? <Racks film={film} /> : null;
}

function Racks({ film: { overview, record, feed, nowMs } }: { film: RunFilm }) {
  const sourceOf = useCallback(
    (id: number, periodMs: number) => feed.source(overview.id, id, periodMs),
    [feed, overview.id],
  );
  const scene = useStageScene({
    overview,
    profile: record.profile,
    sourceOf,
    atMs: nowMs,
    live: true,
  });
  const worst = worstHeadroom(
    boardHeadroom(overview, record.profile, (id) => feed.source(overview.id, id), nowMs()),
    record.profile.workloads.every(({ qos }) => qos.length === 0),
  );
  const facts: StageFact[] = [
    { label: 'CPU of all hosts', text: meanCpuWords(scene) },
    ...(scene.power.meters > 0 ? [{ label: 'Power', text: powerWords(scene.power) }] : []),
    ...(worst.text === '–' ? [] : [{ label: 'Headroom', text: worst.text, bad: worst.bad }]),
  ];
  return (
    <div className={styles.racks}>
      <Stage scene={scene} facts={facts} height="fill" plain />
    </div>
  );
}

/** A point of a study with all that its picture needs. */
interface PointFacts {
  record: RunRecord;
  sourceOf: (seriesId: number) => SeriesSource;
}

/**
 * Record and samples of a point's run. Those of the point before stay until the next are there, so
 * that VMs move from one to the other.
 */
function usePointFacts(runId: string | null): PointFacts | null {
  const asked = useRunRecord(runId ?? '', 'ended', runId === null).data;
  const record = asked !== undefined && asked.overview.id === runId ? asked : null;
  const data = useHostSamples(record?.overview ?? null);
  const [held, setHeld] = useState<PointFacts | null>(null);
  if (record !== null && !data.loading && held?.record !== record) {
    const next = { record, sourceOf: data.sourceOf };
    setHeld(next);
    return next;
  }
  return held;
}

/** Places in a rack for the largest point of a study that sweeps tiles. */
function roomOf({ spec }: StudyOverview, { placement, workloads, series }: RunOverview): number {
  const swept = spec.axes.find((axis) => axis.parameter.kind === 'tiles');
  const tiles = new Set(workloads.map(({ tile }) => tile)).size;
  const hosts = stageHosts({ placement, series }).length;
  if (swept === undefined || tiles === 0 || hosts === 0) return 0;
  const most = Math.max(...swept.values.map(Number).filter(Number.isFinite), tiles);
  return Math.ceil(((placement?.vms.length ?? 0) / tiles / hosts) * most * 1.1);
}

/** The hosts at the end of the steady state of a study's point; nothing where there is one host. */
export function PointRacks({ study, point }: { study: StudyOverview; point: StudyPoint | null }) {
  const facts = usePointFacts(point?.runId ?? null);
  return facts !== null && isForRacks(facts.record.overview) ? (
    <Still study={study} facts={facts} />
  ) : null;
}

function Still({
  study,
  facts: { record, sourceOf },
}: {
  study: StudyOverview;
  facts: PointFacts;
}) {
  const { overview, profile } = record;
  const endMs = (steadyWindow(overview)?.endMs ?? overview.endedAtMs ?? overview.nowMs) - 1;
  const atMs = useCallback(() => endMs, [endMs]);
  // As it stood: at the end of the record every load is over.
  const then = useMemo<RunOverview>(
    () => ({
      ...overview,
      workloads: overview.workloads.map((w) =>
        w.state === 'ended' ? { ...w, state: 'running' } : w,
      ),
      ...(overview.placement === undefined
        ? {}
        : { placement: placementAt(overview.placement, endMs) }),
    }),
    [overview, endMs],
  );
  const scene = useStageScene({
    overview: then,
    profile,
    sourceOf,
    atMs,
    live: false,
    room: roomOf(study, overview),
  });
  const stageFacts: StageFact[] = [
    { label: 'CPU of all hosts', text: meanCpuWords(scene) },
    ...(scene.power.meters > 0 ? [{ label: 'Power', text: powerWords(scene.power) }] : []),
  ];
  return (
    <div className={styles.racks}>
      <Stage scene={scene} facts={stageFacts} height="fill" plain />
    </div>
  );
}
