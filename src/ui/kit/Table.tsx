import { Table as Plain, type TableProps } from '@mantine/core';
import { use, useRef } from 'react';

import { CopyTable } from './CopyTable.tsx';
import { ChartMarkContext } from './mark.ts';
import { readTable } from './readTable.ts';
import styles from './table.module.css';

/**
 * Every table of the app: Mantine's, with a copy of it for a spreadsheet or as Markdown. A figure
 * that is shown rounded carries its number as `data-raw` and its unit as `data-unit` (`Figure`
 * does): these are copied. `aria-label` is its title.
 */
function CopiedTable(props: TableProps) {
  const table = useRef<HTMLTableElement>(null);
  const mark = use(ChartMarkContext);
  const label = props['aria-label'] ?? '';
  return (
    <div
      className={styles.box}
      style={props.w === undefined ? undefined : { width: 'fit-content' }}
    >
      <div className={styles.bar}>
        <CopyTable label={label} read={() => readTable(table.current!, label, mark)} />
      </div>
      <Plain ref={table} {...props} />
    </div>
  );
}

export const Table = Object.assign(CopiedTable, {
  Thead: Plain.Thead,
  Tbody: Plain.Tbody,
  Tfoot: Plain.Tfoot,
  Tr: Plain.Tr,
  Th: Plain.Th,
  Td: Plain.Td,
  Caption: Plain.Caption,
  ScrollContainer: Plain.ScrollContainer,
});
