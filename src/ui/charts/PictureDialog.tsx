import { Button, Group, Select, Stack, useComputedColorScheme } from '@mantine/core';
import { useMemo, useState } from 'react';

import type { ReportChart } from '../../core/report/model.ts';
import { chartTexts, redactChart } from '../../core/report/redactReport.ts';
import { chartSvg, darkSvg, lightSvg } from '../../core/report/svg.ts';
import { Dialog } from '../kit/Dialog.tsx';
import { NumberField } from '../kit/NumberField.tsx';
import styles from './charts.module.css';
import { fileNameOf } from './fileName.ts';
import { savePicture } from './savePicture.ts';
import { useLeaving } from './useLeaving.tsx';

interface Props {
  chart: ReportChart;
  mark: string | null;
  onClose: () => void;
  onSaid: (text: string) => void;
}

/**
 * A chart as a file: format, size and theme by choice, with a preview of exactly what will be
 * saved.
 */
export function PictureDialog({ chart: shown, mark, onClose, onSaid }: Props) {
  const [format, setFormat] = useState<'svg' | 'png'>('svg');
  const [size, setSize] = useState({ width: 1_000, height: 360 });
  const [theme, setTheme] = useState<'light' | 'dark'>(useComputedColorScheme());
  const texts = useMemo(() => chartTexts(shown), [shown]);
  const { text, ready, controls } = useLeaving(texts);
  const chart = useMemo(() => redactChart(shown, text), [shown, text]);
  const fileName = fileNameOf(chart.title, mark);
  const svg = useMemo(
    () => chartSvg(chart, { ...size, theme: theme === 'dark' ? darkSvg : lightSvg, mark }),
    [chart, size, theme, mark],
  );
  const preview = useMemo(
    () => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`,
    [svg],
  );
  const number = (label: string, key: 'width' | 'height', max: number) => (
    <NumberField
      label={label}
      within={[200, max]}
      step={20}
      allowDecimal={false}
      w={130}
      value={size[key]}
      onChange={(value) => setSize({ ...size, [key]: value })}
    />
  );
  const save = (): void => {
    savePicture(svg, format, `${fileName}.${format}`).then(
      () => {
        onSaid(`${fileName}.${format} saved.`);
        onClose();
      },
      (thrown: unknown) => {
        onSaid(
          `The picture was not saved: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
        );
      },
    );
  };
  return (
    <Dialog onClose={onClose} title={`Picture of ${shown.title}`} size="xl">
      <Stack gap="sm">
        <Group gap="sm" align="flex-end">
          <Select
            label="Format"
            w={110}
            allowDeselect={false}
            data={[
              { value: 'svg', label: 'SVG' },
              { value: 'png', label: 'PNG' },
            ]}
            value={format}
            onChange={(value) => setFormat(value === 'png' ? 'png' : 'svg')}
          />
          {number('Width (px)', 'width', 8_000)}
          {number('Height (px)', 'height', 4_000)}
          <Select
            label="Theme"
            w={110}
            allowDeselect={false}
            data={[
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
            ]}
            value={theme}
            onChange={(value) => setTheme(value === 'dark' ? 'dark' : 'light')}
          />
          <Button disabled={!ready} onClick={save}>{`Save ${format.toUpperCase()}`}</Button>
        </Group>
        {controls}
        <img className={styles.preview} src={preview} alt={chart.summary} />
      </Stack>
    </Dialog>
  );
}
