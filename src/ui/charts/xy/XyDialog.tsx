import { type RefObject, useMemo } from 'react';

import type { XyInput } from '../../../core/chart/xyModel.ts';
import { CopyTable } from '../../kit/CopyTable.tsx';
import { Dialog } from '../../kit/Dialog.tsx';
import copyStyles from '../../kit/table.module.css';
import frame from '../charts.module.css';
import { fileNameOf } from '../fileName.ts';
import { LeavingDialog } from '../LeavingDialog.tsx';
import { savePng } from '../png.ts';
import { readTheme } from '../theme.ts';
import styles from './xy.module.css';
import { inputTexts, leavingInput } from './xyLeaving.ts';
import { xyPicture } from './xyPicture.ts';
import { xyCsv, xySummary, xyTable, type XyText } from './xyText.ts';

export interface XyDialogProps {
  kind: 'table' | 'summary' | 'csv' | 'png';
  text: XyText;
  /** What the chart shows, zoomed to a part of its axis or not. */
  input: XyInput;
  /** The chart itself: its picture has its theme and its size, px. */
  root: RefObject<HTMLElement | null>;
  size: { width: number; height: number };
  /** Saves a file; the desktop's way. */
  onSave: (fileName: string, text: string) => void;
  onSaid: (text: string) => void;
  onClose: () => void;
}

/** What the menu of a chart over a parameter opens: its rows, its words, a file of it. */
export function XyDialog(props: XyDialogProps) {
  const { kind, text, input, onClose } = props;
  if (kind === 'table') return <TableDialog text={text} input={input} onClose={onClose} />;
  if (kind === 'summary')
    return (
      <Dialog onClose={onClose} title={`${text.title}: text summary`} size="lg">
        {xySummary(text, input).map((line) => (
          <p key={line} className={frame.note}>
            {line}
          </p>
        ))}
      </Dialog>
    );
  return <FileDialog {...props} kind={kind} />;
}

/** Title of a chart with what its figures are not: `SIMULATED`. */
const markedTitle = ({ title, mark }: XyText): string =>
  `${title}${mark === null ? '' : `, ${mark}`}`;

function TableDialog({ text, input, onClose }: Pick<XyDialogProps, 'text' | 'input' | 'onClose'>) {
  const { title, mark } = text;
  const table = xyTable(text, input);
  return (
    <Dialog onClose={onClose} title={markedTitle(text)} size="xl">
      <div className={copyStyles.aside}>
        <div className={copyStyles.bar}>
          <CopyTable
            label={title}
            read={() => ({
              title,
              mark,
              columns: table.head.map((label) => ({ label })),
              rows: table.rows,
            })}
          />
        </div>
        <table className={styles.table} aria-label={title}>
          <thead>
            <tr>
              {table.head.map((h) => (
                <th key={h} scope="col">
                  {h}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map((row) => (
              <tr key={row[0]}>
                {row.map((cell, i) =>
                  i === 0 ? (
                    <th key="x" scope="row">
                      {cell}
                    </th>
                  ) : (
                    <td key={table.head[i]}>{cell}</td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Dialog>
  );
}

function FileDialog({
  kind,
  text,
  input,
  root,
  size,
  onSave,
  onSaid,
  onClose,
}: XyDialogProps & { kind: 'csv' | 'png' }) {
  const { title, xLabel, mark } = text;
  const texts = useMemo(() => [title, xLabel, ...inputTexts(input)], [title, xLabel, input]);
  const write = (leaving: (text: string) => string): void => {
    const out = { ...text, title: leaving(title), xLabel: leaving(xLabel) };
    const shown = leavingInput(input, leaving);
    const fileName = `${fileNameOf(out.title, mark)}.${kind}`;
    if (kind === 'csv') onSave(fileName, xyCsv(xyTable(out, shown)));
    else if (root.current !== null)
      savePng(xyPicture(out, shown, readTheme(root.current), size), fileName).catch(
        (thrown: unknown) => onSaid(`The picture was not saved: ${String(thrown)}`),
      );
  };
  return (
    <LeavingDialog
      title={`${kind.toUpperCase()} of ${title}`}
      verb={`Save ${kind.toUpperCase()}`}
      texts={texts}
      onClose={onClose}
      onWrite={write}
    />
  );
}
