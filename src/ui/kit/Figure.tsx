import { Text, type TextProps } from '@mantine/core';

import { formatExact, formatQuantity } from '../../core/base/format.ts';
import { raw } from './raw.ts';
import { dim } from './tones.ts';

interface Props extends TextProps {
  value: number | null;
  unit?: string;
  /** Decimals of the exact value on hover; 0 = a count, which has none in view either. */ decimals?: number;
  /** `fixed` keeps these decimals in view too: for scores and tables. */ fixed?: boolean;
}

/**
 * A number with its unit: three figures in view, exact on hover, unrounded in a copy of its table.
 * null is an en dash that says "not measured".
 */
export function Figure({ value, unit = '', decimals = 3, fixed = false, ...text }: Props) {
  const exact = value === null ? 'not measured' : `${formatExact(value, decimals)} ${unit}`.trim();
  const shown =
    value === null
      ? { figure: '–', unit: '' }
      : fixed || (decimals === 0 && Math.abs(value) < 1_000)
        ? { figure: formatExact(value, decimals), unit }
        : formatQuantity(value, unit);
  return (
    <Text
      span
      inherit
      title={exact}
      {...raw(value, unit)}
      style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}
      {...text}
    >
      {shown.figure}
      {shown.unit !== '' && <Text span inherit c={dim}>{` ${shown.unit}`}</Text>}
    </Text>
  );
}
