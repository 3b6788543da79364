import { SegmentedControl, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleX, IconInfoCircle } from '@tabler/icons-react';
import { memo, useState } from 'react';

import { counted } from '../../../core/base/counted.ts';
import { groupBy } from '../../../core/base/groupBy.ts';
import type { LayoutFinding } from '../../../core/layout/layoutTypes.ts';
import type { Figure, Forecast, ForecastRow, Level } from '../../../core/layout/layoutTypes.ts';
import { bad, dim } from '../../kit/tones.ts';
import classes from './forecastPanel.module.css';
import { amounts, figureText, levelWords } from './words.ts';

interface Props {
  forecast: Forecast;
  findings: readonly LayoutFinding[];
  /** Key of what is lit, or null. */ lit: string | null;
  onLight: (key: string, about: LayoutFinding['at']) => void;
}
const tabs = [
  { value: 'findings', label: 'Findings' },
  { value: 'hosts', label: 'Hosts' },
  { value: 'datastores', label: 'LUNs' },
  { value: 'clients', label: 'Clients' },
  { value: 'uplinks', label: 'Uplinks' },
] as const;
type Tab = (typeof tabs)[number]['value'];
/** Most rows drawn; what matters stands first. */
const most = 40;
/** Notes of one rule beyond these are folded: they hold nothing up. */
const fewNotes = 3;

/**
 * What the layout asks of everything, and what rules say of it. A click lights on the board what it
 * is about.
 */
export const ForecastPanel = memo(function ForecastPanel({
  forecast,
  findings,
  lit,
  onLight,
}: Props) {
  const [tab, setTab] = useState<Tab>('findings');
  const blocks = findings.filter(({ severity }) => severity === 'block').length,
    warns = findings.filter(({ severity }) => severity === 'warn').length;
  return (
    <section aria-label="Forecast" className={classes.panel}>
      <Stack gap={8}>
        <Text size="sm" fw={600} role="status">
          {'Forecast: ' +
            `${blocks === 0 ? 'nothing blocks' : `${counted(blocks, 'finding')} block${blocks === 1 ? 's' : ''}`}, ` +
            counted(warns, 'warning')}
        </Text>
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label="Forecast of"
          transitionDuration={0}
          data={tabs.map(({ value, label }) => ({ value, label }))}
          value={tab}
          onChange={(value) => setTab(value)}
        />
        {tab === 'findings' ? (
          <Findings findings={findings} lit={lit} onLight={onLight} />
        ) : tab === 'hosts' ? (
          <Rows rows={forecast.hosts} kind="host" lit={lit} onLight={onLight} />
        ) : tab === 'datastores' ? (
          <Rows rows={forecast.datastores} kind="datastore" lit={lit} onLight={onLight} />
        ) : tab === 'clients' ? (
          <Rows rows={forecast.clients} kind="client" lit={lit} onLight={onLight} />
        ) : (
          <Rows
            rows={forecast.uplinks}
            kind="host"
            lit={lit}
            onLight={onLight}
            refOf={(row) => forecast.uplinks.find((one) => one.ref === row.ref)?.hostRef ?? row.ref}
          />
        )}
      </Stack>
    </section>
  );
});

const marks = {
  block: { word: 'Blocks', icon: IconCircleX, color: bad },
  warn: { word: 'Warning', icon: IconAlertTriangle, color: 'var(--tb-warn)' },
  info: { word: 'Note', icon: IconInfoCircle, color: dim },
} as const;

/** Findings of one rule stand together: what it is and what to do once, then each place. */
function Findings({ findings, lit, onLight }: Pick<Props, 'findings' | 'lit' | 'onLight'>) {
  if (findings.length === 0)
    return (
      <Text size="sm" c={dim}>
        No rule finds anything.
      </Text>
    );
  const groups = [...groupBy(findings, ({ id, severity }) => `${severity} ${id}`).values()];
  return groups.map((group) => {
    const { id, severity, title, fix, source } = group[0]!;
    const { word, icon: Icon, color } = marks[severity];
    return (
      <section
        key={`${severity} ${id}`}
        aria-label={`${word}: ${title}`}
        className={classes.findings}
      >
        <Text size="sm" fw={600}>
          <Icon size={14} aria-hidden color={color} style={{ verticalAlign: '-2px' }} />{' '}
          {`${word}: ${title}`}
          {group.length > 1 && ` (${group.length.toLocaleString('en')})`}
        </Text>
        {severity === 'info' && group.length > fewNotes ? (
          <details className={classes.fix}>
            <summary>{`Where: ${group
              .slice(0, fewNotes)
              .map(({ subject }) => subject)
              .join(', ')} …`}</summary>
            <Places group={group} lit={lit} onLight={onLight} />
          </details>
        ) : (
          <Places group={group} lit={lit} onLight={onLight} />
        )}
        <details className={classes.fix}>
          <summary>{fix}</summary>
          {`Source: ${source}`}
        </details>
      </section>
    );
  });
}

/** The places of one rule's findings; a click lights one on the board. */
function Places({
  group,
  lit,
  onLight,
}: { group: readonly LayoutFinding[] } & Pick<Props, 'lit' | 'onLight'>) {
  const shared = group[0]!.fix;
  return (
    <>
      {group.slice(0, most).map((finding) => {
        const key = `${finding.id} ${finding.at.kind} ${finding.at.ref}`;
        return (
          <button
            key={key}
            type="button"
            className={classes.finding}
            aria-pressed={lit === key}
            onClick={() => onLight(key, finding.at)}
          >
            {`${finding.subject}: ${finding.evidence}`}
            {finding.fix !== shared && <span>{` ${finding.fix}`}</span>}
          </button>
        );
      })}
      {group.length > most && (
        <Text size="sm" c={dim}>{`and ${(group.length - most).toLocaleString('en')} more`}</Text>
      )}
    </>
  );
}

const rank: Readonly<Record<Level, number>> = { over: 0, warn: 1, unknown: 2, ok: 3 };
function Rows({
  rows,
  kind,
  lit,
  onLight,
  refOf = ({ ref }) => ref,
}: {
  rows: readonly ForecastRow[];
  kind: 'host' | 'datastore' | 'client';
  refOf?: (row: ForecastRow) => string;
} & Pick<Props, 'lit' | 'onLight'>) {
  const used = rows.filter((row) => row.vms > 0);
  if (used.length === 0)
    return (
      <Text size="sm" c={dim}>
        {rows.length === 0 ? 'None is known.' : 'The tiles use none yet.'}
      </Text>
    );
  const order = [...used].sort((a, b) => rank[a.worst] - rank[b.worst]);
  return (
    <div>
      {order.slice(0, most).map((row) => {
        const key = `${kind} ${row.ref}`;
        return (
          <button
            key={row.ref}
            type="button"
            className={classes.finding}
            aria-pressed={lit === key}
            onClick={() => onLight(key, { kind, ref: refOf(row) })}
          >
            <b>{row.name}</b>
            {` ${counted(row.vms, 'VM')} of ${counted(row.tiles.length, 'tile')}`}
            {row.figures.map((figure) => (
              <FigureLine key={figure.id} figure={figure} open={lit === key} />
            ))}
          </button>
        );
      })}
      {rows.length > used.length && (
        <Text
          size="sm"
          c={dim}
          mt={4}
        >{`${(rows.length - used.length).toLocaleString('en')} without a VM of a tile.`}</Text>
      )}
    </div>
  );
}

function FigureLine({ figure, open }: { figure: Figure; open: boolean }) {
  const { level } = figure;
  return (
    <div>
      <span className={classes.figureLine}>
        <span>{figure.label}</span>
        <span
          style={{
            color: level === 'over' ? bad : undefined,
            fontWeight: level === 'ok' || level === 'unknown' ? undefined : 600,
          }}
        >{`${figureText(figure, amounts(figure).unit)}, ${levelWords[level]}`}</span>
      </span>
      {open && (
        <small>
          {[
            figure.others > 0
              ? `${amounts({ ...figure, value: figure.others }).value} of it by VMs that are no part of a tile`
              : null,
            figure.missing,
            `Source: ${figure.source}`,
          ]
            .filter((one) => one !== null)
            .join('. ')}
        </small>
      )}
    </div>
  );
}
