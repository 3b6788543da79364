import { Button, Group, Switch } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconX } from '@tabler/icons-react';
import { use, useEffect, useMemo, useRef, useState } from 'react';

import { createSharedScale } from '../../charts/sharedScale.ts';
import { BoardChartView } from './BoardChartView.tsx';
import { BoardContext } from './boardContext.ts';
import {
  type BoardCatalog,
  type ShownChart,
  type TargetSection,
  targetTitles,
} from './boardTargets.ts';
import { LazyChart } from './LazyChart.tsx';
import styles from './live.module.css';

const plotPx = 116;
const chartPx = plotPx + 82;
/** More charts than this are made as they come into sight. */
const eager = 12;

export interface FocusPanelProps {
  catalog: BoardCatalog;
  target: string;
  onOpen: (key: string) => void;
  onClose: () => void;
}

/**
 * One tile, workload, host, LUN or uplink: all its measures as small multiples. Like things share
 * their value axis.
 */
export function FocusPanel({ catalog, target, onOpen, onClose }: FocusPanelProps) {
  const found = catalog.target(target);
  const sections = catalog.sections(target);
  const [shared, setShared] = useState(true);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'start' });
  }, [target]);
  useEscape(onClose);
  const alike = catalog.targets.filter((t) => t.kind === found?.kind);
  const at = alike.findIndex((t) => t.key === target);
  const step = (by: number): void => {
    const next = alike[(at + by + alike.length) % alike.length];
    if (next !== undefined) onOpen(next.key);
  };
  return (
    <section className={styles.focus} aria-label={found?.label ?? 'Not in this run'}>
      <Group gap="sm" wrap="wrap" className={styles.focusHead}>
        <h2 ref={heading} tabIndex={-1} className={styles.focusTitle}>
          {found?.label ?? 'Not in this run'}
        </h2>
        {found !== undefined && (
          <span
            className={styles.aside}
          >{`${targetTitles[found.kind]}, ${at + 1} of ${alike.length}`}</span>
        )}
        {alike.length > 1 && (
          <Button.Group>
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconChevronLeft size={14} aria-hidden />}
              onClick={() => {
                step(-1);
              }}
            >
              Previous
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              rightSection={<IconChevronRight size={14} aria-hidden />}
              onClick={() => {
                step(1);
              }}
            >
              Next
            </Button>
          </Button.Group>
        )}
        {sections.some((s) => s.alike) && (
          <Switch
            size="xs"
            label="One value axis"
            checked={shared}
            onChange={(event) => {
              setShared(event.currentTarget.checked);
            }}
          />
        )}
        <Button
          size="compact-sm"
          variant="default"
          ml="auto"
          leftSection={<IconX size={14} aria-hidden />}
          onClick={onClose}
        >
          Close
        </Button>
      </Group>
      {sections.length === 0 && (
        <p className={styles.empty}>Nothing was measured of it in this run.</p>
      )}
      {sections.map((section) => (
        <Multiples
          key={`${target}/${section.title}`}
          section={section}
          of={found?.label ?? ''}
          shared={shared}
        />
      ))}
    </section>
  );
}

/** Escape closes, unless it belongs to a field, a menu or a dialog. */
function useEscape(onClose: () => void): void {
  useEffect(() => {
    const close = (event: KeyboardEvent): void => {
      const inField =
        event.target instanceof Element &&
        event.target.closest('input, select, textarea, [role="menu"], [role="listbox"]') !== null;
      if (
        event.key !== 'Escape' ||
        event.defaultPrevented ||
        inField ||
        document.querySelector('[role="dialog"]') !== null
      )
        return;
      onClose();
    };
    document.addEventListener('keydown', close);
    return () => {
      document.removeEventListener('keydown', close);
    };
  }, [onClose]);
}

/** What of a chart's title its place does not say already. */
export function shortTitle(chart: ShownChart, of: string, alike: boolean): string {
  const rest = chart.title.startsWith(of)
    ? chart.title.slice(of.length).replace(/^[:\s]+/, '')
    : '';
  if (rest !== '') return rest.charAt(0).toUpperCase() + rest.slice(1);
  const tile = chart.defs[0]?.entity.tile;
  if (alike && tile !== undefined) return `Tile ${tile + 1}`;
  return alike && chart.title.includes(': ')
    ? chart.title.slice(0, chart.title.indexOf(': '))
    : chart.title;
}

function Multiples({
  section,
  of,
  shared,
}: {
  section: TargetSection;
  of: string;
  shared: boolean;
}) {
  const board = use(BoardContext);
  const linesOf = board?.lines.linesOf;
  // One axis a unit: charts of different units have nothing to be compared by.
  const scales = useMemo(() => {
    if (!section.alike || linesOf === undefined) return null;
    return new Map(
      [...new Set(section.charts.map((c) => c.unit))].map((unit) => {
        const charts = section.charts.filter((c) => c.unit === unit);
        return [
          unit,
          createSharedScale(
            charts.flatMap((c) => linesOf(c)),
            charts.flatMap((c) => c.limits.map((l) => l.value)),
          ),
        ];
      }),
    );
  }, [section, linesOf]);
  const lazy = section.charts.length > eager;
  return (
    <>
      {section.title !== '' && <h3 className={styles.heading}>{section.title}</h3>}
      <div className={styles.multiples}>
        {section.charts.map((chart) => {
          const view = (
            <BoardChartView
              key={chart.id}
              chart={chart}
              height={plotPx}
              shortTitle={shortTitle(chart, of, section.alike)}
              scale={shared ? scales?.get(chart.unit) : undefined}
            />
          );
          return lazy ? (
            <LazyChart key={chart.id} title={chart.title} heightPx={chartPx}>
              {view}
            </LazyChart>
          ) : (
            view
          );
        })}
      </div>
    </>
  );
}
