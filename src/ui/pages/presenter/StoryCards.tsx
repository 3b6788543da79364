import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';

import { counted } from '../../../core/base/counted.ts';
import { toAppError } from '../../../core/base/errors.ts';
import type { StudySummary } from '../../../core/study/study.ts';
import { storyPath } from '../../addresses/presentTarget.ts';
import { useGalleryListQuery, useStudyListQuery, useStudyOverviewQuery } from '../../engine/api.ts';
import { useSendCommand } from '../../engine/sendCommand.ts';
import { useClient, useSimulated, useWorkspace } from '../../engine/services.ts';
import { prepareStory, type Preparing, studiesOf } from './prepareStory.ts';
import styles from './presentList.module.css';
import { stories, type Story } from './stories.ts';
import { pause } from './storyEffects.ts';

/** The stories as cards: a still picture, how long each is, and what of it is computed ahead. */
export function StoryCards() {
  const simulated = useSimulated();
  const { data: gallery = [] } = useGalleryListQuery({}, { skip: !simulated });
  const { data: studies = [] } = useStudyListQuery({}, { skip: !simulated });
  const [busy, setBusy] = useState(false);
  return (
    <ul className={styles.cards}>
      {stories.map((story) => (
        <Card
          key={story.id}
          story={story}
          busy={busy}
          onBusy={setBusy}
          studies={studiesOf(story).map((id) => {
            const studyId = gallery.find((item) => item.id === id)?.studyId;
            return studies.find((study) => study.id === studyId) ?? null;
          })}
        />
      ))}
    </ul>
  );
}

/** Half a minute a step, as a sentence, its numbers and a curve are looked at. */
const stepMinutes = 0.5;

function Card({
  story,
  studies,
  busy,
  onBusy,
}: {
  story: Story;
  /** Of each study, in order; null = it was never run. */
  studies: readonly (StudySummary | null)[];
  /** A story is being prepared. */ busy: boolean;
  onBusy: (busy: boolean) => void;
}) {
  const workspace = useWorkspace();
  const simulated = useSimulated();
  const { now, error, prepare } = usePrepare(story, onBusy);
  const ready = studies.filter((study) => study?.state === 'done').length;
  const minutes = Math.max(1, Math.round(story.steps.length * stepMinutes));
  return (
    <li className={styles.card}>
      <Link
        to={storyPath(story.id)}
        onClick={(event) => {
          if (!simulated) {
            event.preventDefault();
            workspace.open('simulated', storyPath(story.id));
          }
        }}
      >
        <Still study={studies[0] ?? null} />
        {story.title}
        <small>{`${story.about}${simulated ? '' : ' Opens the demo lab.'}`}</small>
        <small>{`${counted(story.steps.length, 'step')}, about ${minutes} min`}</small>
      </Link>
      {simulated && (
        <div className={styles.prepare}>
          <span role="status">{error ?? stateWords(now, ready, studies.length)}</span>
          {ready < studies.length && (
            <button
              type="button"
              disabled={busy}
              aria-label={`Prepare ${story.title}`}
              onClick={prepare}
            >
              Prepare
            </button>
          )}
        </div>
      )}
    </li>
  );
}

function stateWords(now: Preparing | null, ready: number, studies: number): string {
  if (now?.points != null)
    return (
      `Preparing study ${now.done + 1} of ${now.studies}: ${now.points.done} of ` +
      counted(now.points.total, 'point')
    );
  if (ready === studies) return 'Prepared: nothing waits in the room';
  return ready === 0
    ? 'Not prepared'
    : `${ready} of ${counted(studies, 'study', 'studies')} prepared`;
}

/** Computes a story ahead for as long as this page is open; the study in progress goes on after it. */
function usePrepare(
  story: Story,
  onBusy: (busy: boolean) => void,
): { now: Preparing | null; error: string | null; prepare: () => void } {
  const client = useClient();
  const send = useSendCommand();
  const [now, setNow] = useState<Preparing | null>(null);
  const [error, setError] = useState<string | null>(null);
  const leaving = useRef<AbortController | null>(null);
  useEffect(() => () => leaving.current?.abort(), []);
  const prepare = (): void => {
    const abort = new AbortController();
    leaving.current = abort;
    setError(null);
    onBusy(true);
    prepareStory({ client, send }, story, { tell: setNow, waitMs: pause, signal: abort.signal })
      .catch((thrown: unknown) => {
        const { message, hint } = toAppError(thrown);
        if (!abort.signal.aborted) setError([message, hint].filter(Boolean).join(' '));
      })
      .finally(() => {
        if (abort.signal.aborted) return;
        setNow(null);
        onBusy(false);
      });
  };
  return { now, error, prepare };
}

const width = 240;
const height = 96;

/** The first curve of a story as it was computed; empty racks where nothing was yet. */
function Still({ study }: { study: StudySummary | null }) {
  const { currentData } = useStudyOverviewQuery(
    { id: study?.id ?? '' },
    { skip: study === null || study.done === 0 },
  );
  const spec = currentData?.spec;
  const measure = spec?.charts[0]?.measure;
  const axis = spec?.axes[0]?.name;
  const second = spec?.axes[1];
  const shown = (currentData?.points ?? []).flatMap((point) => {
    const y = measure === undefined ? undefined : point.measures[measure];
    const x = axis === undefined ? Number.NaN : Number(point.values[axis]);
    const first = second === undefined || point.values[second.name] === second.values[0];
    return first && typeof y === 'number' && Number.isFinite(x) ? [{ x, y }] : [];
  });
  const mostX = Math.max(1, ...shown.map(({ x }) => x));
  const mostY = Math.max(Number.MIN_VALUE, ...shown.map(({ y }) => y));
  const at = [...shown]
    .sort((a, b) => a.x - b.x)
    .map(({ x, y }) => [8 + (x / mostX) * (width - 16), height - 8 - (y / mostY) * (height - 20)]);
  return (
    <svg className={styles.still} viewBox={`0 0 ${width} ${height}`} aria-hidden>
      {at.length > 1 ? (
        <>
          <polyline points={at.map((one) => one.join(',')).join(' ')} />
          {at.map(([x, y]) => (
            <circle key={x} cx={x} cy={y} r={3.5} />
          ))}
        </>
      ) : (
        [0, 1, 2, 3].map((rack) => (
          <rect key={rack} x={20 + rack * 54} y={14} width={38} height={68} rx={4} />
        ))
      )}
    </svg>
  );
}
