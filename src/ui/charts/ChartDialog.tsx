import { useMemo } from 'react';

import { Dialog } from '../kit/Dialog.tsx';
import styles from './charts.module.css';
import { ChartTable } from './ChartTable.tsx';
import { summaryText, tableTsv } from './chartText.ts';
import type { ChartController } from './controller.ts';
import { fileNameOf } from './fileName.ts';
import type { ChartGroup } from './group.ts';
import { LeavingDialog } from './LeavingDialog.tsx';
import { pictureChart } from './pictureChart.ts';
import { PictureDialog } from './PictureDialog.tsx';
import { chartPicture, leavingChart, pictureTexts, savePng } from './png.ts';
import { readTheme } from './theme.ts';
import type { ChartParts } from './useChart.ts';
import type { ChartInput } from './view.ts';

export interface ChartDialogProps {
  kind: 'table' | 'summary' | 'picture' | 'png';
  title: string;
  unit: string;
  mark: string | null;
  input: ChartInput;
  group: ChartGroup;
  parts: ChartParts;
  onSaid: (text: string) => void;
  onClose: () => void;
}

/** What the menu of a chart over time opens: its rows, its words, a picture of it. */
export function ChartDialog(props: ChartDialogProps) {
  const { kind, title, unit, mark, input, parts, onSaid, onClose } = props;
  const { x } = parts.controller.axes();
  const marked = mark === null ? title : `${title}, ${mark}`;
  if (kind === 'table')
    return (
      <Dialog onClose={onClose} title={`${marked}, ${unit}`} size="95%">
        <ChartTable title={title} input={input} x={x} />
      </Dialog>
    );
  if (kind === 'png') return <PngDialog {...props} />;
  if (kind === 'picture')
    return (
      <PictureDialog
        chart={pictureChart(title, unit, input, x)}
        mark={mark}
        onClose={onClose}
        onSaid={onSaid}
      />
    );
  return (
    <Dialog onClose={onClose} title={`${marked}: text summary`} size="lg">
      {summaryText(marked, unit, input, x).map((line) => (
        <p key={line} className={styles.note}>
          {line}
        </p>
      ))}
    </Dialog>
  );
}

function PngDialog(props: ChartDialogProps) {
  const { title, unit, mark, input, group, parts, onSaid, onClose } = props;
  const texts = useMemo(() => pictureTexts(title, input), [title, input]);
  const save = (leaving: (text: string) => string): void => {
    const { root } = parts.surface.nodes();
    if (root === null) return;
    const name = leaving(title);
    const picture = chartPicture(
      mark === null ? name : `${name}, ${mark}`,
      unit,
      leavingChart(parts.controller.input(), leaving),
      group.get(),
      parts.controller.axes(),
      readTheme(root),
      parts.size,
    );
    savePng(picture, `${fileNameOf(name, mark)}.png`).catch((thrown: unknown) => {
      onSaid(`The picture was not saved: ${String(thrown)}`);
    });
  };
  return (
    <LeavingDialog
      title={`PNG of ${title}`}
      verb="Save PNG"
      texts={texts}
      onClose={onClose}
      onWrite={save}
    />
  );
}

/** Puts the rows of what is shown on the clipboard and says how many, or why not. */
export function copyRows(
  controller: ChartController,
  title: string,
  mark: string | null,
  say: (text: string) => void,
): void {
  const text = tableTsv(controller.input(), controller.axes().x, mark);
  navigator.clipboard.writeText(text).then(
    () => say(`${text.split('\n').length - 1} rows of ${title} copied.`),
    (thrown: unknown) => say(`Copy failed: ${String(thrown)}. The table shows the same rows.`),
  );
}
