import {
  type KeyboardEvent,
  memo,
  type PointerEvent,
  type ReactNode,
  useId,
  useState,
} from 'react';

import { stageHeight } from '../../../core/chart/stage/layout.ts';
import type { StageScene } from '../../../core/chart/stage/scene.ts';
import { stageSummary } from '../../../core/chart/stage/words.ts';
import { ChartMenu } from '../ChartMenu.tsx';
import styles from './stage.module.css';
import { placeByKey, placeWords, type StagePlace } from './stageKeys.ts';
import { StageLegend } from './StageLegend.tsx';
import { StageTable } from './StageTable.tsx';
import { useStageCanvas } from './useStageCanvas.ts';

/** A figure over all, in the head of the stage. */
export interface StageFact {
  label: string;
  text: string;
  bad?: boolean;
}
export interface StageProps {
  scene: StageScene;
  facts?: readonly StageFact[];
  /** VMs of other tiles are faded. */
  tile?: number | null;
  /** Height of one row of racks in px; `fill` takes what there is. */
  height: number | 'fill';
  /** For a room: no menu, no keys, larger by the page's zoom. */
  plain?: boolean;
  /** Below the racks: a slider through time. */
  children?: ReactNode;
}

const title = 'Hosts and their VMs';

/**
 * Hosts as racks with their VMs as blocks: colour and letter say the workload, the fill of a rack
 * its host's CPU, watts stand below. A VM that is moved slides over.
 */
export const Stage = memo(function Stage({
  scene,
  facts = [],
  tile = null,
  height,
  plain = false,
  children,
}: StageProps) {
  const [table, setTable] = useState(false);
  return (
    <section className={styles.stage} aria-label={title} data-fill={height === 'fill' || undefined}>
      <div className={styles.head}>
        <h3 className={styles.title}>{title}</h3>
        <dl className={styles.facts}>
          {facts.map(({ label, text, bad }) => (
            <div key={label} data-bad={bad || undefined}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        {!plain && (
          <ChartMenu
            title={title}
            actions={[
              {
                id: 'table',
                label: table ? 'Hide table' : 'Table',
                run: () => {
                  setTable(!table);
                },
              },
            ]}
          />
        )}
      </div>
      <Racks scene={scene} tile={tile} height={height} plain={plain} />
      {children}
      {table && <StageTable scene={scene} />}
    </section>
  );
});

function Racks({
  scene,
  tile,
  height,
  plain,
}: Pick<StageProps, 'scene' | 'height'> & { tile: number | null; plain: boolean }) {
  const { box, standing, moving, controller, width } = useStageCanvas(scene, tile);
  const [current, setCurrent] = useState<(StagePlace & { keyboard: boolean }) | null>(null);
  const summaryId = useId();
  const show = (place: StagePlace | null, keyboard: boolean): void => {
    if (place?.host === current?.host && place?.vm === current?.vm) return;
    controller.setCurrent(place);
    setCurrent(place === null ? null : { ...place, keyboard });
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    const at = event.currentTarget.getBoundingClientRect();
    const zoom = at.width / (event.currentTarget.clientWidth || at.width);
    show(
      controller.placeAt((event.clientX - at.left) / zoom, (event.clientY - at.top) / zoom),
      false,
    );
  };
  const clear = (): void => {
    show(null, false);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      clear();
      return;
    }
    const next = placeByKey(scene, current, event.key);
    if (next === undefined) return;
    event.preventDefault();
    show(next, true);
  };
  const size =
    height === 'fill'
      ? undefined
      : { height: stageHeight(scene.hosts.length, width || 960, height) };
  return (
    <>
      <div
        ref={box}
        className={styles.racks}
        style={size}
        role="group"
        aria-label={plain ? title : `${title}; arrow keys walk hosts and VMs`}
        aria-describedby={summaryId}
        {...(plain
          ? {}
          : { tabIndex: 0, onPointerMove, onPointerLeave: clear, onKeyDown, onBlur: clear })}
      >
        <canvas ref={standing} className={styles.canvas} aria-hidden="true" />
        <canvas ref={moving} className={styles.canvas} aria-hidden="true" />
      </div>
      <div className={styles.foot}>
        {!plain && current !== null ? (
          <p className={styles.readout} aria-live={current.keyboard ? 'polite' : 'off'}>
            {placeWords(scene, current)}
          </p>
        ) : (
          <StageLegend scene={scene} />
        )}
      </div>
      <p className={styles.hidden} id={summaryId}>
        {stageSummary(scene)}
      </p>
    </>
  );
}
